import { isAllStatement, isNoneStatement, onlyLabel } from './all-none.ts';
import { canonicalLabels, ordinaryLabels } from './canonical.ts';
import type { ChoiceQuestion } from './extraction.ts';
import { toLabels } from './labels.ts';
import { truthError } from './truth-error.ts';
import { type TruthOptions, truthLabels } from './truth-labels.ts';

/** A truth in canonical form: labels in the order of the question joined by "," ("A,D"), or "NONE"; "ALL" only where no choices are known. */
export type ResolvedTruth = {
  readonly target: string;
  /** Present where the dataset says so, or where several options are right. */
  readonly multiple?: boolean;
};

/**
 * Resolves a truth in any of the forms of the datasets: label, list of labels in any writing, option text, list of
 * texts, one-hot list, index (only when `options.index` says how to count), ALL, NONE. Throws an Error that says what
 * is wrong, what was received and what to do; the loader adds the place.
 */
export function resolveTruth(
  truth: unknown,
  choices: Readonly<Record<string, string>> | undefined,
  multiple?: boolean | undefined,
  options: TruthOptions = {},
): ResolvedTruth {
  const question = { choices, multiple };
  const found = truthLabels(truth, question, options);
  if (found === 'all') return resolveAll(truth, question);
  const labels = canonicalLabels(found, question);
  if (labels.length === 0) return toResolved(onlyLabel(choices, isNoneStatement) ?? 'NONE', multiple);
  if (multiple === false && labels.length > 1) {
    throw truthError(
      'names several options of a question with one right option',
      truth,
      'Correct the truth, or say that several may be right',
    );
  }
  return toResolved(labels.join(','), multiple ?? (labels.length > 1 ? true : undefined));
}

/** ALL is the option that says so, else every option; where one option is right and none says so, it is an error. */
function resolveAll(truth: unknown, question: ChoiceQuestion): ResolvedTruth {
  const { choices, multiple } = question;
  const labels = toLabels(choices);
  if (labels.open) return toResolved('ALL', multiple);
  const all = onlyLabel(choices, isAllStatement);
  if (all !== null) return toResolved(all, multiple);
  if (multiple === false) {
    throw truthError(
      'says that all options are right, but only one may be and none says "all of the above"',
      truth,
      'Name the right option, or say that several may be right',
    );
  }
  return toResolved(ordinaryLabels(question).join(','), true);
}

function toResolved(target: string, multiple: boolean | undefined): ResolvedTruth {
  return multiple === undefined ? { target } : { target, multiple };
}
