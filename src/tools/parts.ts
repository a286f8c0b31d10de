/** The most characters of one part. */
export const PART_CHARACTERS = 30_000;

/**
 * One part of a long text, below a line with its number and how to go on. Throws a sentence for the
 * model if there is no such part.
 */
export function showPart(name: string, text: string, part: number): string {
  const parts = split(text);
  const shown = parts[part - 1];
  if (shown === undefined)
    throw new Error(`${name} has parts 1 to ${parts.length}, but part ${part} was asked for.`);
  const more = part < parts.length ? `, go on with part ${part + 1}` : '';
  return `[${name} | part ${part} of ${parts.length}${more}]\n${shown === '' ? '(nothing)' : shown}`;
}

/** Cuts at line ends if there are any, so no number is split. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (start + PART_CHARACTERS < text.length) {
    const lineEnd = text.lastIndexOf('\n', start + PART_CHARACTERS);
    const end = lineEnd > start + PART_CHARACTERS / 2 ? lineEnd + 1 : start + PART_CHARACTERS;
    parts.push(text.slice(start, end).trimEnd().toWellFormed());
    start = end;
  }
  return [...parts, text.slice(start).trimEnd().toWellFormed()];
}
