import type { Range } from '../../text/thoughts.ts';
import type { AnswerClaim } from '../claim.ts';
import { blank, cleanOutput } from './clean.ts';
import { examples } from './example.ts';
import { FORMS, type Form } from './forms.ts';
import { analyses, echoes, numberings } from './lines.ts';
import { nextQuestions } from './next-question.ts';
import {
  allLabels,
  type ChoiceQuestion,
  canonicalLabels,
  type Question,
  toQuestion,
} from './question.ts';
import { jsonConfidence } from './structured.ts';
import { type Claim, isTrusted, labelsOf, type Reading, type Value } from './tokens.ts';
import { anyOf } from './words.ts';

export type ExtractionState = 'answered' | 'no_answer' | 'refusal' | 'none_stated' | 'conflict';

/** The options that an output chooses. */
export type Extraction = Readonly<{
  /**
   * Labels in the order of the question; null unless `state` is "answered". Without known choices
   * it may be ["ALL"].
   */
  choices: readonly string[] | null;
  /** How the answer was found: the name of the form that decided. */
  how: string;
  state: ExtractionState;
  /** The confidence that a JSON answer states. */
  confidence: string | number | null;
  /**
   * False if the output states two answers, repeats the example of its instructions, invents
   * another question, or if only a loose form spoke, or none.
   */
  certain: boolean;
}>;

/** The value of `how` for an output that ends inside a thinking block. */
export const TRUNCATED = 'truncated thinking';

/**
 * Reads which options an output chooses. It follows rules and never guesses. When an output names
 * no option, contradicts itself, or says that no option is right, `choices` is null and `state`
 * says which. With `explain`, `claims` lists all that any form read in the output, in the order of
 * the text. Never throws. The work is bounded for outputs of any length.
 *
 * @example
 * extractChoice('A is tempting. The answer is B.', { choices: { A: 'iron', B: 'zinc' } });
 * // { choices: ['B'], how: 'statement', state: 'answered', confidence: null, certain: true }
 */
export function extractChoice(
  output: string,
  asked: ChoiceQuestion,
  options: Readonly<{ explain: true }>,
): Extraction & Readonly<{ claims: readonly AnswerClaim[] }>;
export function extractChoice(
  output: string,
  asked: ChoiceQuestion,
  options?: Readonly<{ explain?: false }>,
): Extraction;
export function extractChoice(
  output: string,
  asked: ChoiceQuestion,
  { explain = false }: Readonly<{ explain?: boolean }> = {},
): Extraction & Readonly<{ claims?: readonly AnswerClaim[] }> {
  const { multiple } = asked;
  const question = toQuestion(asked.choices);
  const cleaned = cleanOutput(output);
  const whole = toReading(cleaned.text, { question, multiple, ends: cleaned.ends });
  const repeated = repetitions(whole);
  const text = blank(
    cleaned.text,
    repeated.map(({ range }) => range),
  );
  const confidence = jsonConfidence(text);
  if (text.trim() === '') {
    const how = cleaned.truncated ? TRUNCATED : 'empty output';
    const nothing = { choices: null, how, state: 'no_answer', confidence, certain: true } as const;
    return explain ? { ...nothing, claims: [] } : nothing;
  }
  const reading = toReading(text, whole);
  const decision = decideBeforeNextQuestion(reading) ?? decide(reading);
  const outcome: Outcome =
    decision === null
      ? { choices: null, state: 'no_answer' }
      : toOutcome(decision.claim.value, question, asked);
  const how = decision?.how ?? 'no answer found';
  const certain = outcome.state !== 'conflict' && isCertain(reading, decision, repeated);
  const found = { ...outcome, how, confidence, certain };
  if (!explain) return found;
  const says = ({ value }: Claim) => toSaying(toOutcome(value, question, asked));
  const claims = explained(reading, decision, repeated, whole).map(
    ({ claim, form, won, why }): AnswerClaim => {
      const start = cleaned.place(claim.from ?? claim.start);
      const end = Math.max(start, cleaned.place(claim.end));
      const words = output.slice(start, end);
      return { text: words, start, end, form: form.name, says: says(claim), won, why };
    },
  );
  return { ...found, claims };
}

function toReading(text: string, given: Pick<Reading, 'question' | 'multiple' | 'ends'>): Reading {
  // "İ" becomes longer in lower case. It stays as it is, so positions remain the same in both
  // texts.
  const lower = text.replace(/[^İ]+/gu, (part) => part.toLowerCase());
  const { question, multiple, ends } = given;
  return { text, lower, question, multiple, ends, cut: isCut(text) };
}

/** A part of the output in which no label is an answer. */
type Repetition = Readonly<{
  range: Range;
  of: 'a repeated list of the options' | 'an example' | 'a numbering of labels';
}>;

function repetitions(reading: Reading): readonly Repetition[] {
  const found: readonly Repetition[] = [
    ...echoes(reading).map((range) => ({ range, of: 'a repeated list of the options' }) as const),
    ...numberings(reading).map((range) => ({ range, of: 'a numbering of labels' }) as const),
    ...examples(reading).map((range) => ({ range, of: 'an example' }) as const),
  ].sort((a, b) => a.range[0] - b.range[0]);
  return found.filter(({ range }, i) => (found[i - 1]?.range[1] ?? 0) <= range[0]);
}

/** A claim that decides. */
type Decision = Readonly<{
  claim: Claim;
  form: Form;
  how: string;
  /** Whether words such as "wait" follow it. */
  isOpen?: boolean;
  /** Where another question begins, which the output invents. */
  until?: number;
}>;

const STATED = FORMS.filter(({ isStated }) => isStated);
const INFERRED = FORMS.filter(({ isStated }) => !isStated);
const CORRECTIONS = FORMS.filter(({ isCorrection }) => isCorrection);

const CORRECTION = new RegExp(
  `(?:^|[.!?\\n]\\s{0,3}|[^a-z](?!actually))${anyOf(
    'wait|actually|correction|scratch that|(?:on|upon) (?:second thought|further thought|reflection)',
    'let me (?:re|correct)|i made an? (?:mistake|error)|no,|hmm|oops|hold on|edit:|i meant|i misread',
    'i take (?:that|it) back|(?:change|revise|correct) my answer|should have been|i got that wrong',
  )}(?![a-z])`,
  'u',
);

/**
 * Beside a statement, what is outside an analysis of the options counts before what is in
 * it.
 */
function decide(reading: Reading, tried = INFERRED): Decision | null {
  const stated = firstOf(reading, STATED);
  const ranges = stated === null ? analyses(reading) : [];
  if (ranges.length === 0) return stated ?? firstOf(reading, tried);
  const outside = {
    ...reading,
    text: blank(reading.text, ranges),
    lower: blank(reading.lower, ranges),
  };
  const ofAnalysis = tried.filter(({ isBlindToLists }) => !isBlindToLists);
  return firstOf(outside, tried) ?? firstOf(reading, ofAnalysis);
}

function firstOf(reading: Reading, tried: readonly Form[]): Decision | null {
  for (const form of tried) {
    if (form.needsEnd && reading.cut) continue;
    const claim = lastClaim(claimsOf(form, reading).filter(isTrusted), reading.multiple);
    if (claim === null) continue;
    const isHedge = form.isStated === true && claim.value.kind === 'conflict';
    const isOpen = isHedge || CORRECTION.test(reading.lower.slice(claim.end));
    const later = form.mayBeCorrected && isOpen ? correctionOf(reading, claim) : null;
    return later ?? { claim, form, how: form.name, isOpen: form.mayBeCorrected === true && isOpen };
  }
  return null;
}

const read = new WeakMap<Reading, Map<Form, readonly Claim[]>>();

/** Several steps ask for the claims of one form. */
function claimsOf(form: Form, reading: Reading): readonly Claim[] {
  const known = read.get(reading) ?? new Map<Form, readonly Claim[]>();
  read.set(reading, known);
  const claims = known.get(form) ?? form.claims(reading);
  known.set(form, claims);
  return claims;
}

function correctionOf(reading: Reading, { end }: Claim): Decision | null {
  return (
    CORRECTIONS.flatMap((form) =>
      form
        .claims(reading)
        .filter(isTrusted)
        .map((claim) => ({ claim, form, how: 'correction', isOpen: true })),
    ).findLast(({ claim }) => /[.!?,;\n]/u.test(reading.text.slice(end, claim.start))) ?? null
  );
}

/**
 * When one option is right, "A and C are plausible" must not overrule "the answer is C". An empty or
 * unknown last answer does.
 */
function lastClaim(claims: readonly Claim[], multiple: boolean | undefined): Claim | null {
  const last = claims.at(-1) ?? null;
  if (multiple !== false || last?.value.kind === 'unoffered') return last;
  return claims.findLast((claim) => labelsOf(claim).length === 1) ?? last;
}

/** Forms that a question which the model invents could not have misled. */
const FIRM = INFERRED.filter(({ isLoose }) => !isLoose);

/**
 * Some models invent another question after their answer. The answer before the first such question
 * that follows one counts.
 */
function decideBeforeNextQuestion(reading: Reading): Decision | null {
  for (const until of nextQuestions(reading)) {
    const decision = decide(toReading(reading.text.slice(0, until), reading), FIRM);
    if (decision?.claim.value.kind === 'labels') return { ...decision, until };
  }
  return null;
}

function isCertain(
  reading: Reading,
  decision: Decision | null,
  repeated: readonly Repetition[],
): boolean {
  if (decision === null || decision.until !== undefined) return false;
  if (decision.isOpen || decision.form.isLoose) return false;
  if (repeated.some(({ of }) => of === 'an example')) return false;
  const rivals = decision.form.isStated ? STATED : [decision.form, ...CORRECTIONS];
  const said = rivals.flatMap((form) => claimsOf(form, reading));
  const own = sayingKey(decision.claim);
  return said.every((claim) => !isTrusted(claim) || sayingKey(claim) === own);
}

function sayingKey({ value }: Claim): string {
  return value.kind === 'labels' ? value.labels.toSorted().join() : value.kind;
}

type Explained = Readonly<{ claim: Claim; form: Form; won: boolean; why: string }>;

/** Everything that a form read, in the order of the text, and why one claim decides. */
function explained(
  reading: Reading,
  decision: Decision | null,
  repeated: readonly Repetition[],
  whole: Reading,
): readonly Explained[] {
  const isWinner = (form: Form, { start, end }: Claim): boolean =>
    form === decision?.form && start === decision.claim.start && end === decision.claim.end;
  const ranges = analyses(reading);
  const lost = FORMS.flatMap((form) =>
    form
      .claims(reading)
      .filter((claim) => !isWinner(form, claim))
      .map((claim) => ({
        claim,
        form,
        won: false,
        why: whyLost(reading, decision, form, claim, ranges),
      })),
  );
  const aside = repeated.flatMap(({ range, of }) =>
    FORMS.flatMap((form) =>
      form
        .claims(whole)
        .filter(({ start }) => range[0] <= start && start < range[1])
        .map((claim) => ({ claim, form, won: false, why: `it is in ${of}` })),
    ),
  );
  const winner =
    decision === null
      ? []
      : [{ claim: decision.claim, form: decision.form, won: true, why: whyWon(decision) }];
  const from = ({ claim }: Explained) => claim.from ?? claim.start;
  return [...lost, ...aside, ...winner].sort((a, b) => from(a) - from(b));
}

function whyWon({ form, how, until }: Decision): string {
  if (until !== undefined) return 'it is before another question that the output invents';
  return how === 'correction'
    ? 'it corrects an earlier statement'
    : `the last claim of the strongest form that speaks, "${form.name}"`;
}

function whyLost(
  { cut }: Reading,
  decision: Decision | null,
  form: Form,
  claim: Claim,
  ranges: ReturnType<typeof analyses>,
): string {
  if (!isTrusted(claim)) return `doubted: ${claim.doubt}`;
  if (decision?.until !== undefined && claim.start >= decision.until)
    return 'it is in another question that the output invents';
  if (form.needsEnd && cut) return 'the output is cut off, and this form reads finished ones only';
  const isListed = ranges.some(([start, end]) => start <= claim.start && claim.start < end);
  if (form.isBlindToLists && isListed) return 'it is in a list that goes through the options';
  if (decision?.how === 'correction') return 'it was corrected later';
  if (decision === null) return 'it says nothing that decides';
  return decision.form === form
    ? 'a later claim of the same form counts'
    : `"${decision.form.name}" is a stronger form`;
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

function toOutcome(
  value: Value,
  { none, unsure, declined }: Question,
  asked: ChoiceQuestion,
): Outcome {
  switch (value.kind) {
    case 'labels':
      return toChoices(canonicalLabels(value.labels, asked), asked);
    case 'all':
      return { choices: allLabels(asked), state: 'answered' };
    case 'none':
      return choiceOf(none, 'none_stated');
    case 'unsure':
      return choiceOf(unsure ?? declined, 'refusal');
    case 'declined':
      return choiceOf(declined, 'refusal');
    case 'conflict':
    case 'unoffered':
      return { choices: null, state: 'conflict' };
  }
}

/** Two options are no answer where only one may be right. */
function toChoices(choices: readonly string[], { multiple }: ChoiceQuestion): Outcome {
  return multiple === false && choices.length > 1
    ? { choices: null, state: 'conflict' }
    : { choices, state: 'answered' };
}

/** When an option says "cannot be determined", the agent has chosen that option. */
function choiceOf(label: string | null, otherwise: Extraction['state']): Outcome {
  return label === null
    ? { choices: null, state: otherwise }
    : { choices: [label], state: 'answered' };
}

/** What a claim says: labels, "NONE", or null for no answer. */
function toSaying({ choices, state }: Outcome): string | null {
  return choices?.join() ?? (state === 'none_stated' ? 'NONE' : null);
}
