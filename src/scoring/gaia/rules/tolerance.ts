import { parsePythonFloat } from '../python-float.ts';
import { findKind, official } from './official.ts';
import type { GaiaRule } from './rule.ts';

/** How far a number may be from the truth: a share of the truth's size, or an amount. */
export type Tolerance = { readonly amount: number; readonly relative: boolean };

/**
 * Opt-in: the official rule with numbers that need only be near, in lists too. Texts, the number of elements and their
 * order count as ever.
 */
export function createTolerance(name: string, tolerance: Tolerance): GaiaRule {
  return {
    name,
    judge(answer, truth) {
      const judgement = official.judge(answer === null ? null : snap(answer, truth, tolerance), truth);
      return {
        ...judgement,
        received: official.judge(answer, truth).received,
        explanation: `with a tolerance of ${describe(tolerance)}, ${judgement.explanation}`,
      };
    },
  };
}

/** The answer with each number that is near enough replaced by the truth's. */
function snap(answer: string, truth: string, tolerance: Tolerance): string {
  if (findKind(truth) === 'number') return isNear(answer, truth, tolerance) ? truth : answer;
  const truths = truth.split(/[,;]/);
  const answers = answer.split(/[,;]/);
  return answers.map((each, index) => (isNear(each, truths[index] ?? '', tolerance) ? truths[index] : each)).join(';');
}

function isNear(answer: string, truth: string, { amount, relative }: Tolerance): boolean {
  const received = parsePythonFloat(answer.replace(/[$%,]/g, '')) ?? Number.NaN;
  const expected = parsePythonFloat(truth) ?? Number.NaN;
  if (!Number.isFinite(expected)) return false;
  // A decimal such as 0.1 is no exact number: the last digits of the difference are noise.
  const noise = 1e-12 * Math.abs(expected);
  return Math.abs(received - expected) <= (relative ? amount * Math.abs(expected) : amount) + noise;
}

function describe({ amount, relative }: Tolerance): string {
  return relative ? `${Number((amount * 100).toPrecision(6))} %` : String(amount);
}
