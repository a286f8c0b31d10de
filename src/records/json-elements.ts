/** The source text of one element of a JSON array. */
export type JsonElement = { readonly line: number; readonly source: string };

/**
 * Cuts the text of a JSON array at the commas between its elements, so that each gets the line on which it starts.
 * Right for valid JSON, a good guess for broken JSON; linear, and without a regular expression over whole strings,
 * since those overflow the stack at some megabytes.
 */
export function splitElements(text: string): JsonElement[] {
  const cuts = findCuts(text);
  let [line, counted] = [1, 0];
  return cuts.slice(0, -1).flatMap((cut, index) => {
    const source = text.slice(cut + 1, cuts[index + 1]);
    const start = cut + 1 + source.length - source.trimStart().length;
    line += countBreaks(text.slice(counted, start));
    counted = start;
    return source.trim() === '' ? [] : [{ line, source }];
  });
}

/** How many lines a text ends after its first. */
export function countBreaks(text: string): number {
  let breaks = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) breaks++;
  return breaks;
}

/** Positions of the opening bracket, the commas at depth 1 and the closing bracket (or the end of the text). */
function findCuts(text: string): number[] {
  const cuts: number[] = [];
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = findStringEnd(text, index);
    else if (character === '[' || character === '{') {
      if (depth++ === 0) cuts.push(index);
    } else if (character === ']' || character === '}') {
      if (--depth === 0) return [...cuts, index];
    } else if (character === ',' && depth === 1) cuts.push(index);
  }
  return [...cuts, text.length];
}

function findStringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
