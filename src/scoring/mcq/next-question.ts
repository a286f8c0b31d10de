import { anyOf } from './words.ts';

/** What begins a question at the start of a line. */
const HEADING = anyOf('next question|question|q|problem|human|user|instruction|exercise');
const NEXT_QUESTION = new RegExp(
  `\\n[ \\t]{0,8}(?:${HEADING}[ \\t]{0,3}\\d{0,4}[ \\t]{0,3}[:.)]|question \\d{1,4}[ \\t]{0,8}\\n)`,
  'giu',
);

/** The places after some text where another question may begin, in order. */
export function* nextQuestions(text: string): Generator<number> {
  for (const { index } of text.matchAll(NEXT_QUESTION))
    if (text.slice(0, index).trim() !== '') yield index;
}
