import { requirePackage } from '../package.ts';
import { chooseGrade } from '../scoring/any-of.ts';
import { lastBox } from '../scoring/gaia/boxes.ts';
import {
  answerWords,
  type FoundAnswer,
  statingText,
} from '../scoring/gaia/extract-final-answer.ts';
import { findAnswerIn } from '../scoring/gaia/grade-gaia.ts';
import { beforeQuestion } from '../scoring/gaia/own-answer.ts';
import { tidyAnswer } from '../scoring/gaia/tidy-answer.ts';
import { toGrade } from '../scoring/math/grade-number.ts';
import { statedFormula } from '../scoring/math/stated-formula.ts';
import { concludingSentence, statedNumber } from '../scoring/math/stated-number.ts';
import type { Grade } from '../words/row.ts';

export type GradeMathOptions = {
  /** False if the output is the bare answer, so nothing is extracted from it. */
  readonly extract?: boolean;
};

/**
 * Extracts the answer from an output as `gradeGaia` does, and compares its value with the target's:
 * numbers, fractions, roots, sets, intervals, points, formulas and texts, in LaTeX or as they are
 * typed. If the answer is a sentence, it takes the formula that the sentence states. What cannot be
 * computed in 20 s is not equal. Any one of a list of targets is accepted. Rejects with an AgentError if the package
 * @cortex-js/compute-engine is missing.
 *
 * @example
 * (await gradeMath('So x = \\frac{1}{2}.', '0.5')).correct; // true
 */
export async function gradeMath(
  output: string | null,
  target: string | number | readonly (string | number)[],
  options: GradeMathOptions = {},
): Promise<Grade> {
  if (typeof target === 'object') return gradeAnyMath(output, target.map(String), options);
  const { extract = true } = options;
  requirePackage('@cortex-js/compute-engine', 'The comparison of mathematics');
  comparing++;
  try {
    // Loaded on first use: most projects register the matcher without calling it.
    const { compareAnswer } = await import('./compare-formulas.ts');
    // What was found in an output is tidied, so the target is too.
    const text = String(target);
    const wanted = !extract ? text : tidyAnswer(lastBox(text) ?? text);
    const found = findAnswerIn(output, extract);
    const stated = output === null || !extract ? null : findStated(output, found);
    const isRead = found.how !== 'closing words' || stated === null;
    const readings = [isRead ? found.answer : null, stated?.answer].flatMap((each) => each ?? []);
    const { equal, ...verdict } = await compareAnswer(readings, wanted);
    const isStated = stated !== null && (equal === null || equal !== found.answer);
    return toGrade('math', isStated ? stated : found, verdict);
  } finally {
    comparing--;
  }
}

/** The formula that the sentence of an answer states, or the concluding sentence of an output. */
function findStated(output: string, found: FoundAnswer): FoundAnswer | null {
  const isFree = found.answer === null || /^(?:whole text|closing words)$/.test(found.how);
  if (found.answer === null && found.reason !== 'no final answer') return null;
  const words = isFree
    ? concludingSentence(beforeQuestion(statingText(output)))
    : answerWords(output);
  const stated = words === null ? null : (statedFormula(words) ?? statedNumber(words)?.number);
  const answer = tidyAnswer(stated ?? '');
  if (answer === '' || answer === found.answer) return null;
  return isFree
    ? { answer, how: 'concluding sentence', certain: false }
    : { answer, how: found.how, certain: found.certain };
}

/** Formulas take long to compare, so the first target that matches ends it. */
async function gradeAnyMath(
  output: string | null,
  targets: readonly string[],
  options: GradeMathOptions,
): Promise<Grade> {
  const grades: Grade[] = [];
  for (const target of targets) {
    const grade = await gradeMath(output, target, options);
    grades.push(grade);
    if (grade.correct) break;
  }
  return chooseGrade(targets, grades);
}

let comparing = 0;

/**
 * Whether answers are being compared. Few are at once, each for 20 s at most: a score's wait for
 * its turn is not its own.
 */
export function isComparing(): boolean {
  return comparing > 0;
}
