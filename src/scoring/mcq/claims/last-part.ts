/** What stands behind the last separator in a text; all of it where there is none. */
export function lastPart(text: string, separator: RegExp): string {
  return text.split(separator).at(-1) ?? text;
}
