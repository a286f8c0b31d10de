import { type EvalConfig, readConfig } from '../config.ts';
import { gaiaLayouts } from '../datasets/gaia/layouts.ts';
import { loadGaia, locateGaia } from '../datasets/gaia/load-gaia.ts';
import { fetchRecordFiles } from '../datasets/hub/hub-files.ts';
import { HubError } from '../datasets/hub/hub-request.ts';
import {
  type HubSettings,
  isHubSource,
  parseHubSource,
  readHubSettings,
} from '../datasets/hub/hub-source.ts';
import { loadRecords } from '../datasets/load-records.ts';
import { isMcq, loadMcq } from '../datasets/mcq/load-mcq.ts';
import { isFilled } from '../datasets/record-fields.ts';
import { isFolder } from '../records/files.ts';
import { readRecords } from '../records/read-records.ts';
import { hideRecordText, isFields, type RawRecord } from '../records/record.ts';
import { describeDataset, type Fact, gaiaFacts, listUp } from '../run/dataset-facts.ts';
import { escapeLine, quote } from '../text/show.ts';
import { tryOrUndefined } from '../text/thrown.ts';
import type { Dataset } from '../types.ts';
import { type Command, type CommandContext, parseWords, UsageError } from './command.ts';

/** `viva check FILE`: checks that a dataset can be read, and shows facts about it. */
export const check: Command = {
  name: 'check',
  summary: 'checks a dataset: layout, counts, answers, oddities',
  usage:
    'FILE [--as gaia|mcq|records], where FILE may also be a folder or hf:owner/name, ' +
    'and --as names the layout if viva cannot tell',
  run: async ({ args, env, print }) => {
    const { path, as } = parseArguments(args);
    // Only the settings for reading data: `viva doctor` checks the settings of a run.
    const settings = ['EVAL_MCQ_FIELDS', 'EVAL_SPLIT', 'EVAL_SHOW_GATED', 'CI'];
    const config = readConfig(Object.fromEntries(settings.map((name) => [name, env[name]])));
    const source = { path, config, hub: readHubSettings(env) };
    try {
      const layout = as ?? (await recognise(source));
      if (as === undefined && layout === 'records') print(READ_AS);
      const { dataset, own, files = [] } = await READERS[layout](source);
      const records = (await Promise.all(files.map(readRecords))).flatMap((file) => file.records);
      show(
        `${layout} · ${dataset.name}`,
        [...describeDataset(dataset, own), ...fieldFacts(records)],
        print,
      );
      return 0;
    } catch (error) {
      throw hideRecordText(error, config);
    }
  },
};

const READ_AS =
  'Read as the data of your own suite. --as gaia reads it as EVAL_GAIA does, --as mcq as EVAL_MCQ does.';

const EVAL_FILE = /\.eval\.[cm]?[jt]s$/;

function show(title: string, facts: readonly Fact[], print: CommandContext['print']): void {
  print(escapeLine(title));
  print('');
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts) print(`  ${name.padEnd(width)}  ${escapeLine(text, 1000)}`);
}

/** The fields to look for: those of GAIA, of multiple choice, or the usual names of any suite. */
type Layout = 'gaia' | 'mcq' | 'records';

function parseArguments(args: readonly string[]): {
  readonly path: string;
  readonly as: Layout | undefined;
} {
  // Earlier versions called it --suite.
  const { values, positionals } = parseWords(
    args,
    { as: { type: 'string' }, suite: { type: 'string' } },
    true,
  );
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new UsageError(`check needs one file or folder, got ${positionals.length}.`);
  }
  if (EVAL_FILE.test(path)) {
    throw new UsageError(
      `${path} is an eval file: check its data, or see what it would ask with EVAL_DRY_RUN=1 vitest run ${path}`,
    );
  }
  const as = values.as ?? values.suite;
  if (as === undefined || as === 'gaia' || as === 'mcq' || as === 'records') return { path, as };
  throw new UsageError(`--as must be gaia, mcq or records, got ${quote(as)}.`);
}

type Source = { readonly path: string; readonly config: EvalConfig; readonly hub: HubSettings };

async function recognise(source: Source): Promise<Layout> {
  const { path, config, hub } = source;
  if (await isGaiaFolder(source)) return 'gaia';
  const files = isHubSource(path)
    ? (await fetchRecordFiles({ path, hub })).files
    : isFolder(path)
      ? []
      : [path];
  const [first] = await Promise.all(files.slice(0, 1).map(readRecords));
  if (first === undefined) return 'records';
  if (config.mcqFields?.choices !== undefined || isMcq(first)) return 'mcq';
  // Any suite may have records with a question and an answer under the usual names, which the last
  // layout reads.
  const isGaia = gaiaLayouts.slice(0, -1).some((layout) => layout.recognises(first));
  return !isHubSource(path) && isGaia ? 'gaia' : 'records';
}

/** Whether a folder or a Hub dataset has records in the places where GAIA has them. */
async function isGaiaFolder({ path, config, hub }: Source): Promise<boolean> {
  if (!isHubSource(path)) {
    const splits = ['validation', 'test'] as const;
    return (
      isFolder(path) &&
      splits.some((split) => tryOrUndefined(() => locateGaia(path, split)) !== undefined)
    );
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

/** `own`: facts of this layout only; `files`: the files whose fields are checked. */
type Read = {
  readonly dataset: Dataset;
  readonly own?: readonly Fact[];
  readonly files?: readonly string[];
};

const READERS: Readonly<Record<Layout, (source: Source) => Promise<Read>>> = {
  gaia: async ({ path, config: { split }, hub }) => {
    const dataset = await loadGaia({ path, split, hub });
    const own = gaiaFacts(dataset.samples);
    return { dataset, own, ...(!isHubSource(path) && { files: locateGaia(path, split).files }) };
  },
  mcq: async ({ path, config: { mcqFields: fields }, hub }) => {
    const dataset = await loadMcq({ path, fields, hub });
    return { dataset, ...(!isHubSource(path) && { files: [path] }) };
  },
  records: async ({ path, hub }) => {
    const dataset = await loadRecords({ path, hub });
    return { dataset, ...(!isHubSource(path) && !isFolder(path) && { files: [path] }) };
  },
};

/** The fields of the file that some records leave empty or out. */
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
  return [['empty fields', texts.length === 0 ? 'none' : listUp(texts)]];
}
