import { compare } from '../metrics/compare.ts';
import type { SampleResult } from '../types.ts';
import { findChangedQuestions } from './changed-questions.ts';
import type { ComparedSide } from './compared-side.ts';
import type { ComparedAgent, SuiteComparison } from './comparison.ts';
import { describeDifferences, listModels } from './describe-differences.ts';
import { findChanges } from './find-changes.ts';

/** Compares what two agents, or one twice, did in a suite: on the questions that are the same and finished in both. */
export function compareSides(a: ComparedSide, b: ComparedSide): SuiteComparison {
  const changed = findChangedQuestions(a.results, b.results);
  const keep = (results: readonly SampleResult[]) => results.filter(({ id }) => !changed.has(id));
  const figures = compare(rename(keep(a.results), b.dataset), keep(b.results));
  return {
    suite: b.suite,
    dataset: b.dataset,
    a: toAgent(a),
    b: toAgent(b),
    figures,
    changes: findChanges(a, b),
    changed_questions: [...changed],
    notes: describeDifferences(a, b, figures, [...changed]),
  };
}

/** Questions are paired by dataset too, whose file may have another name by now. */
function rename(results: readonly SampleResult[], dataset: string): readonly SampleResult[] {
  return results.map((row) => (row.dataset === dataset ? row : { ...row, dataset }));
}

function toAgent(side: ComparedSide): ComparedAgent {
  const { run, agent, prompt_hash, trials } = side;
  return { run, agent, models: listModels(side), prompt_hash, trials };
}
