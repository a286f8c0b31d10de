import { parse, resolve, sep } from 'node:path';
import { partOf, quote } from '../text/show.ts';
import type { Sample } from '../types.ts';
import { findPictures } from './attachments.ts';
import type { Draft } from './read-record.ts';
import type { SuiteKind } from './shape.ts';

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

/** Says how many records have no id. */
export function noteMissingIds(have: readonly boolean[]): string[] {
  const missing = have.filter((has) => !has).length;
  const records = partOf(missing, have.length, 'record', 'has', 'have');
  return missing === 0 ? [] : [`${records} no id; viva makes one from position and question.`];
}

/** Says how many questions have no expected answer, or a hidden one. */
export function noteHidden(samples: readonly Sample[]): string[] {
  const hidden = samples.filter(({ target }) => target === null).length;
  const have = partOf(hidden, samples.length, 'question', 'has', 'have');
  return hidden === 0
    ? []
    : [`${have} no known answer and ${hidden === 1 ? 'is' : 'are'} not graded.`];
}

/**
 * The groups of records by the name in each record (null for none). If no record names
 * another, the group of all is "all". Else those without a name and those named "all" form groups
 * of their own, since "all" in a report means the whole dataset.
 */
export function nameGroups(
  said: readonly (string | null)[],
  what: string,
): { groups: string[]; notes: string[] } {
  const isAll = (name: string | null) => name?.toLowerCase() === ALL;
  if (said.every((name) => name === null || isAll(name)))
    return { groups: said.map(() => ALL), notes: [] };
  const silent = said.filter((name) => name === null).length;
  const have = partOf(silent, said.length, 'record', 'has', 'have');
  return {
    groups: said.map((name) => (isAll(name) ? `${what} ${ALL}` : (name ?? `no ${what}`))),
    notes: silent === 0 ? [] : [`${have} no ${what}.`],
  };
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

/** A text of this length may be a passage that the question is about. */
const LONG = 200;

/** Names of fields that explain or judge an answer, or describe the record. */
const NOT_ASKED =
  /answer|solution|rationale|explanation|reason|(?:^|_)cot|lecture|support|evidence|analysis|proof|rubric|criteri|expected|target|response|completion|gold|comment|canary|metadata|license|path|^(?:reference|source|citation|output|url|link|notes?|prompt)s?$/i;

/**
 * Names the fields that a question may need and that the agent does not see: pictures, and long
 * texts with a name that does not say that they are about the answer.
 */
export function noteUnread(drafts: readonly Draft[], kind: SuiteKind): readonly string[] {
  const unread = new Map<string, { readonly what: string; count: number }>();
  for (const { metadata } of drafts) {
    for (const [name, value] of Object.entries(metadata)) {
      const what = describeUnread(name, value);
      if (what === null) continue;
      const known = unread.get(name);
      if (known === undefined) unread.set(name, { what, count: 1 });
      else known.count += 1;
    }
  }
  return [...unread].map(([name, { what, count }]) => {
    const have = partOf(count, drafts.length, 'record', 'has', 'have');
    const role = what === 'a picture' ? 'images' : 'context';
    const set = `set EVAL_MCQ_FIELDS='${JSON.stringify({ [role]: name })}'`;
    const remedy = kind === 'mcq' ? set : `call it ${quote(role)}`;
    return `${have} ${quote(name)}, ${what} that the agent does not see. If the question needs it, ${remedy}.`;
  });
}

function describeUnread(name: string, value: unknown): string | null {
  if (NOT_ASKED.test(name)) return null;
  const isShort = typeof value === 'string' && value.length < LONG && !value.includes('.');
  if (isShort || value === null || (typeof value !== 'object' && typeof value !== 'string'))
    return null;
  const first: unknown = [value].flat()[0];
  if (typeof first === 'string' && IMAGE_URL.test(first)) return 'a picture';
  if ((findPictures({ name, value }) ?? []).length > 0) return 'a picture';
  return measure(value) >= LONG ? 'a long text' : null;
}

const IMAGE_URL = /^https?:\/\/\S{1,2000}\.(?:png|jpe?g|gif|webp|bmp|svg)(?:\?|$)/i;

/** The characters of the texts in a value, down to lists of objects. */
function measure(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  const isOuter = typeof value === 'object' && value !== null && depth < 3;
  if (!isOuter || value instanceof Uint8Array) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + measure(each, depth + 1), 0);
}
