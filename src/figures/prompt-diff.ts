import { createRequire } from 'node:module';

/** More lines than these are counted. */
const MOST_LINES = 40;

/**
 * Two prompts that differ in more lines have little in common, and the comparison would take
 * seconds.
 */
const MOST_EDITS = 400;

const load = createRequire(import.meta.url);

/**
 * How prompt b differs from prompt a: lines with "-", "+" or a space, as `diff -u` prints them,
 * with three lines of context. At most 40 lines, then their number.
 */
export function diffPrompts(a: string, b: string): readonly string[] {
  // Loaded on first use: few runs compare prompts.
  const { structuredPatch }: typeof import('diff') = load('diff');
  const options = { context: 3, stripTrailingCr: true, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', toLines(a), toLines(b), '', '', options);
  if (patch === undefined) return [`More than ${MOST_EDITS} lines differ.`];
  const lines = patch.hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : ['...']),
    ...hunk.lines,
  ]);
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `... and ${more} more lines`] : lines;
}

/**
 * A text that ends with a line break: without one, the last line would differ from the same line
 * elsewhere.
 */
function toLines(text: string): string {
  return `${text.trimEnd()}\n`;
}
