import { blank, cleanOutput } from './clean.ts';
import { analyses, echoes } from './lines.ts';
import {
  allLabels,
  type ChoiceQuestion,
  canonicalLabels,
  type Question,
  toQuestion,
} from './question.ts';
import { inferences, type Reader, statements } from './readers.ts';
import { jsonConfidence } from './structured.ts';
import type { Claim, Reading, Value } from './tokens.ts';
import { anyOf } from './words.ts';

export type ExtractionState = 'answered' | 'no_answer' | 'refusal' | 'none_stated' | 'conflict';

/** The options that an output chooses. */
export type Extraction = Readonly<{
  /**
   * Labels in the order of the question; null unless `state` is "answered". Without known choices
   * it may be ["ALL"].
   */
  choices: readonly string[] | null;
  /** How the answer was found: the name of the reader that decided. */
  how: string;
  state: ExtractionState;
  /** The confidence that a JSON answer states. */
  confidence: string | number | null;
}>;

/** The value of `how` for an output that ends inside a thinking block. */
export const TRUNCATED = 'truncated thinking';

/**
 * Reads which options an output chooses. It follows rules and never guesses. When an output names
 * no option, contradicts itself, or says that no option is right, `choices` is null and `state`
 * says which. Never throws. The work is bounded for outputs of any length.
 */
export function extractChoice(output: string, asked: ChoiceQuestion): Extraction {
  const { multiple } = asked;
  const question = toQuestion(asked.choices);
  const cleaned = cleanOutput(output);
  const text = blank(cleaned.text, echoes(toReading(cleaned.text, question, multiple)));
  const nothing = { choices: null, state: 'no_answer', confidence: jsonConfidence(text) } as const;
  if (text.trim() === '')
    return { ...nothing, how: cleaned.truncated ? TRUNCATED : 'empty output' };
  const decision =
    decideBeforeNextQuestion(text, question, multiple) ??
    decide(toReading(text, question, multiple));
  if (decision === null) return { ...nothing, how: 'no answer found' };
  const outcome = toOutcome(decision.claim.value, question, asked);
  return { ...outcome, how: decision.how, confidence: nothing.confidence };
}

function toReading(text: string, question: Question, multiple: boolean | undefined): Reading {
  // "İ" becomes longer in lower case. It stays as it is, so positions remain the same in both
  // texts.
  const lower = text.replace(/[^İ]+/gu, (part) => part.toLowerCase());
  return { text, lower, question, multiple, cut: isCut(text) };
}

/** Readers that would take an option of an analysis for the answer. */
const BLIND = ['label on a line of its own', 'leading label', 'only mention', 'only option text'];
const CONFIRMING = ['confirmed option', 'closing mention'];

type Decision = Readonly<{ claim: Claim; how: string }>;

const CORRECTION = new RegExp(
  `(?:^|[.!?\\n]\\s{0,3}|[^a-z](?!actually))${anyOf(
    'wait|actually|correction|scratch that|on (?:second|further) thought',
    'let me (?:re|correct)|i made an? (?:mistake|error)|no,',
  )}(?![a-z])`,
  'u',
);

/**
 * Beside a statement, what is outside an analysis of the options counts before what is in
 * it.
 */
function decide(reading: Reading, tried = inferences): Decision | null {
  const stated = firstOf(reading, statements);
  const ranges = stated === null ? analyses(reading) : [];
  if (ranges.length === 0) return stated ?? firstOf(reading, tried);
  const outside = {
    ...reading,
    text: blank(reading.text, ranges),
    lower: blank(reading.lower, ranges),
  };
  const ofAnalysis = tried.filter(({ name }) => !BLIND.includes(name));
  return firstOf(outside, tried) ?? firstOf(reading, ofAnalysis);
}

function firstOf(reading: Reading, tried: readonly Reader[]): Decision | null {
  for (const { name, weak, claims } of tried) {
    if (weak === true && reading.cut) continue;
    const claim = claims(reading).at(-1);
    if (claim === undefined) continue;
    const isOpen =
      claim.value.kind === 'conflict' || CORRECTION.test(reading.lower.slice(claim.end));
    if (name === 'statement' && isOpen) {
      const later = inferences
        .filter((reader) => CONFIRMING.includes(reader.name))
        .flatMap((reader) => reader.claims(reading))
        .findLast((each) => each.start > claim.end);
      if (later !== undefined) return { claim: later, how: 'correction' };
    }
    return { claim, how: name };
  }
  return null;
}

const NEXT_QUESTION =
  /\n[ \t]{0,8}(?:(?:next question|question|q|problem|human|user|instruction)[ \t]{0,3}\d{0,4}[ \t]{0,3}[:.)]|question \d{1,4}[ \t]{0,8}\n)/giu;
/**
 * Some models invent another question after their answer. The answer before that question counts,
 * if there is one.
 */
function decideBeforeNextQuestion(
  text: string,
  question: Question,
  multiple: boolean | undefined,
): Decision | null {
  const firm = inferences.filter(({ name, weak }) => weak !== true || CONFIRMING.includes(name));
  const next = text.matchAll(NEXT_QUESTION).find(({ index }) => text.slice(0, index).trim() !== '');
  if (next === undefined) return null;
  const decision = decide(toReading(text.slice(0, next.index), question, multiple), firm);
  return decision?.claim.value.kind === 'labels' ? decision : null;
}

const DANGLING =
  /[\s,](?:the|a|an|of|to|and|or|is|are|in|for|with|by|as|that|we|it|from|on|at|be|this|if|not|which|because|but|so)$/u;
const OPEN = /(?:[,=+×÷−<([{\\^_-]|(?<!\d)0\.)$/u;

/**
 * A text that stops inside a sentence, a list or a formula has hit a token limit. A short text may
 * lack its period.
 */
function isCut(text: string): boolean {
  const raw = text.trimEnd();
  const last = raw.slice(-40).replace(/[\s"'⟧)\]}]{1,12}$/u, '');
  // "Conclusion: G"
  if (/: {0,4}[A-Z]$/u.test(last)) return false;
  if (DANGLING.test(last)) return true;
  if (raw.length < 100) return /[(=,]$/u.test(raw);
  if (/:$|\n\d{1,2}[.)]$/u.test(raw) || OPEN.test(last)) return true;
  if (raw.length <= 240) return false;
  return !/[.!?。！？)\]}"'…;%⟧]$/u.test(raw);
}

type Outcome = Pick<Extraction, 'choices' | 'state'>;

function toOutcome(value: Value, { none, unsure }: Question, asked: ChoiceQuestion): Outcome {
  switch (value.kind) {
    case 'labels':
      return { choices: canonicalLabels(value.labels, asked), state: 'answered' };
    case 'all':
      return { choices: allLabels(asked), state: 'answered' };
    case 'none':
      return choiceOf(none, 'none_stated');
    case 'unsure':
      return choiceOf(unsure, 'refusal');
    case 'conflict':
    case 'unoffered':
      return { choices: null, state: 'conflict' };
  }
}

/** When an option says "cannot be determined", the agent has chosen that option. */
function choiceOf(label: string | null, otherwise: Extraction['state']): Outcome {
  return label === null
    ? { choices: null, state: otherwise }
    : { choices: [label], state: 'answered' };
}
