import { extname } from 'node:path';
import { type EvalConfig, readConfig } from '../config.ts';
import { gaiaLayouts } from '../datasets/gaia/layouts.ts';
import { loadGaia, locateGaia } from '../datasets/gaia/load-gaia.ts';
import { fetchRecordFiles } from '../datasets/hub/hub-files.ts';
import { HubError } from '../datasets/hub/hub-request.ts';
import { type HubSettings, isHubSource, parseHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { loadRecords } from '../datasets/load-records.ts';
import { isMcq, loadMcq } from '../datasets/mcq/load-mcq.ts';
import { findRepeats, isFilled } from '../datasets/record-fields.ts';
import { compareNaturally } from '../metrics/groups.ts';
import { isFolder } from '../records/files.ts';
import { readRecords } from '../records/read-records.ts';
import { hideRecordText, isFields, type RawRecord } from '../records/record.ts';
import { findKind } from '../scoring/gaia/official.ts';
import { isAllStatement, isNoneStatement } from '../scoring/mcq/all-none.ts';
import { escapeLine, quote } from '../text/show.ts';
import { attempt } from '../text/thrown.ts';
import { formatPercent, plural } from '../text/wording.ts';
import type { Dataset, Sample } from '../types.ts';
import { type Command, parseWords, UsageError } from './command.ts';

/** `viva check FILE`: what a dataset holds, and whether it can be read; asks nobody. */
export const check: Command = {
  name: 'check',
  summary: 'reads a dataset and shows its layout, counts, answers and oddities',
  usage: 'FILE [--as gaia|mcq|records], where FILE may be a folder or hf:owner/name, and --as says what does not show',
  run: async ({ args, env, print }) => {
    const { path, as } = parseArguments(args);
    // Only what says how a dataset is read: a wrong setting of a run is the doctor's business.
    const settings = ['EVAL_MCQ_FIELDS', 'EVAL_SPLIT', 'EVAL_SHOW_GATED', 'CI'];
    const config = readConfig(Object.fromEntries(settings.map((name) => [name, env[name]])));
    const source = { path, config, hub: readHubSettings(env) };
    try {
      const layout = as ?? (await recognise(source));
      const { dataset, own, files = [] } = await READERS[layout](source);
      const records = (await Promise.all(files.map(readRecords))).flatMap((file) => file.records);
      const notes = dataset.notes.map((note): Fact => [dataset.layouts?.includes(note) ? 'layout' : 'note', note]);
      const facts = [...notes, ...commonFacts(dataset.samples), ...own, ...fieldFacts(records)];
      print(escapeLine(`${layout} · ${dataset.name}`));
      print('');
      const width = Math.max(...facts.map(([name]) => name.length));
      for (const [name, text] of facts) print(`  ${name.padEnd(width)}  ${escapeLine(text, 1000)}`);
      return 0;
    } catch (error) {
      throw hideRecordText(error, config);
    }
  },
};

/** Whose fields are looked for: those of GAIA, of multiple choice, or the usual names that every suite takes. */
type Layout = 'gaia' | 'mcq' | 'records';

function parseArguments(args: readonly string[]): { readonly path: string; readonly as: Layout | undefined } {
  // Earlier versions called it --suite.
  const { values, positionals } = parseWords(args, { as: { type: 'string' }, suite: { type: 'string' } }, true);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new UsageError(`One file or folder is needed, got ${positionals.length}.`);
  }
  const as = values.as ?? values.suite;
  if (as === undefined || as === 'gaia' || as === 'mcq' || as === 'records') return { path, as };
  throw new UsageError(`--as must be gaia, mcq or records, got ${quote(as)}.`);
}

type Source = { readonly path: string; readonly config: EvalConfig; readonly hub: HubSettings };

async function recognise(source: Source): Promise<Layout> {
  const { path, config, hub } = source;
  if (await isGaiaFolder(source)) return 'gaia';
  const files = isHubSource(path) ? (await fetchRecordFiles({ path, hub })).files : isFolder(path) ? [] : [path];
  const [first] = await Promise.all(files.slice(0, 1).map(readRecords));
  if (first === undefined) return 'records';
  if (config.mcqFields?.choices !== undefined || isMcq(first)) return 'mcq';
  // Records with a question and an answer under the usual names may be of any suite.
  const [official] = gaiaLayouts;
  return !isHubSource(path) && official?.recognises(first) === true ? 'gaia' : 'records';
}

/** Whether there are records in the places where GAIA has them, on this disk or on the Hub. */
async function isGaiaFolder({ path, config, hub }: Source): Promise<boolean> {
  if (!isHubSource(path)) {
    const splits = ['validation', 'test'] as const;
    return isFolder(path) && splits.some((split) => attempt(() => locateGaia(path, split)) !== undefined);
  }
  if (parseHubSource(path)?.file !== undefined) return false;
  try {
    await loadGaia({ path, split: config.split, hub });
    return true;
  } catch (error) {
    if (error instanceof HubError && ['not_found', 'not_cached'].includes(error.kind)) return false;
    throw error;
  }
}

/** One line: what it is about, and what was found. */
type Fact = readonly [name: string, text: string];

/** `own`: facts of this layout alone; `files`: those whose fields are looked at. */
type Read = { readonly dataset: Dataset; readonly own: readonly Fact[]; readonly files?: readonly string[] };

const READERS: Readonly<Record<Layout, (source: Source) => Promise<Read>>> = {
  gaia: async ({ path, config: { split }, hub }) => {
    const dataset = await loadGaia({ path, split, hub });
    const own = [...truthFacts(dataset.samples), ...attachmentFacts(dataset.samples)];
    return { dataset, own, ...(!isHubSource(path) && { files: locateGaia(path, split).files }) };
  },
  mcq: async ({ path, config: { mcqFields: fields }, hub }) => {
    const dataset = await loadMcq({ path, fields, hub });
    return { dataset, own: mcqFacts(dataset.samples), ...(!isHubSource(path) && { files: [path] }) };
  },
  records: async ({ path, hub }) => {
    const dataset = await loadRecords({ path, hub });
    const own = [...targetFacts(dataset.samples), ...attachmentFacts(dataset.samples)];
    return { dataset, own, ...(!isHubSource(path) && !isFolder(path) && { files: [path] }) };
  },
};

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

/** How the answers of GAIA's samples will be compared. */
function truthFacts(samples: readonly Sample[]): readonly Fact[] {
  const kinds = samples.map(({ target }) => (target === null ? 'hidden' : findKind(target)));
  return [['truths', toShares(kinds)], ...warnOfSeparators(samples)];
}

/** How much an agent would get right that always says the same. */
function targetFacts(samples: readonly Sample[]): readonly Fact[] {
  const known = samples.flatMap(({ target }) => target ?? []);
  if (known.length === 0) return [['targets', 'none: the score has to judge without']];
  const [most = 0] = [...Map.groupBy(known, (target) => target).values()]
    .map(({ length }) => length)
    .sort((a, b) => b - a);
  const share = formatPercent(most / known.length);
  return [['targets', `${new Set(known).size} different in ${known.length}, the most frequent in ${most} (${share})`]];
}

function attachmentFacts(samples: readonly Sample[]): readonly Fact[] {
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = files.map(({ name }) => extname(name).toLowerCase() || 'no extension');
  return [['attachments', files.length === 0 ? 'none' : toShares(types)]];
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
