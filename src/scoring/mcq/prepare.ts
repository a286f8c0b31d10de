import { findAll } from '../../words/find-all.ts';
import type { Range } from '../../words/ranges.ts';
import { ASIAN_EXAMPLE_WORDS, EXAMPLE_WORDS } from '../common-words.ts';
import { blank, cleanOutput, toLatinLabels } from './clean.ts';
import { echoes, numberings } from './items.ts';
import { anyOf, behind, matchAt, START, toPattern } from './patterns.ts';
import { type ChoiceQuestion, toQuestion } from './question.ts';
import { LEAD } from './statement.ts';
import type { Reading } from './tokens.ts';

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

const EXAMPLE = toPattern(
  anyOf(
    `${START}${anyOf(
      EXAMPLE_WORDS,
      'example(?: (?:answer|output|response|format))?',
      '(?:(?:look|be|is|written|formatted)(?: something)?|(?:write|give|state|put|format)(?: it| them| your answer)?|a line|a sentence|reply|answer) like(?: this)?',
    )}(?![\\p{L}])`,
    ASIAN_EXAMPLE_WORDS,
    '例:|예:',
  ),
  'gu',
);
const SAYING =
  '(?:(?:you (?:can|may|could|should) )?(?:write|say|answer|output|reply|respond)(?: with)? ?:?)?';
/** 'for example "The answer is A"', "例如[正确答案]A", 'like this: {"answer": "A"}'. */
const ANSWER_AT = toPattern(
  `[\\s,:;"'(\\[]{0,6}${SAYING}[\\s"'(\\[]{0,6}(?:(?:the |my |your )?${LEAD}|\\{\\s{0,3}["']|[<[]answer|⟦)`,
  'uy',
);
const MOST_EXAMPLES = 50;

/**
 * The ranges in which an output repeats the example of its instructions, each up to the end of its
 * sentence.
 */
function examples({ lower }: Reading): readonly Range[] {
  return [...findAll(lower, EXAMPLE)]
    .slice(0, MOST_EXAMPLES)
    .flatMap(({ 0: word, index }): readonly Range[] => {
      const answer = matchAt(ANSWER_AT, lower, index + word.length);
      if (answer === null) return [];
      const end = answer.index + answer[0].length;
      const rest = REST.exec(behind(lower, end, 'clause'));
      return [[index, end + (rest?.[0].length ?? 0)]];
    });
}

/** Up to the end of the sentence. */
const REST = /^\s{0,3}[^\n。]{0,80}?(?=[\n。]|[.!?;]["')\]]{0,2}(?:\s|$)|$)/u;
