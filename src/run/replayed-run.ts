import { wasAsked } from '../states.ts';
import { hasManifest, readManifest } from '../store/manifest.ts';
import { readRun } from '../store/stored-run.ts';
import type { Sample } from '../types.ts';
import { type AgentLane, listAgents } from './lanes.ts';
import type { ReadyRun } from './provided-run.ts';

/** What may be selected, and the run's settings with the trials of what it replays. */
type Replayed<T> = Readonly<{ run: T; samples: readonly Sample[] }>;

/**
 * Limits a run to the questions and trials of the runs that it replays: all others would be missing.
 * Every other run stays as it is.
 */
export function limitToReplayed<T extends Pick<ReadyRun, 'config'>>(
  run: T,
  suite: string,
  samples: readonly Sample[],
): Replayed<T> {
  const { config } = run;
  const specs = config.agents ?? [];
  const isOfRuns = specs.every(
    ({ kind, target }) => kind === 'replay' && target !== '' && hasManifest(target),
  );
  const asked = isOfRuns ? specs.map(({ target }) => readAsked(target, suite)) : [];
  const ids = new Set(asked.flatMap((one) => one.ids));
  const own = samples.filter(({ id }) => ids.has(id));
  // The agent then says what is wrong.
  if (own.length === 0) return { run, samples };
  const trials = config.trialsSet ? config.trials : Math.min(...asked.map((one) => one.trials));
  return { run: { ...run, config: { ...config, trials } }, samples: own };
}

/**
 * The run with all trials that predictions have of every question, unless EVAL_TRIALS says how many
 * to grade.
 */
export function gradeRecordedTrials<T extends Pick<ReadyRun, 'config'>>(
  run: T,
  lanes: readonly AgentLane[],
  samples: readonly Sample[],
): T {
  const agents = listAgents(lanes);
  if (run.config.trialsSet || agents.some(({ lacksTrial }) => lacksTrial === undefined)) return run;
  const isComplete = (trial: number) =>
    agents.every(({ lacksTrial }) => samples.every(({ id }) => lacksTrial?.(id, trial) === false));
  const most = Math.min(...agents.map(({ trials = 1 }) => trials));
  let trials = run.config.trials;
  while (trials < most && isComplete(trials + 1)) trials += 1;
  return { ...run, config: { ...run.config, trials } };
}

function readAsked(folder: string, suite: string) {
  const entry = readManifest(folder).suites.find((other) => other.suite === suite);
  const rows = readRun(folder, {}).rows.filter((row) => row.suite === suite && wasAsked(row));
  return {
    ids: entry?.questions.map(({ id }) => id) ?? [],
    trials: rows.reduce((most, { trial }) => Math.max(most, trial), 1),
  };
}
