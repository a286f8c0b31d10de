import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type EvalConfig, readConfig } from '../../config.ts';
import { gaiaLayouts } from '../../datasets/gaia/layouts/index.ts';
import { loadGaia } from '../../datasets/gaia/load-gaia.ts';
import { locateGaia } from '../../datasets/gaia/locate.ts';
import { readHubSettings } from '../../datasets/hub/hub-settings.ts';
import { isHubSource } from '../../datasets/hub/hub-source.ts';
import { isMcq, loadMcq } from '../../datasets/mcq/load-mcq.ts';
import { unknownLayout } from '../../datasets/unknown-layout.ts';
import { hidesRecords } from '../../hides-records.ts';
import { readRecords } from '../../records/read-records.ts';
import { RecordError } from '../../records/record-error.ts';
import type { RawRecord } from '../../records/record-file.ts';
import { toVisible } from '../../text/visible-text.ts';
import type { Dataset } from '../../types.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { commonFacts, type Fact, fieldFacts } from './facts.ts';
import { gaiaFacts } from './gaia-facts.ts';
import { mcqFacts } from './mcq-facts.ts';

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
  print(toVisible(title));
  print('');
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts) print(`  ${name.padEnd(width)}  ${toVisible(text, 1000)}`);
}
