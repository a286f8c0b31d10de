import type { WireReply } from './forms.ts';
import type { Api, Fields } from './request.ts';

/** One case: what a server sends in turn, and what must come of it. */
export type Row = {
  readonly name: string;
  readonly api: Api;
  /** Both forms, unless the replies have one alone. */
  readonly form?: 'whole' | 'streamed';
  readonly replies: readonly WireReply[];
  /**
   * "answer: TEXT", "cut by REASON: TEXT", "no answer: REASON" or "error: KIND"; one of several, if all
   * are as good. By default the right answer.
   */
  readonly ends?: string | readonly string[];
  /** Requests, exactly; by default one for each reply. */
  readonly requests?: number;
  /** Texts in the last request, in any place. */
  readonly sent?: readonly string[];
  /** Texts that the last request may not have. */
  readonly unsent?: readonly string[];
  /** Texts that the message of an error may not have. */
  readonly unsaid?: readonly string[];
  /** Tokens as counted: input, output, cached; null if the server counted none. */
  readonly usage?: readonly [input: number, output: number, cached?: number] | null;
  /** False where a package of the AI SDK tells viva too little of the reply. */
  readonly byAi?: false;
  /** The reasoning of the first step, in the trace. */
  readonly reasoning?: string;
};

export const RIGHT = 'answer: The answer is B.';
export const REFUSED = 'no answer: refusal';

export const B: WireReply = { text: 'The answer is B.' };

/** The file that questions have, what a call for it must be, and what the model then reads. */
export const NOTE = 'note.txt';
export const NOTE_TEXT = 'The sum is 42.';
export const TOOL = 'read_attachment';
export const INPUT = { name: NOTE };
export const ARGS = JSON.stringify(INPUT);

/** Without it each pause takes half a second and more. */
export const SOON = { 'retry-after-ms': '1' };

/** A call of chat completions; `args` as the server gives them. */
export function chatCall(args: unknown = ARGS, more: Fields = {}, called: Fields = {}): Fields {
  return {
    id: 'c1',
    type: 'function',
    function: { name: TOOL, arguments: args, ...called },
    ...more,
  };
}

export function chatCalls(calls: readonly Fields[], message: Fields = {}): WireReply {
  return { message: { content: null, ...message, tool_calls: calls } };
}

/** A block of Anthropic that calls the tool. */
export function use(input: unknown = INPUT, more: Fields = {}): Fields {
  return { type: 'tool_use', id: 'toolu_1', name: TOOL, input, ...more };
}

/** An item of the Responses API that calls the tool. */
export function item(args: unknown = ARGS, more: Fields = {}): Fields {
  return {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c1',
    name: TOOL,
    arguments: args,
    status: 'completed',
    ...more,
  };
}

export function thought(id = 'rs_1', more: Fields = {}): Fields {
  return { type: 'reasoning', id, summary: [], encrypted_content: `ENC-${id}`, ...more };
}

/** An error with a status, in OpenAI's form unless `body` is another. */
export function refusal(status: number, error: unknown, body?: unknown): WireReply {
  return { status, headers: SOON, body: body ?? { error } };
}

/** The same in the form of Anthropic. */
export function anthropicError(status: number, type: string, message: string): WireReply {
  return refusal(status, null, { type: 'error', error: { type, message }, request_id: 'req_1' });
}

/** Rows of one API that differ by their name and first reply alone; the right answer follows. */
export function rows(
  api: Api,
  firsts: Readonly<Record<string, WireReply | readonly WireReply[]>>,
  right: Partial<Row> = {},
): readonly Row[] {
  return Object.entries(firsts).map(([name, replies]) => ({
    name,
    api,
    replies: Array.isArray(replies) ? replies : [replies],
    ...right,
  }));
}

/** Each first reply is followed by the right answer. */
export function before(
  firsts: Readonly<Record<string, WireReply | readonly WireReply[]>>,
): Readonly<Record<string, readonly WireReply[]>> {
  return Object.fromEntries(
    Object.entries(firsts).map(([name, replies]) => [name, [replies, B].flat()]),
  );
}

/** The events around the blocks of a streamed message of Anthropic. */
export const START = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 9, output_tokens: 1 },
  },
};
export const STOP = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];
