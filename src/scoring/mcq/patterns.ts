import { ONCE } from '../once.ts';

/** The source of a pattern for any of these words. */
export function anyOf(...words: readonly string[]): string {
  return `(?:(?:${words.join('|')})${ONCE})`;
}

/**
 * A pattern from a source made of words. In it a space means one to three spaces or line breaks, and
 * " ?" none to three; inside [] it is a space.
 */
export function toPattern(source: string, flags: string): RegExp {
  return new RegExp(
    source.replace(/\\.|\[(?:\\.|[^\]\\]){0,200}\]| \??/gu, (part) =>
      part === ' ' ? `[ \\n]{1,3}${ONCE}` : part === ' ?' ? `[ \\n]{0,3}${ONCE}` : part,
    ),
    flags,
  );
}

/** The source of a pattern for where a word may begin. */
export const START = '(?<![\\p{L}\\p{N}_])';

/** The match of a sticky pattern at this place; null without one. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

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
