import { hideRecordText, type RawRecord, showPlace } from '../data/files/record.ts';
import { readHubSettings } from '../data/hub/hub-source.ts';
import { openRecords, recogniseKind, toDataset } from '../data/load.ts';
import { isFilled } from '../data/record-fields.ts';
import type { SuiteKind } from '../data/shape.ts';
import { toCommand } from '../package-manager.ts';
import { describeDataset, type Fact, gaiaFacts } from '../run/dataset-facts.ts';
import { DEFAULT_PROMPT, fillPrompt } from '../run/prompt.ts';
import { readConfig } from '../settings.ts';
import { hidesRecords } from '../words/audience.ts';
import { isFields } from '../words/fields.ts';
import type { Sample } from '../words/sample.ts';
import { escapeLine, listUp, quote, showValue } from '../words/show.ts';
import { type Command, type CommandContext, parseWords, UsageError } from './command.ts';
import { showReadings } from './show-readings.ts';

/** `viva check FILE`: checks that a dataset can be read, and shows facts about it. */
export const check: Command = {
  usage: `FILE [--as gaia|mcq|records] [--read PREDICTIONS]
  FILE    a file, a folder or hf:owner/name
  --as    the layout, if viva cannot tell
  --read  a file of predictions or a run folder: shows how each output is read`,
  page: 'datasets.md',
  run: async ({ args, env, print }) => {
    const { path, as, read } = parseArguments(args, env);
    // Only the settings for reading data: `viva doctor` checks the settings of a run.
    const settings = ['EVAL_MCQ_FIELDS', 'EVAL_SPLIT', 'EVAL_SKIP_BAD', 'EVAL_SHOW_GATED', 'CI'];
    const config = readConfig(Object.fromEntries(settings.map((name) => [name, env[name]])));
    try {
      const opened = await openRecords({ path, split: config.split, hub: readHubSettings(env) });
      const isMapped = config.mcqFields !== null;
      const kind = as ?? (isMapped ? 'mcq' : recogniseKind(opened.records));
      if (as === undefined && kind === 'records') print(READ_AS);
      const fields = kind === 'mcq' ? config.mcqFields : null;
      const dataset = toDataset(opened, { fields, skipBad: config.skipBad === true }, kind, kind);
      const ofGaia = kind === 'gaia' ? gaiaFacts(dataset.samples) : undefined;
      const shape: Fact = ['shape', dataset.shape ?? ''];
      const leftOut = new Set(dataset.leftOut);
      const { file, records } = opened.records;
      const good = records.filter((raw) => !leftOut.has(showPlace({ file, ...raw })));
      show(
        `${kind} · ${dataset.name}`,
        [...describeDataset(dataset, ofGaia), ...fieldFacts(good), shape],
        print,
      );
      const isHidden = hidesRecords(config);
      if (read !== undefined && isHidden)
        throw new Error('--read shows outputs, which CI hides. Set EVAL_SHOW_GATED=1 to see them.');
      if (read !== undefined) await showReadings(read, kind, dataset.samples, print);
      else if (!isHidden) showSamples(dataset.samples.slice(0, SHOWN), print);
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

function parseArguments(
  args: readonly string[],
  env: CommandContext['env'],
): Readonly<{
  path: string;
  as: SuiteKind | undefined;
  read: string | undefined;
}> {
  const options = { as: { type: 'string' }, read: { type: 'string' } } as const;
  const { values, positionals } = parseWords(args, options, true);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new UsageError(`Expected one file or folder, got ${positionals.length}.`);
  }
  if (EVAL_FILE.test(path)) {
    const dryRun = `EVAL_DRY_RUN=1 ${toCommand(`vitest run ${path}`, { env })}`;
    throw new UsageError(
      `${path} is an eval file: check its data, or see what it would ask with ${dryRun}`,
    );
  }
  const { as, read } = values;
  if (as === undefined || as === 'gaia' || as === 'mcq' || as === 'records')
    return { path, as, read };
  throw new UsageError(`--as must be gaia, mcq or records, got ${quote(as)}.`);
}

/** How many records are shown as the agent sees them. */
const SHOWN = 3;

function showSamples(samples: readonly Sample[], print: CommandContext['print']): void {
  for (const sample of samples) {
    const files = sample.attachments.map(({ name }) => name).join(', ');
    const expected = sample.target === null ? 'hidden' : `expected ${showValue(sample.target)}`;
    print('');
    print(escapeLine(`  ${sample.id} (${expected}${files === '' ? '' : `; ${files}`})`));
    for (const line of fillPrompt(sample, DEFAULT_PROMPT).split('\n').slice(0, 20))
      print(escapeLine(`    ${line}`, 300));
  }
}

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
