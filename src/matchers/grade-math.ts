import { requirePackage } from '../package.ts';
import { lastBox } from '../scoring/gaia/boxes.ts';
import { findAnswerIn } from '../scoring/gaia/grade-gaia.ts';
import { tidyAnswer } from '../scoring/gaia/tidy-answer.ts';
import { toGrade } from '../scoring/math/grade-number.ts';
import type { Grade } from '../types.ts';

export type GradeMathOptions = {
  /** False if the output is the bare answer, so nothing is extracted from it. */
  readonly extract?: boolean;
};

/**
 * Extracts the answer from an output as `gradeGaia` does, and compares its value with the target's:
 * numbers, fractions, roots, sets, intervals, points, formulas and texts, in LaTeX or as they are
 * typed. What cannot be computed in 20 s is not equal. Rejects with an AgentError if the package
 * @cortex-js/compute-engine is missing.
 */
export async function gradeMath(
  output: string | null,
  target: string | number,
  options: GradeMathOptions = {},
): Promise<Grade> {
  requirePackage('@cortex-js/compute-engine', 'The comparison of mathematics');
  const found = findAnswerIn(output, options.extract ?? true);
  comparing++;
  try {
    // Loaded on first use: most projects register the matcher without calling it.
    const { compareAnswer } = await import('./compare-formulas.ts');
    // What was found in an output is tidied, so the target is too.
    const text = String(target);
    const wanted = options.extract === false ? text : tidyAnswer(lastBox(text) ?? text);
    return toGrade('math', found, await compareAnswer(found.answer ?? '', wanted));
  } finally {
    comparing--;
  }
}

let comparing = 0;

/**
 * Whether answers are being compared. Few are at once, each for 20 s at most: a score's wait for
 * its turn is not its own.
 */
export function isComparing(): boolean {
  return comparing > 0;
}
