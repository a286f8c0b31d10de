import { isFields } from '../words/fields.ts';
import { quote, showValue } from '../words/show.ts';

/** The grades of a judge. */
export type Scale<Highest = number> = {
  /** The highest grade, from 3 to 10; the lowest is 1. */
  readonly scale: Highest;
  /** What an answer of a grade is like. Not every grade needs a text. */
  readonly levels?: Readonly<Record<number, string>> | undefined;
};

/** The highest grade of the longest scale. */
export const MOST_GRADES = 10;

/** What is wrong with the scale of a judge; null if nothing is. */
export function findScaleProblem(options: object): string | null {
  const { scale, levels }: Readonly<Record<string, unknown>> = { ...options };
  if (scale === undefined)
    return levels === undefined
      ? null
      : `"levels" of judge are those of a scale. Add the highest grade, as in scale: 5.`;
  if (scale === 2 || scale === 1)
    return `"scale" of judge must be a whole number from 3 to ${MOST_GRADES}, got ${scale}. Leave it out for two grades: judges then say pass or fail.`;
  if (!isScale(scale))
    return `"scale" of judge must be a whole number from 3 to ${MOST_GRADES}, the highest grade, got ${showValue(scale)}.`;
  return levels === undefined ? null : findLevelsProblem(levels, scale);
}

/** Whether a judge may have that highest grade. */
export function isScale(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && 3 <= value && value <= MOST_GRADES;
}

function findLevelsProblem(levels: unknown, scale: number): string | null {
  const example = `levels: { 1: 'names no source', ${scale}: 'names all' }`;
  if (!isFields(levels))
    return `"levels" of judge must say what grades mean, as in ${example}, got ${showValue(levels)}.`;
  for (const [grade, text] of Object.entries(levels)) {
    const isGrade = /^[1-9]\d?$/.test(grade) && Number(grade) <= scale;
    if (!isGrade)
      return `"levels" of judge has ${quote(grade)}, and the grades are 1 to ${scale}, as in ${example}.`;
    if (typeof text !== 'string' || text.trim() === '')
      return `"levels" of judge must have a text for grade ${grade}, got ${showValue(text)}.`;
  }
  return null;
}

/**
 * A criterion with its scale, as judges and people who label read it. All that is kept or compared by
 * the criterion is so by the scale, too.
 */
export function toRubric(criterion: string, { scale, levels = {} }: Scale): string {
  const lines = Object.entries(levels).map(([grade, text]) => `${grade}: ${text}`);
  const between =
    lines.length > 0 && lines.length < scale ? ['The other grades are between these.'] : [];
  const head = `1, the lowest, to ${scale}, the highest${lines.length === 0 ? '.' : ':'}`;
  return [`${criterion}${HEAD}${head}`, ...lines, ...between].join('\n');
}

const HEAD = '\n\nThe grades are ';

/** Whether a text is that criterion, with or without a scale. */
export function isOfCriterion(text: string, criterion: string): boolean {
  return text === criterion || text.startsWith(`${criterion}${HEAD}`);
}

/** A grade as the value of a score: 0 for grade 1, and 1 for the highest. */
export function toShare(grade: number, scale: number): number {
  return (grade - 1) / (scale - 1);
}
