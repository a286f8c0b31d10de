import { extname } from 'node:path';
import { type EvalConfig, readConfig } from '../config.ts';
import { gaiaLayouts } from '../datasets/gaia/layouts.ts';
import { loadGaia, locateGaia } from '../datasets/gaia/load-gaia.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { isMcq, loadMcq } from '../datasets/mcq/load-mcq.ts';
import { findRepeats, isFilled, unknownLayout } from '../datasets/record-fields.ts';
import { compareNaturally } from '../metrics/groups.ts';
import { isFolder } from '../records/files.ts';
import { readRecords } from '../records/read-records.ts';
import { hideRecordText, isFields, type RawRecord } from '../records/record.ts';
import { findKind } from '../scoring/gaia/official.ts';
import { isAllStatement, isNoneStatement } from '../scoring/mcq/all-none.ts';
import { escapeLine, quote } from '../text/show.ts';
import { formatPercent, plural } from '../text/wording.ts';
import type { Dataset, Sample } from '../types.ts';
import { type Command, type CommandContext, parseWords, UsageError } from './command.ts';

/** `pnpm viva check FILE`: what a dataset holds, and whether it can be read; asks nobody. */
export const check: Command = {
  name: 'check',
  summary: 'reads a dataset and shows its layout, counts, answers and oddities',
  usage: 'FILE [--suite gaia | --suite mcq], where --suite says what a file is that does not show it',
  run: async ({ args, env, print }) => {
    const { path, suite } = parseArguments(args);
    // Only what says how a dataset is read: a wrong setting of a run is the doctor's business.
    const settings = ['EVAL_MCQ_FIELDS', 'EVAL_SPLIT', 'EVAL_SHOW_GATED', 'CI'];
    const config = readConfig(Object.fromEntries(settings.map((name) => [name, env[name]])));
    try {
      const isMcqFile = (suite ?? (await recognise(path, config))) === 'mcq';
      const { title, facts } = isMcqFile ? await examineMcq(path, config) : await examineGaia(path, config, env);
      print(escapeLine(title));
      print('');
      const width = Math.max(...facts.map(([name]) => name.length));
      for (const [name, text] of facts) print(`  ${name.padEnd(width)}  ${escapeLine(text, 1000)}`);
      return 0;
    } catch (error) {
      throw hideRecordText(error, config);
    }
  },
};

type Suite = 'gaia' | 'mcq';

function parseArguments(args: readonly string[]): { readonly path: string; readonly suite: Suite | undefined } {
  const { values, positionals } = parseWords(args, { suite: { type: 'string' } }, true);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new UsageError(`One file or folder is needed, got ${positionals.length}.`);
  }
  const { suite } = values;
  if (suite === undefined || suite === 'gaia' || suite === 'mcq') return { path, suite };
  throw new UsageError(`--suite must be gaia or mcq, got ${quote(suite)}.`);
}

async function recognise(path: string, { mcqFields }: EvalConfig): Promise<Suite> {
  if (isHubSource(path) || isFolder(path)) return 'gaia';
  const source = await readRecords(path);
  if (mcqFields?.choices !== undefined || isMcq(source)) return 'mcq';
  if (gaiaLayouts.some((layout) => layout.recognises(source))) return 'gaia';
  const remedy = 'Say what it should be, --suite gaia or --suite mcq, to see which fields are looked for.';
  throw unknownLayout(source, remedy);
}

type Examined = { readonly title: string; readonly facts: readonly Fact[] };

/** One line: what it is about, and what was found. */
type Fact = readonly [name: string, text: string];

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
  const notes = dataset.notes.map((note): Fact => [dataset.layouts?.includes(note) ? 'layout' : 'note', note]);
  const facts = [...notes, ...commonFacts(dataset.samples), ...own, ...fieldFacts(records)];
  return { title: `${suite} · ${dataset.name}`, facts };
}

/** What is to be said of the samples of any suite. */
function commonFacts(samples: readonly Sample[]): readonly Fact[] {
  const groups = countNames(samples.map(({ group }) => group));
  const repeats = findRepeats(samples);
  return [
    ['questions', String(samples.length)],
    ['groups', listUp(groups.map(([group, count]) => `${group} ${count}`))],
    ['duplicates', repeats.length === 0 ? 'none' : listUp(repeats.map((ids) => ids.join(' = ')))],
  ];
}

/** How the answers of GAIA's samples will be compared, and which files come with the questions. */
function gaiaFacts(samples: readonly Sample[]): readonly Fact[] {
  const kinds = samples.map(({ target }) => (target === null ? 'hidden' : findKind(target)));
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = files.map(({ name }) => extname(name).toLowerCase() || 'no extension');
  return [
    ['truths', toShares(kinds)],
    ...warnOfSeparators(samples),
    ['attachments', files.length === 0 ? 'none' : toShares(types)],
  ];
}

/** `299,792,458` is a list of three for the rule, so 299792458 counts as wrong. */
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
  const options = samples.map(({ choices = {} }) => Object.values(choices));
  const answers = samples.map(({ target }) => (target?.includes(',') ? 'several' : (target ?? 'hidden')));
  const right = samples.map(({ target, choices = {} }) => choices[target ?? ''] ?? '');
  const [all, none] = [right.filter(isAllStatement).length, right.filter(isNoneStatement).length];
  const repeating = options.filter((texts) => new Set(texts).size < texts.length).length;
  return [
    ['options', toShares(options.map(({ length }) => plural(length, 'option')))],
    ['answers', toShares(answers)],
    ['all / none', `right options that say "all of the above": ${all}, "none of the above": ${none}`],
    ['equal options', repeating === 0 ? 'none' : `in ${repeating} of ${plural(samples.length, 'question')}`],
  ];
}

/** Which fields some records leave empty or do not have. */
function fieldFacts(records: readonly RawRecord[]): readonly Fact[] {
  if (records.length === 0) return [];
  const filled = new Map<string, number>();
  for (const { value } of records) {
    for (const [name, content] of isFields(value) ? Object.entries(value) : []) {
      filled.set(name, (filled.get(name) ?? 0) + (isFilled(content) ? 1 : 0));
    }
  }
  const lacking = [...filled].filter(([, count]) => count < records.length);
  const texts = lacking.map(([name, count]) => `${quote(name)} in ${records.length - count}`);
  return [['missing fields', texts.length === 0 ? 'none' : listUp(texts)]];
}

/** How often each name occurs and its share: "A 9 (18.8 %), B 7 (14.6 %)". */
function toShares(names: readonly string[]): string {
  return listUp(countNames(names).map(([name, count]) => `${name} ${count} (${formatPercent(count / names.length)})`));
}

/** Answers that are no label come after the labels. */
const LAST = ['several', 'NONE', 'hidden'];

function countNames(names: readonly string[]): readonly (readonly [name: string, count: number])[] {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length] as const);
  return counts.sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b) || compareNaturally(a, b));
}

/** How many of a long list are named. */
const MOST = 20;

/** Texts in one line: the first ones, and how many more there are. */
function listUp(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} and ${texts.length - MOST} more` : shown;
}
