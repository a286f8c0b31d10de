import { createRequire } from 'node:module';
import { cutApart } from '../words/differences.ts';
import { cut } from '../words/show.ts';

/** A line of the one text and of the other; undefined where it has none there. */
type Pair = readonly [one: string | undefined, other: string | undefined];

/** More lines differ only in texts that have little in common, and comparing them takes long. */
const MOST_EDITS = 400;

/** Of a line no more is shown, around what differs. */
const MOST_LINE = 400;

/** Lines around what differs. Vitest shows five, so it leaves out none. */
const AROUND = 4;

const load = createRequire(import.meta.url);

/**
 * The lines in which two texts differ with four lines around, as two texts of at most about `most`
 * characters together. Each part begins with its place, as in `diff -u`, where others are left out.
 */
export function cutToDiffering(
  actual: string,
  expected: string,
  most: number,
): readonly [actual: string, expected: string] {
  // Loaded on first use: an assertion on texts must have failed.
  const { structuredPatch }: typeof import('diff') = load('diff');
  const options = { context: AROUND, maxEditLength: MOST_EDITS };
  // With a line break each: without, the last lines would differ.
  const patch = structuredPatch('', '', `${expected}\n`, `${actual}\n`, '', '', options);
  if (patch === undefined) return cutApart(actual, expected, most / 8);
  const { hunks } = patch;
  const shown = hunks.reduce((sum, { newLines }) => sum + newLines, 0);
  const isWhole = shown === actual.split('\n').length;
  const pairs = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const place = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    return [...(isWhole ? [] : [[place, place] as const]), ...toPairs(lines)];
  });
  const kept = takeUpTo(pairs, most);
  return [0, 1].map((side) => kept.flatMap((pair) => pair[side] ?? []).join('\n')) as [
    string,
    string,
  ];
}

/** The lines of a part: those that differ beside each other, cut around what differs. */
function toPairs(lines: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push(cutPair(added[index], removed[index]));
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('-')) removed.push(text);
    else if (line.startsWith('+')) added.push(text);
    else {
      flush();
      pairs.push(cutPair(text, text));
    }
  }
  flush();
  return pairs;
}

function cutPair(one: string | undefined, other: string | undefined): Pair {
  if (one !== undefined && other !== undefined && one !== other)
    return cutApart(one, other, MOST_LINE, true);
  const cutOf = (line: string | undefined) => line && cut(line, MOST_LINE);
  return [cutOf(one), cutOf(other)];
}

function takeUpTo(pairs: readonly Pair[], most: number): readonly Pair[] {
  let size = 0;
  const end = pairs.findIndex(([one = '', other = '']) => {
    size += one.length + other.length + 2;
    return size > most;
  });
  return end < 0 ? pairs : [...pairs.slice(0, end), ['…', '…']];
}
