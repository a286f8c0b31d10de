const TURN = String.raw`(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|(?=(?:system|user|assistant)\|>))\s{0,3}`;
/** The output repeats its prompt in the form in which chat models get it. */
const PROMPT_FIRST = new RegExp(
  String.raw`^\s{0,9}(?:<s>|<\|begin_of_text\|>|<bos>)?\s{0,9}(?:${TURN}(?:system|user)|\[INST\])`,
);
const ANSWER_STARTS = new RegExp(String.raw`(?:${TURN}(?:assistant|model)(?:<\|end_header_id\|>|\|>)?|\[/INST\])`);
const ENDS_AND_STRIKES = new RegExp(
  String.raw`<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|<\|end_of_text\|>|<\|end\|>(?!<\|start\|>)|<\|return\|>|</?s>|<end_of_turn>|<eos>|\[INST\]|${TURN}(?:user|system)`,
  'g',
);
const MARK = /<\|[^|<>\n]{1,40}\|>(?:assistant|model)?|<s>|<start_of_turn>model|<bos>|\[\/INST\]/gu;

/**
 * Where the model's own first turn stands in an output that shows the marks of its chat template: behind the prompt
 * that the output repeats, and before what the model made up for the user after its end. `end` is exclusive.
 */
export function findOwnTurn(text: string): { readonly start: number; readonly end: number } {
  const start = PROMPT_FIRST.test(text) ? promptEnd(text) : 0;
  return { start, end: start + turnEnd(text.slice(start)) };
}

function promptEnd(text: string): number {
  const answer = ANSWER_STARTS.exec(text);
  return answer === null ? 0 : answer.index + answer[0].length;
}

/** A mark before anything is said ends no answer, nor does the `</s>` with which HTML strikes text out. */
function turnEnd(text: string): number {
  const first = text.search(/\S/);
  let said = 0;
  let strikes = false;
  for (const { 0: mark, index } of text.matchAll(ENDS_AND_STRIKES)) {
    if (mark === '<s>') {
      // At the very beginning it is a template's own.
      strikes = index > first;
    } else if (mark === '</s>' && strikes) {
      strikes = false;
    } else {
      if (/[\p{L}\p{N}]/u.test(text.slice(said, index).replace(MARK, ''))) return index;
      said = index + mark.length;
    }
  }
  return text.length;
}
