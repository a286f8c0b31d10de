import type { GroupSummary } from '../words/figures.ts';
import { countStates, hasTarget, type SampleResult, type State } from '../words/row.ts';

/** The counts that say what the figures of a group are of. */
export type Populations = Pick<
  GroupSummary,
  'n' | 'questions' | 'graded' | 'graded_questions' | 'states' | 'graded_states'
>;

/**
 * Counts all results and those with a known target, which are the ones that accuracy, scores, gates
 * and comparisons are over. docs/results.md has a table of what each figure counts.
 */
export function countPopulations(
  results: readonly SampleResult[],
  graded = results.filter(hasTarget),
): Populations {
  const [states, questions] = [countStates(results), countQuestions(results)];
  const areAllGraded = graded.length === results.length;
  return {
    n: results.length,
    graded: graded.length,
    questions,
    graded_questions: areAllGraded ? questions : countQuestions(graded),
    states,
    graded_states: areAllGraded ? states : countStates(graded),
  };
}

function countQuestions(results: readonly SampleResult[]): number {
  return new Set(results.map(({ id }) => id)).size;
}

/** What a table counts all n results as: each once, and those without a target as ungraded. */
export function countOutcomes({
  n,
  graded,
  states,
  graded_states,
}: Pick<Populations, 'n' | 'graded' | 'states' | 'graded_states'>): Outcomes {
  if (graded === 0) return states;
  const { not_run } = states;
  // What was not run is missing in a run, with a target or without.
  return { ...graded_states, not_run, ungraded: n - graded - (not_run - graded_states.not_run) };
}

export type Outcomes = Readonly<Record<State, number>>;
