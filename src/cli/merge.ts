import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { listCalibrations } from '../../reporters/describe-end.ts';
import { readGithubJob } from '../../reporters/github-job.ts';
import { publishRun } from '../../reporters/publish-run.ts';
import { drawLine, findTerminal } from '../../reporters/terminal.ts';
import { readRegular } from '../data/files/read-file.ts';
import { type ComparedRun, readBaseline } from '../figures/compare-runs.ts';
import { evaluate } from '../figures/evaluate-run.ts';
import { parseGates } from '../figures/gates.ts';
import { findKnownCalibrations } from '../figures/stored-calibrations.ts';
import { type EvalConfig, readSettings } from '../settings.ts';
import { checkAlike } from '../store/compare-shards.ts';
import { findRun } from '../store/find-run.ts';
import { describeGates, findNewest, mergeShards } from '../store/merge.ts';
import { toKeyedTrials, toRun } from '../store/run-reader.ts';
import { RunWriter } from '../store/run-writer.ts';
import { pickShards, type ShardRun } from '../store/shards.ts';
import { omitNullish } from '../words/fields.ts';
import type { GateScope } from '../words/figures.ts';
import { readSecrets } from '../words/read-secrets.ts';
import { lineIf, quote, tryOrUndefined } from '../words/show.ts';
import { type Command, parseWords, RUN_HELP, UsageError } from './command.ts';

/** `viva merge RUN...`: makes one run of the runs of shards, and judges its gates. Asks nobody. */
export const merge: Command = {
  usage: `RUN...${RUN_HELP}
  The newest run of each shard counts; anything that is not a shard is left out.
  Gates: those of the shards, EVAL_MIN_ACCURACY and EVAL_BASELINE`,
  page: 'ci.md#split-a-run-over-machines',
  run: async ({ args, env, print, write }) => {
    const { positionals } = parseWords(args, {}, true);
    if (positionals.length === 0) throw new UsageError('Expected the runs of shards, got none.');
    const config = readSettings(env, ['dir', 'showGated', 'minAccuracy', 'baseline']);
    const { dir, ci, showGated } = config;
    const terminal = findTerminal();
    const printNotes = (lines: readonly string[]) => {
      for (const line of lines) print(drawLine(line, 'note', terminal, '').trimEnd());
    };
    const { runs, notes } = pickShards(positionals.map((text) => find(text, dir)));
    printNotes(notes);
    checkAlike(runs);
    const baseline = findBaseline(config, runs);
    const minAccuracy = omitNullish({ minAccuracy: config.minAccuracy });
    const settings = { dir, ci, showGated, ...minAccuracy, baseline: baseline.name };
    const files = mergeShards(runs, dir, settings, new Date());
    printNotes([...describeGates(runs), ...describeOwnGates(files.end.gates), ...baseline.notes]);
    const calibrationOf = findKnownCalibrations(dir, files.manifest, runs);
    const calibrations = listCalibrations(files.rows, calibrationOf);
    const ended = { ...files, end: { ...files.end, calibrations } };
    const run = toRun(ended, toKeyedTrials(ended));
    const outcome = evaluate(run, { calibrationOf, baseline: baseline.run });
    new RunWriter(files.folder).makeLatest();
    const log = (text: string) => write(`${text}\n`);
    const audience = { github: readGithubJob(env), secrets: readSecrets(env), log };
    return publishRun(outcome, audience).code ?? 1;
  },
};

/** The run that a word names. Throws for a pattern that the shell has left as it is. */
function find(text: string, dir: string): string {
  if (existsSync(text) || !/[*?[{]/.test(text)) return findRun(text, dir, 'RUN');
  throw new Error(
    `No folder has the name ${quote(text)}: no run matches this pattern, or the shell did not expand it.\n` +
      'Copy the run folders of the shards here, or name them.',
  );
}

type Baseline = Readonly<{
  /** As a setting has it. */
  name: string | null;
  run: ComparedRun | null;
  notes: readonly string[];
}>;

/** The baseline of the merge, or else that of the shards, if it is here. */
function findBaseline(config: EvalConfig, runs: readonly ShardRun[]): Baseline {
  if (config.baseline !== null)
    return { name: config.baseline, run: readOther(config, runs), notes: [] };
  const { baseline: name = null } = findNewest(runs).manifest.config;
  if (typeof name !== 'string') return { name: null, run: null, notes: [] };
  const run = tryOrUndefined(() => readOther({ ...config, baseline: name }, runs));
  if (run !== undefined) return { name, run, notes: [] };
  const note = `the shards had EVAL_BASELINE=${name}, which is not an earlier run here: nothing is compared`;
  return { name: null, run: null, notes: [`${note}. Set EVAL_BASELINE for the merge.`] };
}

/** Throws for a shard of this merge, as "latest" often is. */
function readOther(config: EvalConfig, runs: readonly ShardRun[]): ComparedRun | null {
  const baseline = readBaseline(config);
  if (baseline === null || runs.every(({ folder }) => folder !== baseline.folder)) return baseline;
  const problem = `EVAL_BASELINE names a shard of this merge, ${quote(baseline.name)}`;
  throw new Error(`${problem}. Name an earlier run, or leave EVAL_BASELINE out.`);
}

const GATES = 'evals/gates.json';

/** A gates file that the shards did not have must not seem to count. */
function describeOwnGates(gates: readonly GateScope[]): readonly string[] {
  if (!existsSync(GATES)) return [];
  const read = () => parseGates(JSON.parse(readRegular(GATES).toString('utf8')), GATES);
  const differs = !isDeepStrictEqual(tryOrUndefined(read), gates);
  const how = 'Run the shards again with it: cached answers are not asked again.';
  return lineIf(differs, `${GATES} here differs from the gates of the shards, which count. ${how}`);
}
