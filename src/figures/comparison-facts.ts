import { isDeepStrictEqual } from 'node:util';
import type { AgentConditions, JudgeFacts } from '../store/manifest.ts';
import { hasRun, type SampleResult } from '../words/row.ts';
import type { Shard } from '../words/sample.ts';
import { lineIf, listIds, plural } from '../words/show.ts';
import { listCriteria } from './judge-calibration.ts';
import type { Comparison } from './paired-comparison.ts';

/**
 * The results of one agent, with one prompt, in one suite of a run: one variant of a comparison.
 */
export type ComparedVariant = Readonly<{
  suite: string;
  dataset: string;
  agent: string;
  prompt?: string;
  /** Name of the run folder, or of the watch run in watch mode. */
  run: string;
  dataset_hash: string;
  /** "" where the prompt is not known, as that of predictions. */
  prompt_hash: string;
  /** Null if the run has lost its prompt. */
  prompt_text: string | null;
  trials: number;
  /** The field that names clusters, as the manifest has it. */
  clustered_by?: string | undefined;
  /** Whether its suite has answers judged in pairs. */
  prefers?: boolean;
  /** Version of viva's graders. */
  grader: number;
  /** The matcher that judged; null for a score of the suite's own. */
  matcher: string | null;
  /**
   * What the agent's answers depend on; null if the manifest does not say. The limits of a replay
   * are those of the run that it repeats.
   */
  conditions: Pick<
    AgentConditions,
    'fingerprint' | 'cache_key' | 'deadlines' | 'timeout_seconds' | 'max_steps' | 'recorded_prompt'
  > | null;
  /** The model that plays the users of its conversations; null without one. */
  user: string | null;
  /** The judges of its suite; absent if they are not known yet. */
  judges?: readonly JudgeFacts[];
  /** As in `--shard=1/4`; null for a whole run. */
  shard: Shard | null;
  /** Whether answers must not be shown. */
  hidden: boolean;
  /** One for each selected trial. */
  results: readonly SampleResult[];
}>;

/** Two variants, and the ids that are in no figure of their comparison. */
type Compared = Readonly<{
  a: ComparedVariant;
  b: ComparedVariant;
  unpaired: Comparison['unpaired'];
  changed: readonly string[];
}>;

type FactKind = Readonly<{
  name: string;
  /**
   * True if it makes the figures less certain or leaves questions out of them: it is always shown.
   * False if it may be the cause of a difference: the terminal leaves it out after a run.
   */
  caveat: boolean;
  /** How the line of a watch run names it. */
  edit?: string;
  /** A sentence, or null if A and B do not differ in it. */
  tell(compared: Compared): string | null;
}>;

/**
 * What two compared variants may differ in, besides their answers, in the order in which it is
 * shown. To add a fact, add an entry.
 */
const FACTS = [
  {
    name: 'dataset',
    caveat: true,
    edit: 'the dataset changed',
    tell: ({ a, b }) =>
      a.dataset_hash === b.dataset_hash
        ? null
        : 'The datasets differ: only questions that are the same in both are compared.',
  },
  {
    name: 'order_of_options',
    caveat: true,
    tell: ({ a, b }) =>
      isReordered(a, b)
        ? `The options had another order (EVAL_SHUFFLE_CHOICES: ${showBoth(findSeed(a.results), findSeed(b.results))}).`
        : null,
  },
  {
    name: 'changed_questions',
    caveat: true,
    tell: ({ changed }) =>
      tellLeftOut(changed, 'their text, options, expected answer, criterion or cluster changed'),
  },
  {
    name: 'only_a',
    caveat: true,
    tell: ({ b, unpaired }) => tellLeftOut(unpaired.only_a, `only in A${nameShard('B', b)}`),
  },
  {
    name: 'only_b',
    caveat: true,
    tell: ({ a, unpaired }) => tellLeftOut(unpaired.only_b, `only in B${nameShard('A', a)}`),
  },
  {
    name: 'unfinished',
    caveat: true,
    tell: ({ unpaired }) => tellLeftOut(unpaired.unfinished, 'not finished in both runs'),
  },
  {
    name: 'ungraded',
    caveat: false,
    tell: ({ unpaired }) => tellLeftOut(unpaired.ungraded, 'without an expected answer'),
  },
  {
    name: 'same_answers',
    caveat: true,
    tell: (compared) => {
      const { count, of } = countSameAnswers(compared);
      const subject = `${count} of ${plural(of, 'answer')} of B ${count === 1 ? 'is' : 'are'}`;
      return count === 0
        ? null
        : `${subject} the very answers of A, by the cache or a replay: p and the interval do not show how its answers vary. EVAL_CACHE=refresh asks again.`;
    },
  },
  {
    name: 'trials',
    caveat: true,
    tell: ({ a, b }) =>
      a.trials === b.trials
        ? null
        : `The runs differ in trials of each question: ${showBoth(a.trials, b.trials)}.`,
  },
  {
    name: 'replaced_tools',
    caveat: true,
    tell: ({ a, b }) => {
      const [before, after] = [a, b].map(({ results }) => nameReplacedTools(results));
      return before === after
        ? null
        : `The runs differ in who answered for tools: ${before} in A, ${after} in B.`;
    },
  },
  {
    name: 'grading',
    caveat: true,
    tell: ({ a, b }) => {
      const differ = tellDifference('what graded them', nameGrader(a), nameGrader(b));
      return differ && `${differ} EVAL_AGENT=replay:RUN grades the answers of a run again.`;
    },
  },
  {
    name: 'prompt',
    caveat: false,
    edit: 'the prompt changed',
    tell: ({ a, b }) =>
      a.prompt_hash === b.prompt_hash || a.prompt_hash === '' || b.prompt_hash === ''
        ? null
        : 'The prompts differ.',
  },
  {
    name: 'agent',
    caveat: false,
    edit: 'the agent changed',
    tell: ({ a, b }) => {
      const [before, after] = [a.conditions, b.conditions];
      const isSame =
        before?.fingerprint === after?.fingerprint && before?.cache_key === after?.cache_key;
      return isSame || before === null || after === null || a.agent !== b.agent
        ? null
        : `The code, parameters, tools or EVAL_CACHE_KEY of ${b.agent} differ.`;
    },
  },
  {
    name: 'predictions',
    caveat: false,
    edit: 'the predictions changed',
    tell: ({ a, b }) =>
      a.agent === b.agent && areOtherPredictions(a, b)
        ? `The predictions of ${b.agent} differ.`
        : null,
  },
  {
    name: 'deadline',
    caveat: false,
    edit: 'the deadline changed',
    tell: ({ a, b }) => {
      const [first, second] = [a, b].map(({ conditions }) => conditions?.timeout_seconds ?? null);
      const isOther = haveOtherDeadlines(a, b);
      return (
        tellDifference('EVAL_TIMEOUT', first, second) ?? (isOther ? 'The deadlines differ.' : null)
      );
    },
  },
  {
    name: 'step_limit',
    caveat: false,
    edit: 'the step limit changed',
    tell: ({ a, b }) => {
      const [first, second] = [a, b].map(({ conditions }) => conditions?.max_steps ?? null);
      return tellDifference('EVAL_MAX_STEPS', first, second);
    },
  },
  {
    name: 'user',
    caveat: false,
    tell: ({ a, b }) => tellDifference('who plays users', a.user, b.user),
  },
] as const satisfies readonly FactKind[];

/** What two variants differ in, as JSON has it. */
export type Fact = Readonly<{
  name: (typeof FACTS)[number]['name'];
  /** Whether it makes the figures less certain or leaves questions out of them. */
  caveat: boolean;
  /** One sentence. */
  text: string;
}>;

/** What two variants differ in, besides their answers. */
export function listFacts(compared: Compared): readonly Fact[] {
  return FACTS.flatMap(({ name, caveat, tell }) => {
    const text = tell(compared);
    return text === null ? [] : [{ name, caveat, text }];
  });
}

/** What was edited between two watch runs: "the prompt changed, the agent changed"; "" for nothing. */
export function nameEdits(facts: readonly Fact[]): string {
  const names = new Set(facts.map(({ name }) => name));
  return FACTS.flatMap((kind) => ('edit' in kind && names.has(kind.name) ? kind.edit : [])).join(
    ', ',
  );
}

function tellLeftOut(ids: readonly string[], why: string): string | null {
  const subject = plural(ids.length, 'question is', 'questions are');
  return ids.length === 0 ? null : `${subject} not compared (${why}): ${listIds(ids, 240)}`;
}

function nameShard(name: string, { shard }: ComparedVariant): string {
  return shard === null ? '' : `; ${name} is shard ${shard.index} of ${shard.count}`;
}

/** Whether recordings or mocks answered for tools in any result. */
function nameReplacedTools(results: readonly SampleResult[]): string {
  const counts = results.flatMap(({ tool_calls }) => tool_calls ?? []);
  const names = [
    ...lineIf(
      counts.some(({ replayed }) => replayed > 0),
      'recordings',
    ),
    ...lineIf(
      counts.some(({ mocked }) => mocked > 0),
      'mocks',
    ),
  ];
  return names.join(' and ') || 'nobody';
}

type Shown = string | number | null | undefined;

function tellDifference(what: string, a: Shown, b: Shown): string | null {
  return a === b ? null : `The runs differ in ${what}: ${showBoth(a, b)}.`;
}

function showBoth(a: Shown, b: Shown): string {
  return `${a ?? 'not set'} in A, ${b ?? 'not set'} in B`;
}

function nameGrader({ matcher, grader }: ComparedVariant): string {
  return `${matcher ?? 'a score of the suite'} with version ${grader} of the graders`;
}

/** In a group that both asked: a run lists the groups of its own selection. */
function haveOtherDeadlines(a: ComparedVariant, b: ComparedVariant): boolean {
  const before = new Map(a.conditions?.deadlines ?? []);
  return (b.conditions?.deadlines ?? []).some(
    ([group, seconds]) => (before.get(group) ?? seconds) !== seconds,
  );
}

/** An agent without a fingerprint replays a recording: other answers mean another recording. */
function areOtherPredictions(a: ComparedVariant, b: ComparedVariant): boolean {
  if (a.conditions === null || b.conditions?.fingerprint !== null) return false;
  const keyOf = ({ id, trial, question_hash }: SampleResult) =>
    JSON.stringify([id, trial, question_hash]);
  const before = new Map(a.results.map((row) => [keyOf(row), row]));
  return b.results.some((row) => {
    const old = before.get(keyOf(row));
    return (
      old !== undefined && (!isDeepStrictEqual(old.output, row.output) || old.reason !== row.reason)
    );
  });
}

/**
 * How many answers to the compared questions are the same measurement in both. One answer says nothing of how answers vary,
 * which is what p and the interval are for.
 */
function countSameAnswers({ a, b, unpaired, changed }: Compared) {
  const leftOut = new Set([...changed, ...Object.values(unpaired).flat()]);
  const compared = b.results.filter(({ id }) => !leftOut.has(id));
  const keyOf = ({ id, trial }: SampleResult) => JSON.stringify([id, trial]);
  const earlier = new Map(a.results.map((row) => [keyOf(row), row]));
  const isReplayed = [a, b].some(({ conditions }) => conditions?.recorded_prompt !== undefined);
  const same = compared.filter((row) => {
    const other = earlier.get(keyOf(row));
    // An agent that answers at once may answer twice alike in one millisecond.
    return (
      other !== undefined &&
      (row.cached || other.cached || isReplayed) &&
      row.answered_at !== null &&
      row.answered_at === other.answered_at &&
      isDeepStrictEqual(row.output, other.output)
    );
  });
  return { count: same.length, of: compared.length };
}

/**
 * Ids that both runs have, but with another question or expected answer: their verdicts cannot be
 * compared.
 */
export function findChangedQuestions(
  a: readonly SampleResult[],
  b: readonly SampleResult[],
): ReadonlySet<string> {
  // The row of a trial that was not run does not say what was asked.
  const before = new Map(a.filter(hasRun).map((row) => [row.id, row]));
  const changed = b.filter(hasRun).filter((row) => {
    const earlier = before.get(row.id);
    return earlier !== undefined && !isSame(earlier, row);
  });
  return new Set(changed.map(({ id }) => id));
}

function isSame(a: SampleResult, b: SampleResult): boolean {
  // A score ends at the first criterion that fails, so one row may have fewer.
  const [fewer, more] = [a, b]
    .map((row) => new Set(listCriteria(row).map(({ criterion }) => criterion)))
    .sort((one, other) => one.size - other.size);
  const sameCriterion = fewer === undefined || more === undefined || fewer.isSubsetOf(more);
  const sameCluster =
    [a, b].some(({ cluster }) => cluster === undefined) || a.cluster === b.cluster;
  return (
    sameCriterion &&
    sameCluster &&
    isDeepStrictEqual(a.target, b.target) &&
    a.question_hash === b.question_hash
  );
}

/** The seed with which a run shuffled options; null if it used the dataset's order. */
function findSeed(results: readonly SampleResult[]): number | null {
  return results.find(({ presented }) => presented !== undefined)?.presented?.seed ?? null;
}

function isReordered(a: ComparedVariant, b: ComparedVariant): boolean {
  return findSeed(a.results) !== findSeed(b.results);
}
