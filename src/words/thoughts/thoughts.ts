import { findAll } from '../find-all.ts';
import { type Range, replaceRanges, toSpaces } from '../ranges.ts';
import { trimUnseen } from '../unseen.ts';
import { parseWholeJson } from '../whole-json.ts';
import { findMarks, findOwnMessage } from './template-marks.ts';
import { findThoughts } from './thought-tags.ts';

/** The text of a model's first message and its final channel, with the places of what is no answer. */
export type OwnText = Readonly<{
  /** The text with its thoughts and marks, as it stands in the output from `offset` on. */
  text: string;
  /** The place of the text in the output. */
  offset: number;
  /** The thinking blocks in the text, in order. */
  thoughts: readonly Range[];
  /** Marks of a chat template in the text, in order, outside of its thoughts. */
  marks: readonly Range[];
  /** Whether the last thinking block is never closed: generation stopped before the answer. */
  truncated: boolean;
}>;

/**
 * Finds what a model says in an output, and what it thinks. Tags such as `<think>`, harmony's
 * channels and the marks of chat templates are known; a text that only speaks about a tag stays.
 * Never throws, and takes linear time.
 *
 * @example
 * ownText('<think>6 or 7?</think>7<|im_end|>');
 * // { text: '<think>6 or 7?</think>7', offset: 0, thoughts: [[0, 22]], marks: [], truncated: false }
 */
export function ownText(output: string): OwnText {
  // Most outputs have none of the signs with which a mark begins.
  if (!SIGN.test(output)) return { ...NOTHING, text: output, offset: 0 };
  if (/^\s*[{[`]/.test(output) && parseWholeJson(output) !== undefined) return readJson(output);
  const [start, end] = findOwnMessage(output);
  const message = output.slice(start, end);
  const answer = findAnswerPart(message);
  if (answer === null) {
    const thoughts = [[0, message.length]] as const;
    return { ...NOTHING, text: message, offset: start, thoughts, truncated: true };
  }
  const text = message.slice(...answer);
  const { thoughts, truncated } = findThoughts(text);
  const marks = leaveOut(thoughts, [...findMarks(text), ...findWrapper(text, thoughts)]);
  return { text, offset: start + answer[0], thoughts, marks, truncated };
}

/**
 * What a model says in an output, without its thoughts and marks, and without spaces and unseen
 * characters at its ends. "" if it ends in an unfinished thought: then there is no answer.
 *
 * @example
 * withoutThoughts('<think>6 or 7?</think>\n\n7<|im_end|>'); // '7'
 * withoutThoughts('It may be 6. <think>Or'); // ''
 */
export function withoutThoughts(output: string): string {
  const { text, thoughts, marks, truncated } = ownText(output);
  return truncated ? '' : trimUnseen(cutOut(text, byStart([...thoughts, ...marks])));
}

/**
 * What a model says, with blanks instead of its thoughts and marks: all else keeps its place. A
 * thought is a line of its own.
 */
export function blankThoughts({
  text,
  thoughts,
  marks,
}: Pick<OwnText, 'text' | 'thoughts' | 'marks'>): string {
  const unmarked = replaceRanges(text, marks, toSpaces);
  return replaceRanges(unmarked, thoughts, (part) => `\n${toSpaces(part.slice(2))}\n`);
}

const NOTHING = { thoughts: [], marks: [], truncated: false } as const;

/** How each form of thoughts without tags begins, and what first ends it: the answer comes next. */
const FORMS: readonly (readonly [start: RegExp, answer: RegExp])[] = [
  // Harmony without its marks, which a decoder has skipped.
  [
    /^\s{0,9}(?:assistant\s{0,4}(?:analysis|commentary|final)|analysis|commentary)/,
    /assistant(?:final|\s{0,4}\n\s{0,4}final(?=\s{0,3}\n))(?:\s{0,3}json(?=\s{0,3}[[{]))?/,
  ],
  [/^/, /\[BEGIN FINAL RESPONSE\]/],
  [/^\s{0,9}Here(?:['’]s| is) my thought process:/i, /Here(?:['’]s| is) my response:/i],
  [/^\s{0,9}## Thinking[^\S\n]{0,9}\n/, /\n## Final Response[^\S\n]{0,9}\n/],
  // As a program for the terminal prints them.
  [/^\s{0,9}Thinking\.\.\.\s{0,3}\n/, /\n\.{3}done thinking\.\s{0,3}\n/],
  // As a page of a chat keeps them.
  [/^\s{0,9}<details type="reasoning"/, /<\/details>/],
];

const SIGN = /[<◁[]|&lt;|assistant|^\s*(?:analysis|Here|## T|Thinking)/;

const CHANNEL = String.raw`[^<\n]{0,40}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>`;
const FINAL_CHANNEL = new RegExp(
  String.raw`(?:<\|channel\|>\s{0,3}|^\s{0,9})final${CHANNEL}`,
  'gu',
);
const OTHER_CHANNEL = new RegExp(
  String.raw`(?:<\|channel\|>\s{0,3}|^\s{0,9})(?:analysis|commentary)${CHANNEL}|<\|channel\|>\s{0,3}[^<\n]{0,80}$`,
  'u',
);
const CHANNEL_END = /<\|(?:end|return|call|start|channel)\|>/u;

/** "analysisWe need to" begins a thought of harmony without its marks; "analysisResult" is a name. */
const STRIPPED_THOUGHT =
  /^\s{0,9}(?:assistant)?analysis(?:\p{Lu}[\p{L}'’]{0,30},?\s{1,2}\p{L}|\p{Script=Han}|["“]\S)/u;

/**
 * The place of the answer in a message whose form has no tags for thoughts. Null where the message
 * ends before the answer: all of it is thought.
 */
function findAnswerPart(message: string): Range | null {
  const final = [...findAll(message, FINAL_CHANNEL)].at(-1);
  if (final !== undefined) {
    const start = final.index + final[0].length;
    const end = message.slice(start).search(CHANNEL_END);
    return [start, end < 0 ? message.length : start + end];
  }
  if (OTHER_CHANNEL.test(message)) return null;
  for (const [start, answer] of FORMS) {
    const found = start.test(message) ? answer.exec(message) : null;
    if (found !== null) return [found.index + found[0].length, message.length];
  }
  return STRIPPED_THOUGHT.test(message) ? null : [0, message.length];
}

/** Of an output that is JSON: tags in its texts are data, unless they are whole blocks. */
function readJson(output: string): OwnText {
  const { thoughts, truncated } = findThoughts(output);
  const closed = thoughts.slice(0, truncated ? -1 : undefined).filter(([start]) => start > 0);
  return { ...NOTHING, text: output, offset: 0, thoughts: closed };
}

/** "<response>" and "</response>" around all that comes after the thoughts. */
function findWrapper(text: string, thoughts: readonly Range[]): readonly Range[] {
  const start = thoughts.at(-1)?.[1] ?? text.length;
  const [open] = /^\s{0,9}<response>/.exec(text.slice(start)) ?? [];
  if (open === undefined) return [];
  const close = /<\/response>\s{0,9}$/.exec(text.slice(Math.max(start, text.length - 30)));
  const first = [start, start + open.length] as const;
  return close === null ? [first] : [first, [text.length - close[0].length, text.length]];
}

function byStart(ranges: readonly Range[]): readonly Range[] {
  return ranges.toSorted(([a], [b]) => a - b);
}

/** The ranges of which no part is in others; both are in order. */
function leaveOut(others: readonly Range[], ranges: readonly Range[]): readonly Range[] {
  let next = 0;
  return byStart(ranges).filter(([start, end]) => {
    while ((others[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next++;
    return (others[next]?.[0] ?? end) >= end;
  });
}

/** A text without ranges of it. Words between which one stood do not join, and spaces do. */
function cutOut(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, next] of [...ranges, [text.length, text.length] as const]) {
    const part = text.slice(at, start);
    const end = parts.at(-1)?.slice(-2) ?? '';
    const isJoined = WORD_END.test(end) && WORD_START.test(part);
    const rest = end.endsWith(' ') ? part.replace(/^ /, '') : part;
    if (rest !== '') parts.push(isJoined ? ` ${rest}` : rest);
    at = next;
  }
  return parts.join('');
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;
