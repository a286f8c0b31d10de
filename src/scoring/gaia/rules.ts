import { official, quote } from './official.ts';
import { replaceBlanks, stripBlanks } from './python.ts';

/** Equality after trimming, lower-casing and collapsing blanks. A missing answer never matches. */
export const exact: GaiaRule = {
  name: 'exact',
  judge(answer, truth) {
    const expected = normalizeExact(truth);
    const received = normalizeExact(answer ?? '');
    const correct = answer !== null && received === expected;
    return {
      correct,
      expected,
      received,
      get explanation() {
        return `compared exactly: ${quote(received)} ${correct ? 'is' : 'is not'} ${quote(expected)}`;
      },
    };
  },
};

/**
 * The trimmed, lower-cased truth occurs somewhere in the answer. Loose: a short truth matches nearly any text, an
 * empty one every text. A missing answer never matches.
 */
const contains: GaiaRule = {
  name: 'contains',
  judge(answer, truth) {
    const expected = normalizeContains(truth);
    const received = normalizeContains(answer ?? '');
    const correct = answer !== null && received.includes(expected);
    return {
      correct,
      expected,
      received,
      get explanation() {
        return `compared as substring: ${quote(received)} ${correct ? 'contains' : 'does not contain'} ${quote(expected)}`;
      },
    };
  },
};

/**
 * Either text occurs in the other after lower-casing, collapsing blanks and deleting all but ASCII word characters.
 * Unlike the rule it stems from, a side of which nothing is left never matches.
 */
const bidirectional: GaiaRule = {
  name: 'bidirectional',
  judge(answer, truth) {
    const expected = normalizeWords(truth.toLowerCase());
    const lower = (answer ?? '').toLowerCase();
    // What holds plain words as they are holds them without its punctuation too; many answers are told by this alone.
    const isHeld = PLAIN_WORDS.test(expected) && lower.includes(expected);
    const correct = isHeld || (expected.trim() !== '' && overlaps(normalizeWords(lower), expected));
    return {
      correct,
      expected,
      get received() {
        return normalizeWords(lower);
      },
      get explanation() {
        const verb = correct ? 'overlaps' : 'does not overlap';
        return `compared as substring both ways: ${quote(this.received)} ${verb} ${quote(expected)}`;
      },
    };
  },
};
/** Every rule by which an answer can be compared. A new rule is one file and one line here. */
export const gaiaRules: readonly GaiaRule[] = [official, exact, contains, bidirectional];

/** What a rule says about one answer. */
export type Judgement = {
  readonly correct: boolean;
  /** One sentence: compared as what, and why it does or does not match. Worded when it is read: mostly it is not. */
  readonly explanation: string;
  /** The truth and the answer in the form that was compared, uncut. */
  readonly expected: string;
  readonly received: string;
  /** True when the answer matched only because the rule reads any unreadable number as infinity. */
  readonly vacuous?: true;
  /** Partial credit, 0 to 1: shown under the rule's name, and part of no accuracy. */
  readonly partial?: number;
};

/** A way of comparing an answer with a truth. A missing answer is null. */
export type GaiaRule = {
  readonly name: string;
  judge(answer: string | null, truth: string): Judgement;
};

function normalizeExact(text: string): string {
  return replaceBlanks(stripBlanks(text).toLowerCase(), ' ');
}

function normalizeContains(text: string): string {
  return stripBlanks(text).toLowerCase();
}

const PLAIN_WORDS = /^\w+(?: \w+)*$/;

function overlaps(received: string, expected: string): boolean {
  return received.trim() !== '' && (received.includes(expected) || expected.includes(received));
}

// JavaScript's own \s and \w, as in the TypeScript program that used this rule.
function normalizeWords(lower: string): string {
  return lower
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[^\w\s]/g, '');
}
