import { isAllStatement, isNoneStatement, onlyLabel } from './all-none.ts';
import type { ChoiceQuestion, Extraction } from './extraction.ts';
import { toLabels } from './labels.ts';
import { findTruthLabels } from './truth-labels.ts';

/** Reads a bare answer, as leaderboard files hold it, by the rules for truths: labels, lists of labels, option texts. */
export function verbatimChoice(answer: string, question: ChoiceQuestion): Extraction {
  const rest = { how: 'as given', span: null, confidence: null } as const;
  const found = findTruthLabels(answer, question);
  if (found === null) return { ...rest, choices: null, state: 'no_answer' };
  if (found.length === 0) {
    const none = onlyLabel(question.choices, isNoneStatement);
    return { ...rest, choices: none === null ? null : [none], state: none === null ? 'none_stated' : 'answered' };
  }
  return { ...rest, choices: found === 'all' ? allChoices(question) : found, state: 'answered' };
}

function allChoices({ choices }: ChoiceQuestion): readonly string[] {
  const { open, ordered } = toLabels(choices);
  const all = onlyLabel(choices, isAllStatement);
  return all === null ? (open ? ['ALL'] : ordered) : [all];
}
