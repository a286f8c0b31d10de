import type { Range } from '../own-text.ts';
import { LEAD } from './statement.ts';
import type { Reading } from './tokens.ts';
import { anyOf, START, toPattern } from './words.ts';

const EXAMPLE = anyOf(
  `${START}${anyOf(
    'for (?:example|instance)|e\\. ?g\\.?|such as|example(?: (?:answer|output|response|format))?',
    '(?:(?:look|be|is|written|formatted)(?: something)?|a line|a sentence|reply|answer) like(?: this)?',
    'z\\. ?b\\.|zum beispiel|par exemple|por ejemplo|por exemplo|ad esempio|misalnya|например|örneğin|ví dụ',
  )}(?![\\p{L}])`,
  '例如|比如|譬如|示例|举例|例:|예를 들어|예:|例えば',
);
const SAYING =
  '(?:(?:you (?:can|may|could|should) )?(?:write|say|answer|output|reply|respond)(?: with)? ?:?)?';
/** 'for example "The answer is A"', "例如[正确答案]A", 'like this: {"answer": "A"}'. */
const EXAMPLE_OF_ANSWER = toPattern(
  `${EXAMPLE}[\\s,:;"'(\\[]{0,6}${SAYING}[\\s"'(\\[]{0,6}(?:(?:the |my |your )?${LEAD}|\\{\\s{0,3}["']|[<[]answer|⟦)`,
  'gu',
);
const MOST_EXAMPLES = 50;

/**
 * The ranges in which an output repeats the example of its instructions, each up to the end of its
 * sentence.
 */
export function examples({ lower }: Reading): readonly Range[] {
  return [...lower.matchAll(EXAMPLE_OF_ANSWER)]
    .slice(0, MOST_EXAMPLES)
    .map(({ 0: said, index }) => {
      const end = index + said.length;
      const rest = /^\s{0,3}[^\n。]{0,80}?(?=[\n。]|[.!?;]["')\]]{0,2}(?:\s|$)|$)/u.exec(
        lower.slice(end, end + 90),
      );
      return [index, end + (rest?.[0].length ?? 0)];
    });
}
