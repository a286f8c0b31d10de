/**
 * Breaks the commands that CI would read out of a printed text, by a backslash that shows: `::name::` at a line's start,
 * behind spaces and colours too, and `##[name]` (GitHub) or `##vso[name]` (Azure) anywhere.
 */
export function disarmCommands(text: string): string {
  // Nearly all texts: this runs for each test's title and each cell of a table.
  if (!text.includes('::') && !text.includes('##')) return text;
  return text.replaceAll(AT_START, (start) => `${start}\\`).replaceAll(/##(?=(?:vso)?\[)/gi, '##\\');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
const AT_START = /^(?:[^\S\n]|\u001B\[[0-9;]{0,20}m)*(?=::)/gm;
