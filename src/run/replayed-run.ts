import type { AgentSpec } from '../agents/spec.ts';
import { listCriteria } from '../figures/judge-calibration.ts';
import { PREFERENCE, toReplyForm } from '../judge/reply-form.ts';
import { writeVerdict } from '../judge/verdict.ts';
import type { EvalConfig } from '../settings.ts';
import type { CacheKey } from '../store/cache.ts';
import { hasManifest, readManifest } from '../store/manifest.ts';
import { readRun } from '../store/run-reader.ts';
import type { Answer, Outcome } from '../words/answer.ts';
import { type CriterionVerdicts, type SampleResult, wasAsked } from '../words/row.ts';
import type { Sample } from '../words/sample.ts';
import { type AgentLane, listAgents } from './lanes.ts';

/** The questions of a suite that replayed runs asked, and how often. */
type Replayed = Readonly<{
  samples: readonly Sample[];
  trials: number;
  /** The ids that EVAL_IDS left out of all of them. */
  leftOut: readonly string[];
}>;

/**
 * What the runs asked that all agents replay: all else would be missing. Null where an agent replays
 * no run, or the runs have none of these questions, which the agent then refuses.
 */
export function readReplayed(
  agents: readonly AgentSpec[],
  suite: string,
  samples: readonly Sample[],
): Replayed | null {
  const isOfRuns = agents.every(
    ({ kind, target }) => kind === 'replay' && target !== '' && hasManifest(target),
  );
  const runs = isOfRuns ? agents.map(({ target }) => readAskedQuestions(target, suite)) : [];
  const ids = new Set(runs.flatMap(({ ids }) => ids));
  const replayed = samples.filter(({ id }) => ids.has(id));
  if (replayed.length === 0) return null;
  const isLeftOut = (id: string) => !ids.has(id) && runs.every((run) => run.leftOut.includes(id));
  const leftOut = samples.flatMap(({ id }) => (isLeftOut(id) ? [id] : []));
  return { samples: replayed, trials: Math.min(...runs.map(({ trials }) => trials)), leftOut };
}

/**
 * How often each question is asked: as EVAL_TRIALS says, else as often as the replayed runs did, else
 * as the suite says. Predictions are graded with all trials that they have of every question.
 */
export function countTrials(
  { trials, trialsSet }: Pick<EvalConfig, 'trials' | 'trialsSet'>,
  ofSuite: number | undefined,
  replayed: Replayed | null,
  lanes: readonly AgentLane[],
  samples: readonly Sample[],
): number {
  if (trialsSet) return trials;
  const least = replayed?.trials ?? ofSuite ?? trials;
  const agents = listAgents(lanes);
  if (agents.some(({ lacksTrial }) => lacksTrial === undefined)) return least;
  const isComplete = (trial: number) =>
    agents.every(({ lacksTrial }) => samples.every(({ id }) => lacksTrial?.(id, trial) === false));
  const most = Math.min(...agents.map((agent) => agent.trials ?? 1));
  let count = least;
  while (count < most && isComplete(count + 1)) count += 1;
  return count;
}

function readAskedQuestions(folder: string, suite: string) {
  const entry = readManifest(folder).suites.find((other) => other.suite === suite);
  const rows = readRun(folder, {}).rows.filter((row) => row.suite === suite && wasAsked(row));
  return {
    ids: entry?.questions.map(({ id }) => id) ?? [],
    leftOut: entry?.excluded?.ids ?? [],
    trials: rows.reduce((most, { trial }) => Math.max(most, trial), 1),
  };
}

type VerdictKey = Pick<CacheKey, 'agent' | 'prompt' | 'question' | 'trial'>;

/** Identifies a verdict by all that it depends on. */
export function keyOfVerdict({ agent, prompt, question, trial }: VerdictKey): string {
  return JSON.stringify([agent, prompt, question, trial]);
}

/**
 * The verdicts of the runs that agents replay, by their keys: only a verdict that is missing there
 * is asked for.
 */
export function readVerdicts(
  agents: readonly AgentSpec[],
  suite: string,
): ReadonlyMap<string, Outcome> {
  const runs = agents.flatMap(({ kind, target }) =>
    kind === 'replay' && target !== '' ? [target] : [],
  );
  return new Map(runs.filter(hasManifest).flatMap((run) => listVerdicts(run, suite)));
}

function listVerdicts(
  run: string,
  suite: string,
): readonly (readonly [key: string, outcome: Outcome])[] {
  const { judges = [], prefer } =
    readManifest(run).suites.find((entry) => entry.suite === suite) ?? {};
  // The manifest says what a judge was; another one may have the same name.
  const all = [...judges, ...(prefer?.judges ?? [])];
  const fingerprints = new Map(all.map(({ judge, fingerprint }) => [judge, fingerprint]));
  const rows = all.length === 0 ? [] : readRun(run, {}).rows.filter((row) => row.suite === suite);
  const ofPairs = rows.flatMap((row) => listPairVerdicts(row, fingerprints));
  const ofAnswers = rows.flatMap((row) =>
    listCriteria(row).flatMap((criterion, _, all) =>
      criterion.models.flatMap((name, index) => {
        const [agent, outcome] = [
          fingerprints.get(name),
          toVerdictOutcome(row, criterion, index, all),
        ];
        const { asked_hash: question, prompt_hash: prompt } = criterion;
        if (agent === undefined || question === undefined || outcome === null) return [];
        return [[keyOfVerdict({ agent, prompt, question, trial: 1 }), outcome] as const];
      }),
    ),
  );
  return [...ofAnswers, ...ofPairs];
}

/** The verdicts on pairs of answers, each with an equal share of their costs. */
function listPairVerdicts(row: SampleResult, fingerprints: ReadonlyMap<string, string>) {
  return (row.pairs ?? []).flatMap(
    ({ models, verdicts, reasons, asked_hashes, prompt_hash: prompt, cost_usd }) =>
      models.flatMap((name, index) =>
        asked_hashes.flatMap((question, order) => {
          const agent = fingerprints.get(name);
          const [verdict, reason] = [verdicts[index]?.[order], reasons[index]?.[order] ?? ''];
          if (agent === undefined || verdict === undefined) return [];
          if (verdict === 'error' || verdict === 'not_asked') return [];
          const cost = cost_usd === null ? {} : { costUsd: cost_usd / (2 * models.length) };
          const answer = { output: writeVerdict({ reason, verdict }, PREFERENCE), ...cost };
          const key = keyOfVerdict({ agent, prompt, question, trial: 1 });
          return [[key, toKnownOutcome(row, answer)] as const];
        }),
      ),
  );
}

/**
 * The verdict of one judge. A row has the cost of all verdicts together, so each gets an equal
 * share.
 */
function toVerdictOutcome(
  row: SampleResult,
  { verdicts, reasons, scale }: CriterionVerdicts,
  index: number,
  all: readonly CriterionVerdicts[],
): Outcome | null {
  const { judge } = row;
  const [verdict, reason] = [verdicts[index] ?? 'error', reasons[index] ?? ''];
  if (judge === undefined || verdict === 'error') return null;
  const count = all.reduce((sum, { models }) => sum + models.length, 0);
  const cost = judge.cost_usd === null ? {} : { costUsd: judge.cost_usd / count };
  return toKnownOutcome(row, {
    output: writeVerdict({ reason, verdict }, toReplyForm(scale)),
    ...cost,
  });
}

function toKnownOutcome({ started_at, answered_at }: SampleResult, answer: Answer): Outcome {
  const times = { started_at: started_at ?? '', answered_at: answered_at ?? '', latency_ms: null };
  return { ...times, attempts: 1, cached: true, outcome: 'answered', answer };
}
