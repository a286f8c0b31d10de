import type { Comparison } from '../metrics/compare.ts';
import { hasRun } from '../states.ts';
import { plural } from '../text/wording.ts';
import type { SampleResult } from '../types.ts';
import type { ComparedSide } from './compare-runs.ts';

/** What is not compared and what else differs between two sides, a sentence each. */
export function describeDifferences(
  a: ComparedSide,
  b: ComparedSide,
  { unpaired: { only_a, only_b, unfinished } }: Comparison,
  { changed, ungradable }: { readonly changed: readonly string[]; readonly ungradable: readonly string[] },
): readonly string[] {
  return [
    ...describeData(a, b),
    ...describeIds(changed, 'changed: another text, options or truth'),
    ...describeIds(ungradable, 'graded by an older version, and the run does not tell how they were shown'),
    ...describeIds(only_a, 'only in A'),
    ...describeIds(only_b, 'only in B'),
    ...describeIds(unfinished, 'not finished in both runs, or without a truth'),
    ...describeConditions(a, b),
  ];
}

function describeData(a: ComparedSide, b: ComparedSide): readonly string[] {
  const reordered = findSeed(a.results) !== findSeed(b.results);
  const edited = a.dataset_hash !== b.dataset_hash && !reordered;
  return [
    ...when(a.dataset !== b.dataset, `The dataset is named ${a.dataset} in A and ${b.dataset} in B.`),
    ...when(edited, 'The datasets differ: only questions that are the same in both are compared.'),
    ...when(
      reordered,
      'The options stood in another order: questions are compared by id, truth and number of options.',
    ),
    ...describeShard('A', a),
    ...describeShard('B', b),
  ];
}

function describeShard(name: string, { shard }: ComparedSide): readonly string[] {
  return shard === null ? [] : [`${name} is shard ${shard.index} of ${shard.count}.`];
}

function describeIds(ids: readonly string[], why: string): readonly string[] {
  const subject = plural(ids.length, 'question is', 'questions are');
  return when(ids.length > 0, `${subject} not compared (${why}): ${listIds(ids, 240)}`);
}

function describeConditions(a: ComparedSide, b: ComparedSide): readonly string[] {
  const [modelsA, modelsB] = [listModels(a), listModels(b)].map((models) => models.join(' and ') || 'unknown');
  const settings = Object.keys(SETTING_NAMES).filter((name) => show(a, name) !== show(b, name));
  return [
    ...when(a.prompt_hash !== b.prompt_hash, 'The prompts differ.'),
    ...when(
      a.agent === b.agent && findChanges(a, b).includes('agent'),
      `The code, parameters or tools of ${b.agent} differ.`,
    ),
    ...when(modelsA !== modelsB, `The models differ: ${modelsA} in A, ${modelsB} in B.`),
    ...when(
      a.trials !== b.trials,
      `A has ${plural(a.trials, 'trial')} of each question, B ${b.trials}: p is approximate.`,
    ),
    ...settings.map(
      (name) => `The runs differ in ${SETTING_NAMES[name]}: ${show(a, name)} in A, ${show(b, name)} in B.`,
    ),
    ...describeRegraded('A', a),
    ...describeRegraded('B', b),
    ...when(a.viva !== b.viva, `A was graded by viva ${a.viva}, B by ${b.viva}.`),
  ];
}

function describeRegraded(name: string, { regraded }: ComparedSide): readonly string[] {
  if (regraded === undefined) return [];
  const verdicts = regraded === 1 ? '1 verdict' : `${regraded} verdicts`;
  return [`${name} was graded by an older version: its outputs were graded again, which changed ${verdicts}.`];
}

/** The models that a side's rows name, in alphabetical order. */
export function listModels({ results }: ComparedSide): readonly string[] {
  return [...new Set(results.map(({ model }) => model).filter((model) => model !== null))].sort();
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  timeoutSeconds: 'EVAL_TIMEOUT',
  maxSteps: 'EVAL_MAX_STEPS',
  shuffleChoices: 'EVAL_SHUFFLE_CHOICES',
  cacheKey: 'EVAL_CACHE_KEY',
  hostedTools: 'hosted tools',
};

function show({ settings }: ComparedSide, name: string): string {
  const value = settings[name] ?? null;
  return value === null ? 'not set' : JSON.stringify(value);
}

function when(holds: boolean, sentence: string): readonly string[] {
  return holds ? [sentence] : [];
}

/** Ids that both runs have but under which they asked, or expected, something else: verdicts on them do not compare. */
export function findChangedQuestions(a: readonly SampleResult[], b: readonly SampleResult[]): ReadonlySet<string> {
  const [before, after] = [knownQuestions(a), knownQuestions(b)];
  const reordered = findSeed(a) !== findSeed(b);
  const changed = [...after].filter(([id, row]) => {
    const earlier = before.get(id);
    return earlier !== undefined && !isSame(earlier, row, reordered);
  });
  return new Set(changed.map(([id]) => id));
}

/** A row for each question of which one tells what was asked; one that was not run tells it otherwise. */
function knownQuestions(results: readonly SampleResult[]): ReadonlyMap<string, SampleResult> {
  return new Map(results.filter(hasRun).map((row) => [row.id, row]));
}

/**
 * The hash of a question covers the order of its options, so that of reordered ones only truth (in the dataset's own
 * labels) and number can be compared.
 */
function isSame(a: SampleResult, b: SampleResult, reordered: boolean): boolean {
  const sameOptions = reordered && a.options !== undefined && a.options === b.options;
  return a.target === b.target && (a.question_hash === b.question_hash || sameOptions);
}

/** By which seed the options of a run were put into another order; null when they stood as in the dataset. */
function findSeed(results: readonly SampleResult[]): number | null {
  return results.find(({ presented }) => presented !== undefined)?.presented?.seed ?? null;
}

/** What an agent's answers, or the verdicts on them, depend on. */
export type Change = 'prompt' | 'agent' | 'dataset' | 'limits' | 'predictions';

/** What was edited between two sides of the same agent; nothing is said of what a side does not tell. */
export function findChanges(a: ComparedSide, b: ComparedSide): readonly Change[] {
  const [before, after] = [a.conditions, b.conditions];
  const known = before !== null && after !== null;
  const changed: Readonly<Record<Change, boolean>> = {
    prompt: a.prompt_hash !== b.prompt_hash,
    agent: known && (before.fingerprint !== after.fingerprint || before.cache_key !== after.cache_key),
    predictions: known && after.fingerprint === null && saysOtherwise(a.results, b.results),
    dataset: a.dataset_hash !== b.dataset_hash,
    limits: known && (before.max_steps !== after.max_steps || !isSameFindChanges(before.deadlines, after.deadlines)),
  };
  return CHANGES.filter((change) => changed[change]);
}

const CHANGES = ['prompt', 'agent', 'predictions', 'dataset', 'limits'] as const;

/** An agent without a fingerprint repeats a recording: what it says tells whether that is another one. */
function saysOtherwise(a: readonly SampleResult[], b: readonly SampleResult[]): boolean {
  const before = new Map(a.map((row) => [toKey(row), row]));
  return b.some((row) => {
    const old = before.get(toKey(row));
    return old !== undefined && (old.output !== row.output || old.reason !== row.reason);
  });
}

function toKey({ id, trial, question_hash }: SampleResult): string {
  return JSON.stringify([id, trial, question_hash]);
}

function isSameFindChanges(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Ids in one line: as many as fit into so many characters, but at least one, then how many more there are. */
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
