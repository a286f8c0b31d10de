import type { Range } from '../../words/template-marks.ts';
import { ASIAN_EXAMPLE_WORDS, EXAMPLE_WORDS } from '../example-words.ts';
import { behind } from './reach.ts';
import { LEAD } from './statement.ts';
import { matchAt, type Reading } from './tokens.ts';
import { anyOf, START, toPattern } from './words.ts';

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
export function examples({ lower }: Reading): readonly Range[] {
  return [...lower.matchAll(EXAMPLE)]
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
