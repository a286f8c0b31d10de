import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { type EvalConfig, readConfig } from '../config.ts';
import { gaiaLayouts } from '../datasets/gaia/layouts.ts';
import { loadGaia, locateGaia } from '../datasets/gaia/load-gaia.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { isMcq, loadMcq } from '../datasets/mcq/load-mcq.ts';
import { findRepeats, isFields, unknownLayout } from '../datasets/record-fields.ts';
import { compareNaturally } from '../metrics/groups.ts';
import { readRecords } from '../records/read-records.ts';
import { type RawRecord, RecordError } from '../records/record.ts';
import { findKind } from '../scoring/gaia/official.ts';
import { isAllStatement, isNoneStatement } from '../scoring/mcq/all-none.ts';
import { hidesRecords } from '../text/hide-records.ts';
import { escapeLine } from '../text/show.ts';
import { formatPercent, plural } from '../text/wording.ts';
import type { Dataset, Sample } from '../types.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

/** `pnpm viva check FILE`: what a dataset holds, and whether it can be read; asks nobody. */
export const check: Command = {
  name: 'check',
  summary: 'reads a dataset and shows its layout, counts, answers and oddities (FILE, --suite gaia or mcq)',
  run: async (context) => {
    const { path, suite } = parseWords(context.args);
    const config = readSettings(context);
    try {
      show(await examine(path, suite, config, context), context);
      return 0;
    } catch (error) {
      // In CI no text of a record is shown (DESIGN 5.10).
      if (error instanceof RecordError && hidesRecords(config)) throw new Error(error.idsOnly);
      throw error;
    }
  },
};

type Examined = { readonly title: string; readonly facts: readonly Fact[] };

type Suite = 'gaia' | 'mcq';

const USAGE = 'Use "pnpm viva check FILE", with --suite gaia or --suite mcq where the file does not show what it is.';

function parseWords(args: readonly string[]): { readonly path: string; readonly suite: Suite | null } {
  const { values, positionals } = parse(args);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) {
    throw new UsageError(`One file or folder is needed, got ${positionals.length}. ${USAGE}`);
  }
  const { suite } = values;
  if (suite === undefined) return { path, suite: null };
  if (suite === 'gaia' || suite === 'mcq') return { path, suite };
  throw new UsageError(`--suite must be gaia or mcq, got ${JSON.stringify(suite)}. ${USAGE}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { suite: { type: 'string' } } });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${message}. ${USAGE}`, { cause });
  }
}

const SETTINGS = ['EVAL_MCQ_FIELDS', 'EVAL_SPLIT', 'EVAL_SHOW_GATED', 'CI'];

/** Only what says how a dataset is read: a wrong setting of a run is the doctor's business. */
function readSettings({ env }: CommandContext): EvalConfig {
  return readConfig(Object.fromEntries(SETTINGS.map((name) => [name, env[name]])));
}

async function examine(path: string, named: Suite | null, config: EvalConfig, { env }: CommandContext) {
  const suite = named ?? (await recognise(path, config));
  return suite === 'mcq' ? examineMcq(path, config) : examineGaia(path, config, env);
}

async function recognise(path: string, { mcqFields }: EvalConfig): Promise<Suite> {
  if (isHubSource(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return 'gaia';
  const source = await readRecords(path);
  if (typeof mcqFields?.choices !== 'undefined' || isMcq(source)) return 'mcq';
  if (gaiaLayouts.some((layout) => layout.recognises(source))) return 'gaia';
  throw unknownLayout(
    source,
    'Say what it should be, --suite gaia or --suite mcq, to see which fields are looked for.',
  );
}

async function examineMcq(path: string, { mcqFields }: EvalConfig): Promise<Examined> {
  const dataset = await loadMcq({ path, fields: mcqFields });
  const { records } = await readRecords(path);
  return toExamined('mcq', dataset, records, mcqFacts(dataset.samples));
}

async function examineGaia(path: string, { split }: EvalConfig, env: CommandContext['env']): Promise<Examined> {
  const dataset = await loadGaia({ path, split, hub: readHubSettings(env) });
  const files = isHubSource(path) ? [] : locateGaia(path, split).files;
  const sources = await Promise.all(files.map(readRecords));
  const records = sources.flatMap((source) => source.records);
  return toExamined('gaia', dataset, records, gaiaFacts(dataset.samples));
}

function toExamined(suite: Suite, dataset: Dataset, records: readonly RawRecord[], own: readonly Fact[]): Examined {
  const notes = dataset.notes.map((note) => [SAYS_LAYOUT.test(note) ? 'layout' : 'note', note] as const);
  const facts = [...notes, ...commonFacts(dataset.samples), ...own, ...fieldFacts(records)];
  return { title: `${suite} · ${dataset.name}`, facts };
}

/** How the loaders word the note that names the layout. */
const SAYS_LAYOUT = /\d records?, read from|^GAIA layout|^Question\/answer records/;

function show({ title, facts }: Examined, { print }: CommandContext): void {
  print(escapeLine(title));
  print('');
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts) print(`  ${name.padEnd(width)}  ${escapeLine(text, 1000)}`);
}

/** One line: what it is about, and what was found. */
type Fact = readonly [name: string, text: string];

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
  const counts = new Map<string, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return counts;
}

/** Texts in one line: the first ones, and how many more there are. */
function listUp(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} and ${texts.length - MOST} more` : shown;
}

function isEmpty(content: unknown): boolean {
  return content === null || content === undefined || (typeof content === 'string' && content.trim() === '');
}

/** What is to be said of GAIA's samples: how answers will be compared, and which files come with the questions. */
function gaiaFacts(samples: readonly Sample[]): readonly Fact[] {
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = countBy(files, ({ name }) => extname(name).toLowerCase() || 'no extension');
  return [
    ['truths', toShares(countBy(samples, nameKind), samples.length)],
    ...warnOfSeparators(samples),
    ['attachments', files.length === 0 ? 'none' : toShares(types, files.length)],
  ];
}

/** `299,792,458` is three elements for the rule, so that nobody who answers 299792458 is right. */
function warnOfSeparators(samples: readonly Sample[]): readonly Fact[] {
  const ids = samples.filter(({ target }) => target !== null && THOUSANDS.test(target)).map(({ id }) => id);
  if (ids.length === 0) return [];
  const why =
    'the official rule reads 299,792,458 as a list, so 299792458 is wrong. Write numbers without separators in';
  return [['thousands', `${why} ${listUp(ids)}`]];
}

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/;

function nameKind({ target }: Sample): string {
  return target === null ? 'hidden' : findKind(target);
}

/** What is to be said of multiple-choice samples: their options, and where the right ones are. */
function mcqFacts(samples: readonly Sample[]): readonly Fact[] {
  const sizes = [...countBy(samples, ({ choices = {} }) => plural(Object.keys(choices).length, 'option'))];
  const answers = [...countBy(samples, nameAnswer)];
  const all = samples.filter((sample) => namesOption(sample, isAllStatement)).length;
  const none = samples.filter((sample) => namesOption(sample, isNoneStatement)).length;
  const repeating = samples.filter(repeatsOption).length;
  return [
    ['options', toShares(sizes.sort(byName), samples.length)],
    ['answers', toShares(answers.sort(byAnswer), samples.length)],
    ['all / none', `right options that say "all of the above": ${all}, "none of the above": ${none}`],
    ['equal options', repeating === 0 ? 'none' : `in ${repeating} of ${plural(samples.length, 'question')}`],
  ];
}

const LAST = ['several', 'NONE', 'hidden'];

function nameAnswer({ target }: Sample): string {
  if (target === null) return 'hidden';
  return target.includes(',') ? 'several' : target;
}

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return compareNaturally(a, b);
}

/** Labels first, then what is none. */
function byAnswer([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return LAST.indexOf(a) - LAST.indexOf(b) || compareNaturally(a, b);
}

function namesOption({ target, choices = {} }: Sample, says: (text: string) => boolean): boolean {
  return Object.entries(choices).some(([label, text]) => label === target && says(text));
}

function repeatsOption({ choices = {} }: Sample): boolean {
  const texts = Object.values(choices);
  return new Set(texts).size < texts.length;
}
