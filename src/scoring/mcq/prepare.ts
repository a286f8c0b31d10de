import type { Range } from '../../words/template-marks.ts';
import { blank, cleanOutput } from './clean.ts';
import { examples } from './example.ts';
import { echoes, numberings } from './items.ts';
import { toLatinLabels } from './look-alikes.ts';
import { type ChoiceQuestion, toQuestion } from './question.ts';
import type { Reading } from './tokens.ts';

/** An output, prepared for the forms. */
export type Prepared = Readonly<{
  /** Without the parts in which no label is an answer. */
  reading: Reading;
  /** With them. */
  whole: Reading;
  left: readonly LeftOut[];
  /** Whether the output ends inside a thinking block. */
  truncated: boolean;
  /** The place in the output of a place in the text. */
  place: (at: number) => number;
}>;

/** Prepares an output. */
export function prepare(output: string, { choices, multiple }: ChoiceQuestion): Prepared {
  const { text: written, ends, ...cleaned } = cleanOutput(output);
  const question = toQuestion(choices);
  const text = toLatinLabels(written, question.labels.ordered);
  const whole = toReading(text, { question, multiple, ends });
  const left = leftOut(whole);
  const ranges = left.map(({ range }) => range);
  const reading = left.length === 0 ? whole : toReading(blank(text, ranges), whole);
  return { ...cleaned, whole, left, reading };
}

/** A text with what else the forms need. */
export function toReading(
  text: string,
  given: Pick<Reading, 'question' | 'multiple' | 'ends'>,
): Reading {
  // "İ" becomes longer in lower case. It stays as it is, so positions remain the same in both
  // texts.
  const lower = text.replace(/[^İ]+/gu, (part) => part.toLowerCase());
  const { question, multiple, ends } = given;
  return { text, lower, question, multiple, ends, cut: isCut(text) };
}

/** A part of the output in which no label is an answer. */
type LeftOut = Readonly<{
  range: Range;
  of: 'a repeated list of the options' | 'an example' | 'a numbering of labels';
}>;

function leftOut(reading: Reading): readonly LeftOut[] {
  const found: readonly LeftOut[] = [
    ...echoes(reading).map((range) => ({ range, of: 'a repeated list of the options' }) as const),
    ...numberings(reading).map((range) => ({ range, of: 'a numbering of labels' }) as const),
    ...examples(reading).map((range) => ({ range, of: 'an example' }) as const),
  ].sort((a, b) => a.range[0] - b.range[0]);
  return found.filter(({ range }, i) => (found[i - 1]?.range[1] ?? 0) <= range[0]);
}

const DANGLING =
  /(?<![=+*/])[\s,](?:the|a|an|of|to|and|or|is|are|in|for|with|by|as|that|we|it|from|on|at|be|this|if|not|which|because|but|so)$/u;
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
