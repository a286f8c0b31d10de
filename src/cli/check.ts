import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { type EvalConfig, readConfig } from '../config.ts';
import { gaiaLayouts } from '../datasets/gaia/layouts.ts';
import { loadGaia, locateGaia } from '../datasets/gaia/load-gaia.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { isMcq, loadMcq } from '../datasets/mcq/load-mcq.ts';
import { findRepeats, unknownLayout } from '../datasets/record-fields.ts';
import { compareNaturally } from '../metrics/groups.ts';
import { readRecords } from '../records/read-records.ts';
import { isFields, type RawRecord, RecordError } from '../records/record.ts';
import { findKind } from '../scoring/gaia/official.ts';
import { isAllStatement, isNoneStatement } from '../scoring/mcq/all-none.ts';
import { hidesRecords } from '../text/hide-records.ts';
import { escapeLine } from '../text/show.ts';
import { formatPercent, plural } from '../text/wording.ts';
import type { Dataset, Sample } from '../types.ts';
import { type Command, type CommandContext, parseWords, UsageError } from './command.ts';

/** `pnpm viva check FILE`: what a dataset holds, and whether it can be read; asks nobody. */
export const check: Command = {
  name: 'check',
  summary: 'reads a dataset and shows its layout, counts, answers and oddities (FILE, --suite gaia or mcq)',
  run: async ({ args, env, print }) => {
    const { path, suite } = parseArguments(args);
    // Only what says how a dataset is read: a wrong setting of a run is the doctor's business.
    const settings = ['EVAL_MCQ_FIELDS', 'EVAL_SPLIT', 'EVAL_SHOW_GATED', 'CI'];
    const config = readConfig(Object.fromEntries(settings.map((name) => [name, env[name]])));
    try {
      const isMcqFile = (suite ?? (await recognise(path, config))) === 'mcq';
      show(isMcqFile ? await examineMcq(path, config) : await examineGaia(path, config, env), print);
      return 0;
    } catch (error) {
      // In CI no text of a record is shown.
      if (error instanceof RecordError && hidesRecords(config)) throw new Error(error.idsOnly);
      throw error;
    }
  },
};

type Examined = { readonly title: string; readonly facts: readonly Fact[] };

/** One line: what it is about, and what was found. */
type Fact = readonly [name: string, text: string];

type Suite = 'gaia' | 'mcq';

const USAGE = 'Use "pnpm viva check FILE", with --suite gaia or --suite mcq where the file does not show what it is.';

function parseArguments(args: readonly string[]): { readonly path: string; readonly suite: Suite | undefined } {
  const { values, positionals } = parseWords(args, { suite: { type: 'string' } }, USAGE, true);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new UsageError(`One file or folder is needed, got ${positionals.length}. ${USAGE}`);
  }
  const { suite } = values;
  if (suite === undefined || suite === 'gaia' || suite === 'mcq') return { path, suite };
  throw new UsageError(`--suite must be gaia or mcq, got ${JSON.stringify(suite)}. ${USAGE}`);
}

async function recognise(path: string, { mcqFields }: EvalConfig): Promise<Suite> {
  if (isHubSource(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return 'gaia';
  const source = await readRecords(path);
  if (typeof mcqFields?.choices !== 'undefined' || isMcq(source)) return 'mcq';
  if (gaiaLayouts.some((layout) => layout.recognises(source))) return 'gaia';
  const remedy = 'Say what it should be, --suite gaia or --suite mcq, to see which fields are looked for.';
  throw unknownLayout(source, remedy);
}

async function examineMcq(path: string, { mcqFields }: EvalConfig): Promise<Examined> {
  const dataset = await loadMcq({ path, fields: mcqFields });
  return toExamined('mcq', dataset, [path], mcqFacts(dataset.samples));
}

async function examineGaia(path: string, { split }: EvalConfig, env: CommandContext['env']): Promise<Examined> {
  const dataset = await loadGaia({ path, split, hub: readHubSettings(env) });
  const files = isHubSource(path) ? [] : locateGaia(path, split).files;
  return toExamined('gaia', dataset, files, gaiaFacts(dataset.samples));
}

async function toExamined(suite: Suite, dataset: Dataset, files: readonly string[], own: readonly Fact[]) {
  const records = (await Promise.all(files.map(readRecords))).flatMap((source) => source.records);
  const notes = dataset.notes.map((note): Fact => [SAYS_LAYOUT.test(note) ? 'layout' : 'note', note]);
  const facts = [...notes, ...commonFacts(dataset.samples), ...own, ...fieldFacts(records)];
  return { title: `${suite} · ${dataset.name}`, facts };
}

/** How the loaders word the note that names the layout. */
const SAYS_LAYOUT = /\d records?, read from|^GAIA layout|^Question\/answer records/;

function show({ title, facts }: Examined, print: CommandContext['print']): void {
  print(escapeLine(title));
  print('');
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts) print(`  ${name.padEnd(width)}  ${escapeLine(text, 1000)}`);
}

/** How many of a long list are named. */
const MOST = 20;

/** What is to be said of the samples of any suite. */
function commonFacts(samples: readonly Sample[]): readonly Fact[] {
  const groups = [...countBy(samples, ({ group }) => group)].sort(([a], [b]) => compareNaturally(a, b));
  const repeats = findRepeats(samples);
  return [
    ['questions', String(samples.length)],
    ['groups', listUp(groups.map(([group, count]) => `${group} ${count}`))],
    ['duplicates', repeats.length === 0 ? 'none' : listUp(repeats.map((ids) => ids.join(' = ')))],
  ];
}

/** Which fields some records leave empty or do not have. */
function fieldFacts(records: readonly RawRecord[]): readonly Fact[] {
  const filled = new Map<string, number>();
  for (const { value } of records) {
    for (const [name, content] of isFields(value) ? Object.entries(value) : []) {
      filled.set(name, (filled.get(name) ?? 0) + (isEmpty(content) ? 0 : 1));
    }
  }
  const lacking = [...filled].filter(([, count]) => count < records.length);
  const texts = lacking.map(([name, count]) => `${JSON.stringify(name)} in ${records.length - count}`);
  return records.length === 0 ? [] : [['missing fields', texts.length === 0 ? 'none' : listUp(texts)]];
}

/** Counts by key, with shares: "A 9 (18.8 %), B 7 (14.6 %)". */
function toShares(counts: Iterable<readonly [string, number]>, total: number): string {
  return listUp([...counts].map(([name, count]) => `${name} ${count} (${formatPercent(count / total)})`));
}

/** How often each key occurs, in order of first appearance. */
function countBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(values, keyOf)].map(([key, { length }]) => [key, length]));
}

/** Texts in one line: the first ones, and how many more there are. */
function listUp(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} and ${texts.length - MOST} more` : shown;
}

function isEmpty(content: unknown): boolean {
  return content === null || content === undefined || (typeof content === 'string' && content.trim() === '');
}

/** How the answers of GAIA's samples will be compared, and which files come with the questions. */
function gaiaFacts(samples: readonly Sample[]): readonly Fact[] {
  const kinds = countBy(samples, ({ target }) => (target === null ? 'hidden' : findKind(target)));
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = countBy(files, ({ name }) => extname(name).toLowerCase() || 'no extension');
  return [
    ['truths', toShares(kinds, samples.length)],
    ...warnOfSeparators(samples),
    ['attachments', files.length === 0 ? 'none' : toShares(types, files.length)],
  ];
}

/** `299,792,458` is three elements for the rule, so that nobody who answers 299792458 is right. */
function warnOfSeparators(samples: readonly Sample[]): readonly Fact[] {
  const ids = samples.filter(({ target }) => THOUSANDS.test(target ?? '')).map(({ id }) => id);
  if (ids.length === 0) return [];
  const why =
    'the official rule reads 299,792,458 as a list, so 299792458 is wrong. Write numbers without separators in';
  return [['thousands', `${why} ${listUp(ids)}`]];
}

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/;

/** The options of multiple-choice samples, and which of them are right. */
function mcqFacts(samples: readonly Sample[]): readonly Fact[] {
  const sizes = countBy(samples, ({ choices = {} }) => plural(Object.keys(choices).length, 'option'));
  const answers = countBy(samples, ({ target }) => (target?.includes(',') ? 'several' : (target ?? 'hidden')));
  // Labels first, then what is no label.
  const rank = (name: string) => ['several', 'NONE', 'hidden'].indexOf(name);
  const sorted = [...answers].sort(([a], [b]) => rank(a) - rank(b) || compareNaturally(a, b));
  const count = (says: (text: string) => boolean) =>
    samples.filter(({ target, choices = {} }) => says(choices[target ?? ''] ?? '')).length;
  const texts = samples.map(({ choices = {} }) => Object.values(choices));
  const repeating = texts.filter((each) => new Set(each).size < each.length);
  const all = `right options that say "all of the above": ${count(isAllStatement)}`;
  const bySize = [...sizes].sort(([a], [b]) => compareNaturally(a, b));
  const equal = `in ${repeating.length} of ${plural(samples.length, 'question')}`;
  return [
    ['options', toShares(bySize, samples.length)],
    ['answers', toShares(sorted, samples.length)],
    ['all / none', `${all}, "none of the above": ${count(isNoneStatement)}`],
    ['equal options', repeating.length === 0 ? 'none' : equal],
  ];
}
