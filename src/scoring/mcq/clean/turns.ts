import { pattern } from '../pattern.ts';
import { applyEdits, type TrackedText } from './tracked-text.ts';

const TURN =
  '(?:<\\|im_start\\|>|<\\|start_header_id\\|>|<start_of_turn>|<\\|(?=(?:system|user|assistant)\\|>))\\s{0,3}';
/** The output repeats its prompt in the form in which chat models get it. */
const PROMPT_FIRST = pattern(
  `^\\s{0,9}(?:<s>|<\\|begin_of_text\\|>|<bos>)?\\s{0,9}(?:${TURN}(?:system|user)|\\[INST\\])`,
);
const ANSWER_STARTS = pattern(`(?:${TURN}(?:assistant|model)(?:<\\|end_header_id\\|>|\\|>)?|\\[/INST\\])`);
const TURN_ENDS = pattern(
  `<\\|im_end\\|>|<\\|eot_id\\|>|<\\|endoftext\\|>|<\\|end_of_text\\|>|<\\|end\\|>(?!<\\|start\\|>)|</s>|<end_of_turn>|<eos>|\\[INST\\]|${TURN}(?:user|system)`,
  'g',
);
const MARK = /<\|[^|<>\n]{1,40}\|>(?:assistant|model)?|<s>|<start_of_turn>model|<bos>|\[\/INST\]/gu;

/** The model's own first turn: not the prompt before it, nor what it made up for the user after its end. */
export function firstTurn(source: TrackedText): TrackedText {
  const { text } = source;
  const start = PROMPT_FIRST.test(text) ? promptEnd(text) : 0;
  const end = start + turnEnd(text.slice(start));
  return start === 0 && end === text.length
    ? source
    : applyEdits(source, [
        { start: 0, end: start, text: '' },
        { start: end, end: text.length, text: '' },
      ]);
}

function promptEnd(text: string): number {
  const answer = ANSWER_STARTS.exec(text);
  return answer === null ? 0 : answer.index + answer[0].length;
}

/** A mark before anything is said ends no answer. */
function turnEnd(text: string): number {
  let said = 0;
  for (const mark of text.matchAll(TURN_ENDS)) {
    if (/[\p{L}\p{N}]/u.test(text.slice(said, mark.index).replace(MARK, ''))) return mark.index;
    said = mark.index + mark[0].length;
  }
  return text.length;
}
