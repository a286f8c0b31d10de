import { isDeepStrictEqual } from 'node:util';
import type { Comparison } from '../figures/compare.ts';
import { listCriteria } from '../figures/judge-calibration.ts';
import type { AgentConditions, JudgeFacts } from '../store/manifest.ts';
import { hasRun, type SampleResult } from '../words/row.ts';
import type { Shard } from '../words/sample.ts';
import { lineIf, plural } from '../words/show.ts';

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
  prompt_hash: string;
  /** Null if the run has lost its prompt. */
  prompt_text: string | null;
  trials: number;
  /** The settings that may change an answer, as in the manifest. */
  settings: Readonly<Record<string, unknown>>;
  /** What the agent's answers depend on, hashed; null if the manifest does not say. */
  conditions: Pick<
    AgentConditions,
    'fingerprint' | 'cache_key' | 'deadlines' | 'max_steps' | 'recorded_prompt'
  > | null;
  /** The judges of its suite; absent if they are not known yet. */
  judges?: readonly JudgeFacts[];
  /** As in `--shard=1/4`; null for a whole run. */
  shard: Shard | null;
  /** Whether answers must not be shown. */
  hidden: boolean;
  /** One for each selected trial. */
  results: readonly SampleResult[];
}>;

/** Settings that may change an agent's answers: the name in the manifest, then the user's name. */
export const SETTING_NAMES: Readonly<Record<string, string>> = {
  timeoutSeconds: 'EVAL_TIMEOUT',
  maxSteps: 'EVAL_MAX_STEPS',
  shuffleChoices: 'EVAL_SHUFFLE_CHOICES',
  cacheKey: 'EVAL_CACHE_KEY',
  user: 'who plays users',
};

/** What else runs may differ in, as a sentence names it. */
const FACTS: readonly (readonly [what: string, read: (variant: ComparedVariant) => unknown])[] = [
  ['the name of the dataset', ({ dataset }) => dataset],
  ['the models', (variant) => listModels(variant).join(' and ') || 'unknown'],
  ...Object.entries(SETTING_NAMES).map(
    ([key, name]) => [name, ({ settings }: ComparedVariant) => settings[key] ?? null] as const,
  ),
];

/** What is not compared, and why the figures of a comparison are less certain, a sentence each. */
export function describeDifferences(
  a: ComparedVariant,
  b: ComparedVariant,
  { unpaired: { only_a, only_b, unfinished } }: Comparison,
  changed: readonly string[],
): readonly string[] {
  const isReordered = findSeed(a.results) !== findSeed(b.results);
  const isEdited = a.dataset_hash !== b.dataset_hash && !isReordered;
  const reordered =
    'The options had another order: questions are matched by id, expected answer and number of options.';
  return [
    ...lineIf(
      isEdited,
      'The datasets differ: only questions that are the same in both are compared.',
    ),
    ...lineIf(isReordered, reordered),
    ...ofBoth(a, b, ({ shard }) =>
      shard === null ? null : `is shard ${shard.index} of ${shard.count}.`,
    ),
    ...describeIds(changed, 'their text, options, expected answer or criterion changed'),
    ...describeIds(only_a, 'only in A'),
    ...describeIds(only_b, 'only in B'),
    ...describeIds(unfinished, 'not finished in both runs, or without an expected answer'),
    ...describeShared(a, b),
    ...lineIf(
      a.trials !== b.trials,
      `The runs differ in trials of each question, so p is approximate: ${a.trials} in A, ${b.trials} in B.`,
    ),
  ];
}

/** What else differs between two variants, besides their answers, a sentence each. */
export function describeConditions(a: ComparedVariant, b: ComparedVariant): readonly string[] {
  const isAgentEdited = a.agent === b.agent && findChanges(a, b).includes('agent');
  // That of predictions is not known.
  const isKnown = a.prompt_hash !== '' && b.prompt_hash !== '';
  return [
    ...lineIf(a.prompt_hash !== b.prompt_hash && isKnown, 'The prompts differ.'),
    ...ofBoth(a, b, (variant) => {
      if (variant.prompt_hash === '') return 'replays predictions, so its prompt is not known.';
      if (a.prompt_hash === b.prompt_hash || variant.prompt_text !== null) return null;
      return 'has lost its prompt: prompts/ lacks it.';
    }),
    ...lineIf(isAgentEdited, `The code, parameters or tools of ${b.agent} differ.`),
    ...FACTS.flatMap(([what, read]) => {
      const [shownA, shownB] = [a, b].map(read).map(showFact);
      return lineIf(
        shownA !== shownB,
        `The runs differ in ${what}: ${shownA} in A, ${shownB} in B.`,
      );
    }),
  ];
}

function describeIds(ids: readonly string[], why: string): readonly string[] {
  const subject = plural(ids.length, 'question is', 'questions are');
  return lineIf(ids.length > 0, `${subject} not compared (${why}): ${listIds(ids, 240)}`);
}

/**
 * One answer in both runs says nothing of how answers vary, which is what p and the interval are
 * for.
 */
function describeShared(a: ComparedVariant, b: ComparedVariant): readonly string[] {
  const keyOf = ({ id, trial }: SampleResult) => JSON.stringify([id, trial]);
  const earlier = new Map(a.results.map((row) => [keyOf(row), row]));
  const isReplayed = [a, b].some(({ conditions }) => conditions?.recorded_prompt !== undefined);
  const shared = b.results.filter((row) => {
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
  const subject = `${shared.length} of ${plural(b.results.length, 'answer')} of B ${shared.length === 1 ? 'is' : 'are'}`;
  const meaning =
    'p and the interval do not show how its answers vary. EVAL_CACHE=refresh asks again.';
  return lineIf(
    shared.length > 0,
    `${subject} the very answers of A, by the cache or a replay: ${meaning}`,
  );
}

function showFact(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? 'not set' : JSON.stringify(value);
}

/** The models that a variant's rows name, in alphabetical order. */
export function listModels({ results }: ComparedVariant): readonly string[] {
  return [...new Set(results.map(({ model }) => model).filter((model) => model !== null))].sort();
}

function ofBoth(
  a: ComparedVariant,
  b: ComparedVariant,
  describe: (variant: ComparedVariant) => string | null,
): readonly string[] {
  const texts = { A: describe(a), B: describe(b) };
  return Object.entries(texts).flatMap(([name, text]) =>
    text === null ? [] : [`${name} ${text}`],
  );
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
  const isReordered = findSeed(a) !== findSeed(b);
  const changed = b.filter(hasRun).filter((row) => {
    const earlier = before.get(row.id);
    return earlier !== undefined && !isSame(earlier, row, isReordered);
  });
  return new Set(changed.map(({ id }) => id));
}

/**
 * The hash of a question covers the order of its options. Where options were reordered, only the
 * expected answer (in the dataset's own labels) and their number can be compared.
 */
function isSame(a: SampleResult, b: SampleResult, isReordered: boolean): boolean {
  const sameOptions = isReordered && a.options !== undefined && a.options === b.options;
  // A score ends at the first criterion that fails, so one row may have fewer.
  const [fewer, more] = [a, b]
    .map((row) => new Set(listCriteria(row).map(({ criterion }) => criterion)))
    .sort((one, other) => one.size - other.size);
  const sameCriterion = fewer === undefined || more === undefined || fewer.isSubsetOf(more);
  return (
    sameCriterion &&
    isDeepStrictEqual(a.target, b.target) &&
    (a.question_hash === b.question_hash || sameOptions)
  );
}

/** The seed with which a run shuffled options; null if it used the dataset's order. */
function findSeed(results: readonly SampleResult[]): number | null {
  return results.find(({ presented }) => presented !== undefined)?.presented?.seed ?? null;
}

const CHANGES = ['prompt', 'agent', 'predictions', 'dataset', 'limits'] as const;

/** What may have been edited between two runs. */
export type Change = (typeof CHANGES)[number];

/** What was edited between two variants of the same agent, if both manifests say so. */
export function findChanges(a: ComparedVariant, b: ComparedVariant): readonly Change[] {
  const [before, after] = [a.conditions, b.conditions];
  const known = before !== null && after !== null;
  const differ = (...names: readonly (keyof NonNullable<ComparedVariant['conditions']>)[]) =>
    known && names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const changed: Readonly<Record<Change, boolean>> = {
    // That of predictions is not known.
    prompt: a.prompt_hash !== b.prompt_hash && a.prompt_hash !== '' && b.prompt_hash !== '',
    agent: differ('fingerprint', 'cache_key'),
    // An agent without a fingerprint replays a recording: other answers mean another recording.
    predictions: known && after.fingerprint === null && hasOtherAnswers(a.results, b.results),
    dataset: a.dataset_hash !== b.dataset_hash,
    limits: differ('max_steps', 'deadlines'),
  };
  return CHANGES.filter((change) => changed[change]);
}

function hasOtherAnswers(a: readonly SampleResult[], b: readonly SampleResult[]): boolean {
  const toKey = ({ id, trial, question_hash }: SampleResult) =>
    JSON.stringify([id, trial, question_hash]);
  const before = new Map(a.map((row) => [toKey(row), row]));
  return b.some((row) => {
    const old = before.get(toKey(row));
    return (
      old !== undefined && (!isDeepStrictEqual(old.output, row.output) || old.reason !== row.reason)
    );
  });
}

/**
 * Ids in one line: as many as fit into `mostCharacters`, at least one, then the number of the
 * others.
 */
export function listIds(ids: readonly string[], mostCharacters: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const id of ids) {
    length += id.length + 2;
    if (shown.length > 0 && length > mostCharacters) break;
    shown.push(id);
  }
  const more = ids.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
