import { chat, messages, responses } from '../../agents/replies.ts';
import type { Api } from '../../wire/request.ts';

/** What a model says, before it is put into an API's form: a text or a call, and what it counts. */
export type Said = {
  readonly text?: string;
  /** `args` as the model wrote them, which may be no JSON. */
  readonly call?: { readonly name: string; readonly args: string };
  readonly usage?: { readonly input: unknown; readonly output: unknown; readonly cached?: unknown };
  /** A reply whose list of choices, output or content is empty. */
  readonly empty?: true;
  /** A whole reply that says that its server is still at it; the chat API has no word for that. */
  readonly unfinished?: true;
};

/**
 * One API's form of replies, whole and as a stream of events, each of which ends with an empty
 * line.
 */
export type Wire = {
  readonly kind: string;
  /** Whose rules its requests follow. */
  readonly api: Api;
  base(url: string): string;
  whole(said: Said): object;
  events(said: Said): readonly string[];
};

export const WIRES: readonly Wire[] = [
  {
    kind: 'openai',
    api: 'openai',
    base: (url) => `${url}/v1`,
    whole: toResponse,
    events: (said) => [responseEvent(toResponse(said))],
  },
  {
    kind: 'openai-chat',
    api: 'openai-chat',
    base: (url) => `${url}/v1`,
    whole: toCompletion,
    events: chatEvents,
  },
  {
    kind: 'anthropic',
    api: 'anthropic',
    base: (url) => url,
    whole: toMessage,
    events: messageEvents,
  },
  // In `src/agents/ai.test.ts` are the wires of other packages of the AI SDK.
  {
    kind: 'ai:openai',
    api: 'openai',
    base: (url) => `${url}/v1`,
    whole: toResponse,
    events: responseEvents,
  },
];

function toResponse({ text = '', call, usage, empty, unfinished }: Said) {
  const { body } = call === undefined ? responses.text(text) : responses.calls([call]);
  const { input, output, cached } = usage ?? {};
  const counts = {
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: { cached_tokens: cached },
  };
  return {
    ...body,
    ...(usage && { usage: counts }),
    ...(empty && { output: [] }),
    ...(unfinished && { status: 'in_progress' }),
  };
}

function responseEvent(response: object): string {
  const event = { type: 'response.completed', response };
  return toEvent(event);
}

/** The reply piece by piece, as OpenAI itself streams it. */
function responseEvents(said: Said): readonly string[] {
  const response = toResponse(said);
  const items = response.output.flatMap((output, output_index) => {
    const item = { ...output, status: 'completed' };
    const delta = { type: 'response.output_text.delta', item_id: item.id, delta: said.text };
    const written = { ...delta, output_index, content_index: 0 };
    return [
      { type: 'response.output_item.added', output_index, item },
      ...(item.type === 'message' && said.text ? [written] : []),
      { type: 'response.output_item.done', output_index, item },
    ];
  });
  const created = { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } };
  return [created, ...items, { type: 'response.completed', response }].map(toEvent);
}

function toCompletion({ text = '', call, usage, empty }: Said) {
  const { body } = call === undefined ? chat.text(text) : chat.calls([call]);
  const counts: object = usage === undefined ? body.usage : toChatUsage(usage);
  return { ...body, usage: counts, ...(empty && { choices: [] }) };
}

function toChatUsage({ input, output, cached }: NonNullable<Said['usage']>) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function chatEvents(said: Said): readonly string[] {
  const { model, usage } = toCompletion(said);
  const call = {
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: said.call?.name, arguments: said.call?.args },
  };
  const delta = said.call === undefined ? { content: said.text } : { tool_calls: [call] };
  const choices = (choice: object) =>
    said.empty ? [] : [{ index: 0, delta: {}, finish_reason: null, ...choice }];
  const chunks = [
    { model, choices: choices({ delta: { role: 'assistant', ...delta } }) },
    { model, choices: choices({ finish_reason: said.call === undefined ? 'stop' : 'tool_calls' }) },
    { model, choices: [], usage },
  ];
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
}

function toMessage({ text = '', call, usage, empty, unfinished }: Said) {
  const input = call === undefined ? null : parseOr(call.args);
  const use = { type: 'tool_use', id: 'c1', name: call?.name, input };
  const { body } =
    call === undefined ? messages.text(text) : messages.blocks([use], { stop_reason: 'tool_use' });
  const {
    input: input_tokens,
    output: output_tokens,
    cached: cache_read_input_tokens,
  } = usage ?? {};
  const counts = { input_tokens, output_tokens, cache_read_input_tokens };
  return {
    ...body,
    ...(usage && { usage: counts }),
    ...(empty && { content: [] }),
    ...(unfinished && { stop_reason: null }),
  };
}

function messageEvents(said: Said): readonly string[] {
  const message = toMessage(said);
  const { usage, stop_reason } = {
    stop_reason: said.call === undefined ? 'end_turn' : 'tool_use',
    usage: message.usage,
  };
  const use = { type: 'tool_use', id: 'c1', name: said.call?.name, input: {} };
  const block = said.call === undefined ? { type: 'text', text: '' } : use;
  const written = { type: 'input_json_delta', partial_json: said.call?.args };
  const delta = said.call === undefined ? { type: 'text_delta', text: said.text } : written;
  const content = [
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
  ];
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...(said.empty || said.text === '' ? [] : content),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ].map(toEvent);
}

function toEvent(data: { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Anthropic's arguments are an object, or what a server makes of something that is none. */
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
