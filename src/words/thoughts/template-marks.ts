import { findAll } from '../find-all.ts';
import type { Range } from '../ranges.ts';
import { isSpokenOf } from './spoken-of.ts';

/*
 * The marks of chat templates. Models write them where they should only end their message, and
 * servers that do not know a model let them through. Tokenizers differ in the bars (| and ｜), the
 * gaps (_ and ▁) and the words; all known combinations are read.
 */

const OPEN = String.raw`[<\[][|｜]`;
const CLOSE = String.raw`[|｜][>\]]`;
/** What a mark may say that it ends. Others, such as "end_of_box" and "end_header_id", end a part. */
const MESSAGE =
  'text|sentence|turn|message|msg|document|doc|sequence|utterance|response|answer|solution|assistant|output|chat|conversation|dialogue?|generation|reply';
const END_OF = `end[_▁-]?(?:of[_▁-]?)?(?:${MESSAGE})(?:_token|_id)?`;
const OTHERS = 'user|human|customer|system|developer|observation|tool|function|ipython|environment';
const MODEL = 'assistant|model|chatbot|bot|moss|gpt';

/** What stands before the name of who speaks: "<|im_start|>user". */
const HEAD = String.raw`(?:<\|(?:im_start|start_header_id|header_start|start_of_role|start|begin|turn)\|?>|<start_of_turn>)\s{0,3}`;
const HEAD_END = String.raw`(?:<\|(?:end_header_id|header_end|end_of_role|im_sep|im_middle|message|content)\|>)?`;

const nameOf = (who: string) =>
  `${OPEN}(?:im_|hy_|start_?of_?)?(?:${who})(?:_token|_start)?${CLOSE}`;
const OTHER_STARTS = String.raw`(?:${HEAD}(?:${OTHERS})(?![\w.])|${nameOf(OTHERS)})`;
const MODEL_STARTS = String.raw`(?:${HEAD}(?:${MODEL})(?![\w.])${HEAD_END}|${nameOf(MODEL)}(?:(?:${MODEL})${HEAD_END})?)`;

/** The start of an output that repeats its prompt in the form of a chat template. */
const PROMPT_FIRST = new RegExp(
  String.raw`^\s{0,9}(?:(?:<s>|<bos>|\[gMASK\]|<sop>|${OPEN}begin[_▁]of[_▁](?:text|sentence)${CLOSE}|<\|startoftext\|>)\s{0,9}){0,2}(?:${OTHER_STARTS}|\[INST\])`,
  'iu',
);
const MODEL_START = new RegExp(String.raw`${MODEL_STARTS}|\[/INST\]`, 'iu');

/** A channel of harmony may follow. */
const NO_MORE = String.raw`(?!\s{0,3}<\|(?:start|begin)\|>(?!\s{0,3}(?:${OTHERS})(?![\w.])))`;
const ENDS = new RegExp(
  [
    `${OPEN}(?:im_end(?!\\|>\\s{0,3}<\\|im_start\\|>\\s{0,3}(?:think|answer)\\b)|hy_end|return|stop|eo[sahmtdp](?:_id|_token)?|${END_OF}|(?:${MESSAGE}|role)[_▁-]end)${CLOSE}`,
    String.raw`<\|(?:end|call)\|>${NO_MORE}`,
    // "<eoa>" ends an answer too, but prompts of Chinese examinations name it, and models repeat them.
    String.raw`</s>|<turn\|>|<(?:eo[shmtdp]|${END_OF})>|\[(?:EO[SMT]|END FINAL RESPONSE)\]|\[INST\]`,
    OTHER_STARTS,
    // What is left of "<|eot_id|><|start_header_id|>user<|end_header_id|>" without its marks.
    String.raw`(?<=[.!?)\]}"*$\d])(?:assistant(?!\n\n(?:final|analysis|commentary)\s)|user)\n\n`,
  ].join('|'),
  'giu',
);
const MARK = new RegExp(
  [
    MODEL_STARTS,
    String.raw`${OPEN}[\p{L}\p{N}_▁:./-]{1,60}${CLOSE}`,
    String.raw`<\|[a-z_]{2,20}>|<[a-z_]{2,20}\|>`,
    String.raw`<(?:bos|pad|sop|eo[sahmtdp]|start_of_turn|${END_OF}|unused\d{1,3})>`,
    // "[[gMASK]]sop" is how ChatGLM's prompt looks without its marks.
    String.raw`\[{1,2}gMASK\]{1,2}(?:\s{0,3}<?sop>?(?![a-z]))?`,
    String.raw`\[(?:/INST|EO[SMT]|PAD|unused\d{1,3})\]|</s>`,
    // At the end of a message alone, since texts have them elsewhere: "- [DONE] Sweep".
    String.raw`(?<=\S\s{0,9})(?:<(?:unk|sep|extra_id_\d{1,3}|0x[\dA-F]{2})>|\[(?:BOS|SEP|DONE)\]){1,9}(?=\s{0,9}$)`,
  ].join('|'),
  'giu',
);
/** At the start of a message these are no text. */
const FIRST = /^\s{0,9}(?:<s>|assistant\n)/u;

/**
 * The place of the model's first message in an output: after a prompt that the output repeats, and
 * before messages that the model invents for others.
 */
export function findOwnMessage(output: string): Range {
  const prompt = PROMPT_FIRST.test(output) ? MODEL_START.exec(output) : null;
  const start = prompt === null ? 0 : prompt.index + prompt[0].length;
  return [start, start + messageEnd(output.slice(start))];
}

/** Where the answer ends. A mark before any text does not end it. */
function messageEnd(text: string): number {
  let markEnd = 0;
  for (const { 0: mark, index } of findAll(text, ENDS)) {
    const end = index + mark.length;
    if (isSpokenOf(text, index, end) || isStruck(text, mark, index)) continue;
    if (/[\p{L}\p{N}]/u.test(text.slice(markEnd, index).replace(MARK, '').replaceAll('<s>', '')))
      return index;
    markEnd = end;
  }
  return text.length;
}

/** "It costs <s>10</s> 8." is HTML. At the start of a message "<s>" is a mark. */
function isStruck(text: string, mark: string, end: number): boolean {
  if (mark !== '</s>') return false;
  const from = Math.max(0, end - 200);
  const open = text.slice(from, end).lastIndexOf('<s>');
  return open >= 0 && text.slice(Math.max(0, from + open - 200), from + open).trim() !== '';
}

/** The marks in a message, in order. */
export function findMarks(text: string): readonly Range[] {
  const [first] = FIRST.exec(text) ?? [];
  const marks: Range[] = first === undefined ? [] : [[0, first.length]];
  for (const { 0: mark, index } of findAll(text, MARK)) {
    const end = index + mark.length;
    if (!isSpokenOf(text, index, end) && !isStruck(text, mark, index)) marks.push([index, end]);
  }
  return marks;
}
