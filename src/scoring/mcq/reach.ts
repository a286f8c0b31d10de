/** How far readers look from a place in a text, in characters. */
const REACH = { label: 24, clause: 90, sentence: 170, paragraph: 300 } as const;

export type Reach = keyof typeof REACH;

/** The end of what stands before a place. */
export function before(text: string, at: number, reach: Reach): string {
  return text.slice(Math.max(0, at - REACH[reach]), at);
}

/** The beginning of what stands behind a place. */
export function behind(text: string, at: number, reach: Reach): string {
  return text.slice(at, at + REACH[reach]);
}
