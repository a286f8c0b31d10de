/** What an output says in its own turn and its final channel: the text itself where it shows no marks of a template. */
export function ownWords(output: string): string {
  const { start, end } = findOwnTurn(output);
  const turn = output.slice(start, end);
  return turn.slice(finalChannelStart(turn));
}

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

const FINAL_CHANNEL = /<\|channel\|>\s{0,3}final[^<\n]{0,40}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/gu;

/** Where the last final channel of an output begins, behind its marks: what other channels say is only thought. 0 without one. */
export function finalChannelStart(text: string): number {
  const last = [...text.matchAll(FINAL_CHANNEL)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

const TAG = /<(\/?)(?:think|thinking|thought|reasoning)\s{0,4}>/gi;

/** What an output says outside its thinking blocks; `truncated` when the last block is never closed. */
export type Spoken = { readonly text: string; readonly truncated: boolean };

/**
 * Drops thinking blocks. A closing tag without an opening one ends a block that began before the output, so all text
 * before it goes; an opening one without an end takes the rest, unless it is the last word of a line (an answer may
 * be the name of the tag).
 */
export function dropThinking(output: string): Spoken {
  let kept = '';
  let from = 0;
  let open: number | null = null;
  for (const tag of output.matchAll(TAG)) {
    const end = tag.index + tag[0].length;
    if (tag[1] === '') {
      open ??= tag.index;
      continue;
    }
    kept = open === null ? '' : `${kept}${output.slice(from, open)}\n`;
    open = null;
    from = end;
  }
  if (open === null || isLastWord(output, open)) return { text: kept + output.slice(from), truncated: false };
  return { text: kept + output.slice(from, open), truncated: true };
}

function isLastWord(output: string, open: number): boolean {
  const lineStart = output.lastIndexOf('\n', open) + 1;
  const rest = output.slice(output.indexOf('>', open) + 1);
  return output.slice(lineStart, open).trim() !== '' && rest.trim().length <= 3 && !/\w/.test(rest);
}
