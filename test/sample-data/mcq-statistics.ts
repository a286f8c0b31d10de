import { findMostFrequent } from './count-by.ts';
import { holds, isFraction, isNumber, type OptionCheck } from './option-checks.ts';
import { readNumbers, sum } from './read-numbers.ts';

/** By question id: which option is right, worked out from the case context. Q12 is judged by reading. */
export const MCQ_STATISTICS: Readonly<Record<string, (context: string) => OptionCheck>> = {
  Q01: (context) => isNumber(computeMedian(readNumbers(context))),
  Q02: (context) => isNumber(Number(findMostFrequent(readNumbers(context).map(String)))),
  Q03: (context) => isNumber(computeMean(readNumbers(context))),
  Q04: (context) => isNumber(computeRange(readNumbers(context))),
  Q05: (context) => isFraction(computeShareOfNotLast(readNumbers(context))),
  Q06: () => (option) => countThrows(Number(option)) > countThrows(5),
  Q07: (context) => isNumber(computeRise(readNumbers(context))),
  Q08: (context) => isNumber(computeCourseMark(readNumbers(context))),
  Q09: () => judgeIncomes([2000, 2000, 2000, 2000, 12000]),
  Q10: (context) => judgeFiveNumbers(readNumbers(context)),
  Q11: () => isFraction(3 / 2 ** 3),
  Q13: () => isNumber((6 * 5) / 2),
  Q14: (context) => isAboveAverage(context),
  Q15: () => isNumber((50 + 5 * 10) / 200),
  Q16: (context) => isNumber(countNeither(readNumbers(context))),
};

function computeMedian(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[(numbers.length - 1) / 2] ?? Number.NaN;
}

function computeMean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function computeRange(numbers: readonly number[]): number {
  return Math.max(...numbers) - Math.min(...numbers);
}

function computeShareOfNotLast(numbers: readonly number[]): number {
  return sum(numbers.slice(0, -1)) / sum(numbers);
}

function countThrows(total: number): number {
  const faces = [1, 2, 3, 4, 5, 6];
  return faces.flatMap((a) => faces.filter((b) => a + b === total)).length;
}

function computeRise([before = Number.NaN, after = Number.NaN]: readonly number[]): number {
  return (after / before - 1) * 100;
}

function computeCourseMark(numbers: readonly number[]): number {
  const [coursework = Number.NaN, exam = Number.NaN, own = Number.NaN, ownExam = Number.NaN] = numbers;
  return (coursework * own + exam * ownExam) / 100;
}

function judgeIncomes(incomes: readonly number[]): OptionCheck {
  return holds({
    'The mean is 4,000.': computeMean(incomes) === 4000,
    'The median is 2,000.': computeMedian(incomes) === 2000,
    'The mode is 12,000.': findMostFrequent(incomes.map(String)) === '12000',
    'The range is 10,000.': computeRange(incomes) === 10000,
    'The median is larger than the mean.': computeMedian(incomes) > computeMean(incomes),
  });
}

function judgeFiveNumbers(numbers: readonly number[]): OptionCheck {
  return holds({
    'The mean is 6.': computeMean(numbers) === 6,
    'The median is 5.': computeMedian(numbers) === 5,
    'The mode is 5.': findMostFrequent(numbers.map(String)) === '5',
    'The range is 7.': computeRange(numbers) === 7,
  });
}

function isAboveAverage(context: string): OptionCheck {
  const visitors = new Map(Array.from(context.matchAll(/(\w+day) (\d+)/g), ([, day, count]) => [day, Number(count)]));
  return (option) => (visitors.get(option) ?? Number.NaN) > computeMean([...visitors.values()]);
}

function countNeither(numbers: readonly number[]): number {
  const [asked = Number.NaN, bicycle = Number.NaN, car = Number.NaN, both = Number.NaN] = numbers;
  return asked - (bicycle + car - both);
}
