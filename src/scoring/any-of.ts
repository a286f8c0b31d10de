import type { Grade } from '../words/row.ts';
import { plural } from '../words/show.ts';

/**
 * The grade of an answer for which any one of several targets is accepted: that of the first target
 * that it matches, which `accepted` names, else that of the first, with how many there are. Without
 * targets throws a RangeError.
 *
 * @example
 * gradeAny(['NYC', 'New York'], (target) => gradeGaia('New York', target)).accepted; // 'New York'
 */
export function gradeAny(targets: readonly string[], gradeOne: (target: string) => Grade): Grade {
  return chooseGrade(targets, targets.map(gradeOne));
}

/** The grade of an answer by its grades for each accepted target, in the same order. */
export function chooseGrade(targets: readonly string[], grades: readonly Grade[]): Grade {
  const right = grades.findIndex(({ correct }) => correct);
  const grade = grades[right] ?? grades.find(({ state }) => state === 'incorrect') ?? grades[0];
  if (grade === undefined)
    throw new RangeError('A list of accepted answers must not be empty. Give at least one.');
  const merged = { ...grade, rules: mergeRules(grades) };
  const accepted = targets[right];
  if (accepted !== undefined) return { ...merged, accepted };
  if (grade.state === 'no_answer' || targets.length < 2) return merged;
  const none = `none of ${plural(targets.length, 'accepted answer')} matches; the first:`;
  return { ...merged, explanation: `${none} ${grade.explanation}` };
}

/** A rule accepts an answer if it accepts it for one of the targets. */
function mergeRules(grades: readonly Grade[]): Grade['rules'] {
  const ruled = grades.map(({ rules }) => rules).filter((rules) => rules !== null);
  const [first] = ruled;
  if (first === undefined) return null;
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, ruled.some((rules) => rules[name] === true)]),
  );
}
