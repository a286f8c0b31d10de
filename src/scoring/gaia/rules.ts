import { distance } from 'fastest-levenshtein';
import type { Score } from '../../words/row.ts';
import { plural, quote } from '../../words/show.ts';
import { findKind, type GaiaRule, official } from './official.ts';
import {
  deletePunctuation,
  parsePythonFloat,
  replaceWhitespace,
  stripWhitespace,
} from './python.ts';

/**
 * Scores an answer as it is given, without extraction. `rule` is "official" (the rule of GAIA's
 * public leaderboard), "exact", "contains", "bidirectional" or an opt-in rule such as "fuzzy:0.9".
 * A null answer is compared too: the official rule reads it as the text "None". Throws a RangeError
 * for an unknown rule.
 *
 * @example
 * scoreGaia('1,250', '1250').correct; // true
 * scoreGaia('17.1', '17', 'tolerance:1%').correct; // true
 */
export function scoreGaia(answer: string | null, target: string, rule = 'official'): Score {
  const { correct, explain, credit } = findRule(rule, []).judge(answer, target);
  const scores = credit === undefined ? {} : { scores: { [rule]: credit } };
  return { correct, answer, how: 'as given', rule, explanation: explain(), ...scores };
}

/** The rule of this name, always applied or opt-in. Throws a RangeError for an unknown one. */
export function findRule(name: string, accepted: readonly string[]): GaiaRule {
  const rule = gaiaRules.find((known) => known.name === name) ?? parseOptIn(name, accepted);
  if (rule !== null) return rule;
  const names = gaiaRules.map((known) => known.name).join(', ');
  throw new RangeError(
    `Unknown GAIA scoring rule ${quote(String(name))}. Use one of: ${names}. Opt-in: ${OPT_IN_FORM}.`,
  );
}

/**
 * Equality after trimming, lowercasing and collapsing whitespace. A missing answer never matches.
 */
const exact = createRule('exact', {
  normalize: (text) => replaceWhitespace(stripWhitespace(text).toLowerCase(), ' '),
  accepts: (received, expected) => received === expected,
  says: ['compared exactly', 'is', 'is not'],
});

/**
 * The trimmed, lowercased target occurs anywhere in the answer. This rule is loose: a short target
 * matches nearly any text, and an empty one matches every text. A missing answer never matches.
 */
const contains = createRule('contains', {
  normalize: (text) => stripWhitespace(text).toLowerCase(),
  accepts: (received, expected) => received.includes(expected),
  says: ['compared as substring', 'contains', 'does not contain'],
});

/**
 * One text occurs in the other, after lowercasing, collapsing whitespace and deleting all but ASCII
 * word characters. A side that becomes empty never matches; in the original of this rule it does.
 */
const bidirectional = createRule('bidirectional', {
  // These are JavaScript's own \s and \w, as in the TypeScript program that this rule comes from.
  normalize: (text) =>
    text
      .toLowerCase()
      .trim()
      .replace(/(?! )\s+| \s+/g, ' ')
      .replace(/[^\w\s]/g, ''),
  accepts: (received, expected) =>
    received.trim() !== '' &&
    expected.trim() !== '' &&
    (received.includes(expected) || expected.includes(received)),
  says: ['compared as substring both ways', 'overlaps', 'does not overlap'],
});

/** The rules that are applied to every answer. A new rule is a constant and an element here. */
export const gaiaRules: readonly GaiaRule[] = [official, exact, contains, bidirectional];

type TextRule = {
  normalize(text: string): string;
  accepts(received: string, expected: string): boolean;
  readonly says: readonly [how: string, yes: string, no: string];
};

function createRule(
  name: string,
  { normalize, accepts, says: [how, yes, no] }: TextRule,
): GaiaRule {
  return {
    name,
    judge(answer, target) {
      const received = normalize(answer ?? '');
      const expected = normalize(target);
      const correct = answer !== null && accepts(received, expected);
      const explain = () => `${how}: ${quote(received)} ${correct ? yes : no} ${quote(expected)}`;
      return { correct, explain };
    },
  };
}

/**
 * Reads the name of an opt-in rule, such as "fuzzy", "fuzzy:0.9", "tolerance:5%",
 * "tolerance:0.5abs" or "any-of"; null for any other name. `accepted` lists the answers that a
 * record accepts besides its target.
 */
export function parseOptIn(name: string, accepted: readonly string[] = []): GaiaRule | null {
  for (const { pattern, create } of OPT_INS) {
    const match = pattern.exec(name);
    if (match !== null) return create(name, accepted, match[1], match[2]);
  }
  return null;
}

type OptIn = Readonly<{
  /** The form of the name, for messages. */
  form: string;
  pattern: RegExp;
  /** Null for a number that makes no sense. */
  create(name: string, accepted: readonly string[], value?: string, unit?: string): GaiaRule | null;
}>;

/** To add a rule: a line here. */
const OPT_INS: readonly OptIn[] = [
  {
    form: 'fuzzy or fuzzy:SIMILARITY (0 to 1)',
    pattern: /^fuzzy(?::(\d{1,15}(?:\.\d{1,15})?))?$/,
    create: createFuzzy,
  },
  {
    form: 'tolerance, tolerance:5% or tolerance:0.05 (of the expected answer), tolerance:5abs (units)',
    pattern: /^tolerance(?::(\d{1,15}(?:\.\d{1,15})?)(%|abs)?)?$/,
    create: createTolerance,
  },
  { form: 'any-of', pattern: /^any-of$/, create: createAnyOf },
];

export const OPT_IN_FORM = OPT_INS.map(({ form }) => form).join(', ');

/**
 * The official rule, applied to the target and to each answer that the record accepts besides it.
 * One match is enough.
 */
function createAnyOf(name: string, accepted: readonly string[]): GaiaRule {
  return {
    name,
    judge(answer, target) {
      const judgements = [target, ...accepted].map((each) => official.judge(answer, each));
      const found = judgements.find(({ correct }) => correct) ?? official.judge(answer, target);
      const several = `any of ${plural(judgements.length, 'accepted answer')}`;
      return { ...found, explain: () => `${several}, ${found.explain()}` };
    },
  };
}

/** How far a number may differ from the target: a share of the target's size, or an amount. */
type Tolerance = Readonly<{ amount: number; relative: boolean }>;

/**
 * The official rule, but numbers, in lists too, need only be near. Texts, the number of elements
 * and their order must match as before.
 */
function createTolerance(name: string, _: unknown, value = '0.01', unit = ''): GaiaRule | null {
  // A bare 5 would mean 500 %; the user meant 5 %.
  if (unit === '' && Number(value) >= 1) return null;
  const tolerance = {
    amount: unit === '%' ? Number(value) / 100 : Number(value),
    relative: unit !== 'abs',
  };
  const { amount, relative } = tolerance;
  const shown = relative ? `${Number((amount * 100).toPrecision(6))} %` : String(amount);
  return {
    name,
    judge(answer, target) {
      const judgement = official.judge(
        answer === null ? null : snap(answer, target, tolerance),
        target,
      );
      return {
        ...judgement,
        explain: () => `with a tolerance of ${shown}, ${judgement.explain()}`,
      };
    },
  };
}

/** Replaces each number of the answer that is near enough by the target's number. */
function snap(answer: string, target: string, tolerance: Tolerance): string {
  if (findKind(target) === 'number') return isNear(answer, target, tolerance) ? target : answer;
  const answers = answer.split(/[,;]/);
  const targets = target.split(/[,;]/);
  return answers
    .map((each, index) => (isNear(each, targets[index] ?? '', tolerance) ? targets[index] : each))
    .join(';');
}

function isNear(answer: string, target: string, { amount, relative }: Tolerance): boolean {
  const received = parsePythonFloat(answer.replace(/[$%,]/g, '')) ?? Number.NaN;
  const expected = parsePythonFloat(target) ?? Number.NaN;
  if (!Number.isFinite(expected)) return false;
  // A double is only near a decimal such as 0.1, so the last digits of the difference are
  // noise.
  const noise = 1e-12 * Math.abs(expected);
  return Math.abs(received - expected) <= (relative ? amount * Math.abs(expected) : amount) + noise;
}

/**
 * Texts match when they differ by a few letters only. The similarity (0 to 1) is 1 - edit distance
 * / length of the longer text, without case, spaces and punctuation. Numbers must be equal: similar
 * digits mean nothing.
 */
function createFuzzy(name: string, _: unknown, similarity = '0.85'): GaiaRule | null {
  const least = Number(similarity);
  if (least <= 0 || least > 1) return null;
  const normalize = (text: string) => deletePunctuation(replaceWhitespace(text, '').toLowerCase());
  return {
    name,
    judge(answer, target) {
      if (findKind(target) === 'number') return official.judge(answer, target);
      const received = normalize(answer ?? '');
      const expected = normalize(target);
      const alike = answer === null ? 0 : findSimilarity(received, expected, least);
      const percent = `${Math.floor(alike * 100)} % alike, ${Math.round(least * 100)} % are needed`;
      const explain = () =>
        `compared by edit distance: ${quote(received)} and ${quote(expected)} are ${percent}`;
      return { correct: alike >= least, explain };
    },
  };
}

/** Longer texts must be equal: the time for the distance grows with the product of both lengths. */
const MAX_LENGTH = 2000;

/** The similarity; 0 when the lengths alone rule out `least`. */
function findSimilarity(a: string, b: string, least: number): number {
  if (a === b) return 1;
  const longer = Math.max(a.length, b.length);
  const atBest = Math.min(a.length, b.length) / longer;
  return atBest < least || longer > MAX_LENGTH ? 0 : 1 - distance(a, b) / longer;
}
