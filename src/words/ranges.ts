/** A part of a text. The end is exclusive. */
export type Range = readonly [start: number, end: number];

/** A text of the same length without anything but line breaks. */
export function toSpaces(part: string): string {
  return part.replace(/[^\n]+/g, (run) => ' '.repeat(run.length));
}

/** Replaces ranges of a text, which must be in order. */
export function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replace: (part: string) => string,
): string {
  let at = 0;
  const parts = ranges.map(([start, end]) => {
    const before = text.slice(at, start);
    at = end;
    return before + replace(text.slice(start, end));
  });
  return ranges.length === 0 ? text : parts.join('') + text.slice(at);
}
