import { distance } from 'fastest-levenshtein';
import { plural } from '../../text/wording.ts';
import { findKind, official, quote } from './official.ts';
import { deletePunctuation, parsePythonFloat, replaceBlanks } from './python.ts';
import type { GaiaRule, Judgement } from './rules.ts';

/** A rule that is applied only where it is asked for by name; `accepted` are answers that a record has beside its truth. */
export type OptInRule = {
  readonly name: string;
  create(accepted: readonly string[]): GaiaRule;
};

/** What a rule may be called, for messages. */
export const OPT_IN_FORM =
  'fuzzy or fuzzy:SIMILARITY (0 to 1), tolerance, tolerance:5% or tolerance:0.05 (of the truth), tolerance:5abs (units), any-of';

const LEAST_ALIKE = 0.85;
const ONE_PERCENT: Tolerance = { amount: 0.01, relative: true };

/** Reads a name such as "fuzzy", "fuzzy:0.9", "tolerance:5%", "tolerance:0.5abs" or "any-of"; null when it is none. */
export function parseOptIn(name: string): OptInRule | null {
  const [kind, parameter = null] = splitOnce(name);
  if (kind === 'any-of' && parameter === null) return { name, create: (accepted) => createAnyOf(name, accepted) };
  if (kind === 'fuzzy') {
    const least = parameter === null ? LEAST_ALIKE : toNumber(parameter);
    return least === null || least <= 0 || least > 1 ? null : { name, create: () => createFuzzy(name, least) };
  }
  if (kind !== 'tolerance') return null;
  const tolerance = parameter === null ? ONE_PERCENT : toTolerance(parameter);
  return tolerance === null ? null : { name, create: () => createTolerance(name, tolerance) };
}

function splitOnce(name: string): readonly string[] {
  const colon = name.indexOf(':');
  return colon === -1 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function toTolerance(parameter: string): Tolerance | null {
  const unit = parameter.endsWith('%') ? '%' : parameter.endsWith('abs') ? 'abs' : '';
  const amount = toNumber(parameter.slice(0, parameter.length - unit.length));
  // A bare 5 would be 500 %, and is meant as 5 %.
  if (amount === null || (unit === '' && amount >= 1)) return null;
  return { amount: unit === '%' ? amount / 100 : amount, relative: unit !== 'abs' };
}

function toNumber(text: string): number | null {
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null;
}

/** How far a number may be from the truth: a share of the truth's size, or an amount. */
type Tolerance = { readonly amount: number; readonly relative: boolean };

/**
 * Opt-in: the official rule with numbers that need only be near, in lists too. Texts, the number of elements and their
 * order count as ever.
 */
function createTolerance(name: string, tolerance: Tolerance): GaiaRule {
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

/** Above this many characters only equality counts: the distance takes time with the product of both lengths. */
const MAX_LENGTH = 2000;

/**
 * Opt-in: texts that are alike but for a few letters, `least` (0 to 1) being 1 - edit distance / length of the longer
 * one, without case, blanks and punctuation. Numbers must be equal: digits that are alike say nothing.
 */
function createFuzzy(name: string, least: number): GaiaRule {
  return {
    name,
    judge: (answer, truth) =>
      findKind(truth) === 'number' ? official.judge(answer, truth) : judgeTexts(answer, truth, least),
  };
}

function judgeTexts(answer: string | null, truth: string, least: number): Judgement {
  const [received, expected] = [normalize(answer ?? ''), normalize(truth)];
  const alike = answer === null ? 0 : findSimilarity(received, expected, least);
  return {
    correct: alike >= least,
    expected,
    received,
    get explanation() {
      const percent = `${Math.floor(alike * 100)} % alike, ${Math.round(least * 100)} % are needed`;
      return `compared by edit distance: ${quote(received)} and ${quote(expected)} are ${percent}`;
    },
  };
}

/** 0 where the lengths alone rule out `least`. */
function findSimilarity(a: string, b: string, least: number): number {
  if (a === b) return 1;
  const longer = Math.max(a.length, b.length);
  const atBest = Math.min(a.length, b.length) / longer;
  return atBest < least || longer > MAX_LENGTH ? 0 : 1 - distance(a, b) / longer;
}

function normalize(text: string): string {
  return deletePunctuation(replaceBlanks(text, '').toLowerCase());
}

/** Opt-in: the official rule with any of several answers, the truth and those that the record accepts beside it. */
function createAnyOf(name: string, accepted: readonly string[]): GaiaRule {
  return {
    name,
    judge(answer, truth) {
      const judgements = [truth, ...accepted].map((each) => official.judge(answer, each));
      const found = judgements.find(({ correct }) => correct) ?? official.judge(answer, truth);
      const several = `any of ${plural(judgements.length, 'accepted answer')}`;
      return { ...found, explanation: `${several}, ${found.explanation}` };
    },
  };
}
