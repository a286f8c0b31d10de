import type { Comparison } from '../metrics/compare.ts';
import { plural } from '../text/plural.ts';
import { findSeed } from './changed-questions.ts';
import type { ComparedSide } from './compared-side.ts';
import { findChanges } from './find-changes.ts';
import { listIds } from './list-ids.ts';

/** What is not compared and what else differs between two sides, a sentence each. */
export function describeDifferences(
  a: ComparedSide,
  b: ComparedSide,
  { unpaired: { only_a, only_b, unfinished } }: Comparison,
  changed: readonly string[],
): readonly string[] {
  return [
    ...describeData(a, b),
    ...describeIds(changed, 'changed: another text, options or truth'),
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
