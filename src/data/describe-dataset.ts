import { parse, resolve, sep } from 'node:path';
import type { Note, Sample } from '../words/sample.ts';
import { lineIf, partOf, quote, toNotes } from '../words/show.ts';

/**
 * A short name for gates and reports: the last meaningful part of the path, with the split if there
 * is one ("GAIA/validation", "common_questions").
 */
export function nameDataset(file: string): string {
  const { dir, name: stem } = parse(resolve(file));
  const folders = dir.split(sep).filter((part) => part !== '');
  const name = findName([...folders, stem]) || stem;
  // "sample" is reserved for the committed files.
  return name.toLowerCase() === 'sample' ? `${folders.at(-1) ?? 'file'}/sample` : name;
}

/**
 * Says by which names the fields were found: `"question" or "prompt" (question), "A to D"
 * (options)`.
 */
export function describeSources(names: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [...names]
    .filter(([, found]) => found.size > 0)
    .map(([role, found]) => `${[...found].map(quote).join(' or ')} (${role})`)
    .join(', ');
}

export function noteMissingIds(have: readonly boolean[]): readonly Note[] {
  const missing = have.filter((has) => !has).length;
  const records = partOf(missing, have.length, 'record', 'has', 'have');
  const text = `${records} no id; viva makes one from position and question.`;
  return toNotes('no id', lineIf(missing > 0, text));
}

/** How many questions have no known answer: "1 of 3 questions has no known answer and is not graded." */
export function describeHidden(hidden: number, all: number): readonly string[] {
  const have = partOf(hidden, all, 'question', 'has', 'have');
  return lineIf(
    hidden > 0,
    `${have} no known answer and ${hidden === 1 ? 'is' : 'are'} not graded.`,
  );
}

/** A question without an expected answer counts as one whose answer is hidden. */
export function noteHidden(samples: readonly Sample[]): readonly Note[] {
  const hidden = samples.filter(({ target }) => target === null).length;
  return toNotes('hidden target', describeHidden(hidden, samples.length));
}

export function noteAccepted(samples: readonly Sample[]): readonly Note[] {
  const several = samples.filter(({ target, accepts, choices }) => {
    const labels = choices !== undefined && typeof target === 'string' && target.includes(',');
    return accepts === 'any' && (labels || (Array.isArray(target) && target.length > 1));
  });
  const accept = partOf(several.length, samples.length, 'question', 'accepts', 'accept');
  const text = `${accept} any one of several answers.`;
  return toNotes('accepts any', lineIf(several.length > 0, text));
}

/**
 * The groups of records by the name in each record (null for none). If no record names
 * another, the group of all is "all". Else those without a name and those named "all" form groups
 * of their own, since "all" in a report means the whole dataset.
 */
export function nameGroups(names: readonly (string | null)[], what: string): readonly string[] {
  const isAll = (name: string | null) => name?.toLowerCase() === ALL;
  if (names.every((name) => name === null || isAll(name))) return names.map(() => ALL);
  return names.map((name) => (isAll(name) ? `${what} ${ALL}` : (name ?? `no ${what}`)));
}

const SPLITS = new Set(['validation', 'test', 'train', 'dev']);

function findName(parts: readonly string[]): string {
  const telling = parts.filter((part) => !UNTELLING.test(part));
  const from = telling.findLastIndex((part) => !SPLITS.has(part));
  // The Hub's cache keeps a dataset in a folder like "datasets--owner--name".
  const names = telling.slice(Math.max(from, 0)).map((part) => part.replace(/^datasets--.*--/, ''));
  return names.join('/');
}

/**
 * Names that say nothing: GAIA's folder is a year, its Parquet files are named by level, and a
 * folder of the Hub's cache is named after a commit.
 */
const UNTELLING = /^(?:20\d\d|[0-9a-f]{40}|metadata(?:\.level[123])?|data|dataset|snapshots)$/i;

const ALL = 'all';
