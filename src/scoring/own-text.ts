/** The text of a model's first message and its final channel. */
export type OwnText = Readonly<{
  /** The text, with thoughts. */
  text: string;
  /** The thinking blocks in the text, in order. */
  thoughts: readonly Range[];
  /** Whether the last of them is never closed. */
  truncated: boolean;
}>;

/** The end is exclusive. */
export type Range = readonly [start: number, end: number];

/** Finds the model's own text in an output, with or without the marks of a chat template. */
export function findOwnText(output: string): OwnText {
  // Most outputs have none of the signs with which a mark or a thinking tag begins.
  if (!/[<◁[]/.test(output)) return { text: output, thoughts: [], truncated: false };
  const message = ownMessage(output);
  const final = finalChannelStart(message);
  // Without a final channel all is thought, and generation stopped before the answer.
  if (final === null && CHANNEL.test(message)) {
    return { text: message, thoughts: [[0, message.length]], truncated: true };
  }
  const text = message.slice(final ?? 0);
  return { text, ...findThoughts(text) };
}

/** Replaces ranges of a text, which must be in order. */
export function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replace: (part: string) => string,
): string {
  let at = 0;
  const parts = ranges.map(([start, end]) => {
    const before = text.slice(at, start);
    at = end;
    return before + replace(text.slice(start, end));
  });
  return ranges.length === 0 ? text : parts.join('') + text.slice(at);
}

const MESSAGE_START = String.raw`(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|(?=(?:system|user|assistant)\|>))\s{0,3}`;
/** The start of an output that repeats its prompt in the form of a chat template. */
const PROMPT_FIRST = new RegExp(
  String.raw`^\s{0,9}(?:<s>|<\|begin_of_text\|>|<bos>)?\s{0,9}(?:${MESSAGE_START}(?:system|user)|\[INST\])`,
);
const ANSWER_STARTS = new RegExp(
  String.raw`(?:${MESSAGE_START}(?:assistant|model)(?:<\|end_header_id\|>|\|>)?|\[/INST\])`,
);
const ENDS = new RegExp(
  [
    String.raw`<\|(?:im_end|eot_id|endoftext|end_of_text|return)\|>|<\|end\|>(?!<\|start\|>)`,
    String.raw`</s>|<end_of_turn>|<eos>|\[INST\]|${MESSAGE_START}(?:user|system)`,
  ].join('|'),
  'g',
);
const MARK = /<\|[^|<>\n]{1,40}\|>(?:assistant|model)?|<s>|<start_of_turn>model|<bos>|\[\/INST\]/gu;

/**
 * The model's first message comes after a prompt that the output repeats, and before messages that
 * the model invents for the user.
 */
function ownMessage(output: string): string {
  const prompt = PROMPT_FIRST.test(output) ? ANSWER_STARTS.exec(output) : null;
  const text = prompt === null ? output : output.slice(prompt.index + prompt[0].length);
  return text.slice(0, messageEnd(text));
}

/** Where the answer ends. A mark before any text does not end it. */
function messageEnd(text: string): number {
  let said = 0;
  for (const { 0: mark, index } of text.matchAll(ENDS)) {
    if (/[\p{L}\p{N}]/u.test(text.slice(said, index).replace(MARK, ''))) return index;
    said = index + mark.length;
  }
  return text.length;
}

const FINAL_CHANNEL =
  /<\|channel\|>\s{0,3}final[^<\n]{0,40}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/gu;

const CHANNEL = /<\|channel\|>\s{0,3}(?:analysis|commentary)/u;

/**
 * The start of the last final channel, which has the answer; other channels have thoughts. Null
 * without one.
 */
function finalChannelStart(text: string): number | null {
  const last = [...text.matchAll(FINAL_CHANNEL)].at(-1);
  return last === undefined ? null : last.index + last[0].length;
}

const TAG =
  /[<◁](\/?)(?:think|thinking|thoughts?|reasoning|scratchpad|analysis|reflection|seed:think)\s{0,4}[>▷]|\[(\/?)think\]/giu;

/**
 * A closing tag without an opening tag ends a block that the template opened, so all text before it
 * is thinking.
 */
function findThoughts(text: string): Pick<OwnText, 'thoughts' | 'truncated'> {
  const thoughts: Range[] = [];
  let open: number | null = null;
  for (const { 0: tag, 1: angle, 2: square, index } of text.matchAll(TAG)) {
    const end = index + tag.length;
    if ((angle ?? square) === '') open ??= index;
    else {
      if (open === null) thoughts.splice(0, thoughts.length, [0, end]);
      else thoughts.push([open, end]);
      open = null;
    }
  }
  const truncated = open !== null && !isLastWord(text, open);
  if (open !== null && truncated) thoughts.push([open, text.length]);
  return { thoughts, truncated };
}

/** A tag at the end of a line opens no thinking block: an answer may be the name of the tag. */
function isLastWord(text: string, open: number): boolean {
  const lineStart = text.lastIndexOf('\n', open) + 1;
  const rest = text.slice(open).replace(/^.[^>▷\]]*./su, '');
  return text.slice(lineStart, open).trim() !== '' && rest.trim().length <= 3 && !/\w/.test(rest);
}
