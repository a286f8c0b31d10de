import type { Reply } from '../agents/scripted-server.ts';
import { type Api, type Fields, listOf } from './request.ts';

/**
 * What a server replies, in the form of its API. Whole forms are also streamed as the API streams
 * them; `rest` are further fields of the body.
 */
export type WireReply =
  /** A finished answer in any API. */
  | { readonly text: string; readonly rest?: Fields }
  /** Chat completions: the message of the choice, and what else the choice has. */
  | {
      readonly message: Fields | null;
      readonly finish?: string | null;
      readonly choice?: Fields;
      readonly rest?: Fields;
    }
  /** Chat completions, streamed only: the deltas, or a text as it is sent. */
  | {
      readonly deltas: readonly (Fields | string)[];
      readonly finish?: string | null;
      readonly rest?: Fields;
    }
  /** Anthropic's messages: the blocks. */
  | { readonly content: unknown; readonly stop?: string | null; readonly rest?: Fields }
  /** The Responses API: the items. */
  | { readonly output: unknown; readonly status?: string; readonly rest?: Fields }
  /** Any stream, event by event, or texts as they are sent. */
  | { readonly events: readonly (Fields | string)[] }
  /** Anything else. */
  | Reply;

type Told = WireReply & {
  readonly cut?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export function isStreamOnly(reply: WireReply): boolean {
  return 'deltas' in reply || 'events' in reply;
}

/** The message, blocks or items that the history repeats. */
export function toGiven(reply: WireReply): unknown {
  if ('message' in reply) return reply.message;
  if ('deltas' in reply) return { streamed: reply.deltas };
  if ('content' in reply) return { content: reply.content };
  return 'output' in reply ? { output: reply.output } : undefined;
}

/** The reply as it goes over the line. */
export function toSent(api: Api, reply: Told, isStreamed: boolean, usage: Fields): Reply {
  if ('body' in reply || 'fault' in reply) return reply;
  const { cut, headers } = reply;
  const more = { ...(cut === undefined ? {} : { cut }) };
  const events = 'events' in reply ? reply.events : toEvents(api, reply, isStreamed, usage);
  if (events === null)
    return { body: toBody(api, reply, usage), ...(headers && { headers }), ...more };
  const body = events
    .map((event) => (typeof event === 'string' ? event : toLine(api, event)))
    .join('');
  return { body, headers: { 'content-type': 'text/event-stream', ...headers }, ...more };
}

function toLine(api: Api, event: Fields): string {
  const name = api === 'openai-chat' ? '' : `event: ${event['type']}\n`;
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

function toEvents(api: Api, reply: WireReply, isStreamed: boolean, usage: Fields) {
  if ('deltas' in reply) return toDeltaChunks(reply.deltas, reply.finish, usage, reply.rest);
  if (!isStreamed) return null;
  const body = toBody(api, reply, usage);
  if (api === 'openai-chat') return toChunks(body);
  return api === 'openai' ? toResponseEvents(body) : toMessageEvents(body);
}

const HEAD = { id: 'reply_1', model: 'strict-model-2026' };

function toBody(api: Api, reply: WireReply, usage: Fields): Fields {
  const rest = 'rest' in reply ? reply.rest : {};
  if (api === 'openai-chat') {
    const message =
      'text' in reply ? { content: reply.text } : 'message' in reply ? reply.message : {};
    const ended = listOf(message?.['tool_calls']).length > 0 ? 'tool_calls' : 'stop';
    const finish_reason = 'finish' in reply ? reply.finish : ended;
    const said = message && { role: 'assistant', ...message };
    const choice = {
      index: 0,
      message: said,
      finish_reason,
      ...('choice' in reply && reply.choice),
    };
    return { ...HEAD, object: 'chat.completion', created: 1, choices: [choice], usage, ...rest };
  }
  if (api === 'openai') {
    const text = [
      { type: 'output_text', text: 'text' in reply ? reply.text : '', annotations: [] },
    ];
    const said = [
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: text },
    ];
    const output = 'output' in reply ? reply.output : said;
    const status = ('status' in reply && reply.status) || 'completed';
    return {
      ...HEAD,
      object: 'response',
      created_at: 1,
      status,
      output,
      usage,
      error: null,
      ...rest,
    };
  }
  const said = 'text' in reply ? [{ type: 'text', text: reply.text }] : [];
  const content = 'content' in reply ? reply.content : said;
  const ended = listOf(content).some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const stop_reason = 'stop' in reply ? reply.stop : ended;
  return {
    ...HEAD,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason,
    stop_sequence: null,
    usage,
    ...rest,
  };
}

/** Two pieces of a text, as a model writes it bit by bit. */
function halves(text: string): readonly [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function toChunk(choice: Fields): Fields {
  const choices = [{ index: 0, delta: {}, finish_reason: null, ...choice }];
  return { ...HEAD, object: 'chat.completion.chunk', created: 1, choices };
}

/** A whole completion as OpenAI streams it: each text and the arguments in two pieces. */
function toChunks({ choices, usage, ...rest }: Fields): readonly (Fields | string)[] {
  const [{ message, finish_reason, index, ...choice }] = choices;
  const { role = 'assistant', ...fields } = message ?? {};
  const pieces = Object.entries(fields).flatMap(([key, value]) => {
    if (key === 'tool_calls')
      return listOf(value)
        .flatMap(toCallPieces)
        .map((call) => ({ tool_calls: [call] }));
    return typeof value === 'string'
      ? halves(value).map((half) => ({ [key]: half }))
      : [{ [key]: value }];
  });
  const { id, model, object, created, ...more } = rest;
  return [
    toChunk({ delta: { role, content: '' } }),
    ...pieces.map((delta) => toChunk({ delta })),
    { ...toChunk({ finish_reason, ...choice }), ...more },
    { ...toChunk({}), choices: [], usage },
    'data: [DONE]\n\n',
  ];
}

function toCallPieces({ function: called, ...call }: Fields, index: number): readonly Fields[] {
  const { arguments: args, ...named } = called ?? {};
  if (typeof args !== 'string') return [{ index, ...call, function: called }];
  const [first, second] = halves(args);
  return [
    { index, ...call, function: { ...named, arguments: first } },
    { index, function: { arguments: second } },
  ];
}

function toDeltaChunks(
  deltas: readonly (Fields | string)[],
  finish: string | null = 'stop',
  usage: Fields,
  rest: Fields = {},
) {
  const isChunk = (delta: Fields) => 'choices' in delta || 'error' in delta;
  return [
    ...deltas.map((delta) =>
      typeof delta === 'string' || isChunk(delta) ? delta : toChunk({ delta }),
    ),
    ...(finish === null ? [] : [toChunk({ finish_reason: finish })]),
    { ...toChunk({}), choices: [], usage, ...rest },
    'data: [DONE]\n\n',
  ];
}

function toResponseEvents(response: Fields): readonly Fields[] {
  const items = listOf(response['output']).flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item },
    ...listOf(item['content']).flatMap(({ text = '' }, content_index) =>
      halves(String(text)).map((delta) => {
        const type = 'response.output_text.delta';
        return { type, item_id: item['id'], output_index, content_index, delta };
      }),
    ),
    { type: 'response.output_item.done', output_index, item },
  ]);
  const created = { ...response, status: 'in_progress', output: [] };
  const ended = `response.${response['status']}`;
  return [{ type: 'response.created', response: created }, ...items, { type: ended, response }];
}

/** The field of each block that grows, and what its deltas are called. */
const GROWING: Readonly<Record<string, readonly [field: string, delta: string]>> = {
  text: ['text', 'text_delta'],
  thinking: ['thinking', 'thinking_delta'],
  tool_use: ['input', 'input_json_delta'],
};

function toMessageEvents({
  content,
  stop_reason,
  stop_sequence,
  usage,
  ...rest
}: Fields): readonly Fields[] {
  const message = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage };
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...listOf(content).flatMap(toBlockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: usage?.output_tokens ?? 0 },
    },
    { type: 'message_stop' },
  ];
}

function toBlockEvents(block: Fields, index: number): readonly Fields[] {
  const [field, type] = GROWING[block['type']] ?? ['', ''];
  const { [field]: whole, signature, ...start } = block;
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole ?? {});
  const key = field === 'input' ? 'partial_json' : field;
  const deltas = field === '' ? [] : halves(text).map((half) => ({ type, [key]: half }));
  const signed = signature === undefined ? [] : [{ type: 'signature_delta', signature }];
  const begun = field === '' ? block : { ...start, [field]: field === 'input' ? {} : '' };
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...[...deltas, ...signed].map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}
