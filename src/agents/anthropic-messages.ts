import { BLOCKED_DOMAINS } from '../tools/web/leak-guard.ts';
import type { TokenCounts, Turn } from './converse.ts';
import { chooseHosted, findAnthropicCalls, type HostedName, type HostedTool, hostedTool } from './hosted-tools.ts';
import { toReplyError } from './model-error.ts';
import { field, isNoText, listField, textField } from './outside-value.ts';
import { toTokenCounts } from './price.ts';

/** A whole message without the reason why it ends is not finished; one that is streamed ends by its last event. */
export function checkStopped<T>(message: T): T {
  if (field(message, 'stop_reason') !== null) return message;
  throw toReplyError(message, 'The message is not finished, its "stop_reason" is null');
}

/** A message of the Messages API. Calls count only where it stopped for them: a cut one may lack half of its input. */
export function toAnthropicTurn(message: unknown): Turn {
  if (!Array.isArray(field(message, 'content'))) {
    throw toReplyError(message, 'The server answered without a list "content"');
  }
  const blocks = listField(message, 'content');
  if (blocks.length > 0 && blocks.every((block) => textField(block, 'type') === null)) {
    throw toReplyError(message, 'The server answered with a list "content" that holds no block');
  }
  if (blocks.some((block) => field(block, 'type') === 'text' && isNoText(block, 'text'))) {
    throw toReplyError(message, 'The server answered with a block whose "text" is no text');
  }
  const stop = textField(message, 'stop_reason');
  const calls = stop === 'tool_use' ? blocks.filter((block) => field(block, 'type') === 'tool_use') : [];
  return {
    text: joinTexts(blocks),
    flaw: toFlaw(stop),
    reasoning: join(blocks.map((block) => textField(block, 'thinking'))),
    calls: calls.map((block) => ({
      id: textField(block, 'id') ?? '',
      name: textField(block, 'name') ?? '',
      arguments: toArguments(field(block, 'input')),
    })),
    served: findAnthropicCalls(blocks),
    stop,
    usage: toUsage(field(message, 'usage')),
    model: textField(message, 'model'),
  };
}

function toFlaw(stop: string | null): Turn['flaw'] {
  if (stop === 'refusal' || stop === 'max_tokens') return stop;
  return stop === 'model_context_window_exceeded' ? 'context_window' : null;
}

/** Anthropic's `input_tokens` leaves out what was read from a cache or written to one. */
function toUsage(usage: unknown): TokenCounts | null {
  const said = {
    input_tokens: field(usage, 'input_tokens'),
    output_tokens: field(usage, 'output_tokens'),
    cached_tokens: field(usage, 'cache_read_input_tokens'),
    reasoning_tokens: field(field(usage, 'output_tokens_details'), 'thinking_tokens'),
    cache_write_tokens: field(usage, 'cache_creation_input_tokens'),
  };
  return toTokenCounts(said, { cacheApart: true });
}

/** Texts that follow each other are one: where it cites a source, the API cuts a sentence into blocks. */
function joinTexts(blocks: readonly unknown[]): string | null {
  const paragraphs: string[] = [];
  let open = false;
  for (const block of blocks) {
    const isText = field(block, 'type') === 'text';
    const text = isText ? (textField(block, 'text') ?? '') : '';
    if (isText && open) paragraphs.push((paragraphs.pop() ?? '') + text);
    else if (isText) paragraphs.push(text);
    open = isText;
  }
  return join(paragraphs.filter((paragraph) => paragraph !== ''));
}

function join(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n') || null;
}

/** The one field of a tool's input that stands for arguments that were no JSON object. */
const MALFORMED = 'malformed_arguments';

/** A tool's input as the model wrote it. */
export function toArguments(input: unknown): string {
  return textField(input, MALFORMED) ?? JSON.stringify(input ?? {});
}

/**
 * A fetch whose streamed replies hold well-formed arguments of tools: the SDK ends a conversation at a model's slip in
 * its JSON. What is none is put into an object, so that the tool can refuse it and the model can try again.
 */
export function mendToolInput(send: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const { body, status, headers } = response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
    if (!isStream || !response.ok || body === null) return response;
    return new Response(
      body.pipeThrough(new TextDecoderStream()).pipeThrough(mendEvents()).pipeThrough(new TextEncoderStream()),
      { status, headers },
    );
  };
}

/** Holds the pieces of each block's arguments back until the block ends. */
function mendEvents(): TransformStream<string, string> {
  const pieces = new Map<unknown, string>();
  let rest: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const before = rest.at(-1)?.slice(-2) ?? '';
      rest.push(chunk);
      // A long event comes in many chunks: to join them all at each would take the square of its length.
      if (!/\n\r?\n/.test(before + chunk)) return;
      const events = rest.join('').split(/(?<=\n\r?\n)/);
      rest = [events.pop() ?? ''];
      for (const event of events) controller.enqueue(mendEvent(event, pieces));
    },
    flush(controller) {
      controller.enqueue(mendEvent(rest.join(''), pieces));
    },
  });
}

function mendEvent(event: string, pieces: Map<unknown, string>): string {
  if (!/input_json_delta|content_block_stop/.test(event)) return event;
  const data = parse(/^data: ?(.*)$/m.exec(event)?.[1] ?? '');
  const index = field(data, 'index');
  const delta = field(data, 'delta');
  if (field(delta, 'type') === 'input_json_delta') {
    pieces.set(index, (pieces.get(index) ?? '') + (textField(delta, 'partial_json') ?? ''));
    return '';
  }
  const written = pieces.get(index);
  if (field(data, 'type') !== 'content_block_stop' || written === undefined) return event;
  pieces.delete(index);
  const whole = { type: 'input_json_delta', partial_json: mend(written) };
  const before = JSON.stringify({ type: 'content_block_delta', index, delta: whole });
  return `event: content_block_delta\ndata: ${before}\n\n${event}`;
}

/** Nothing at all is how a tool without arguments is called. */
function mend(written: string): string {
  const value = parse(written);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return written.trim() === '' || isObject ? written : JSON.stringify({ [MALFORMED]: written });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SEARCHES = ['web_search_20250305', 'web_search_20260209', 'web_search_20260318'] as const;
const FETCHES = ['web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318'] as const;
const CODES = ['code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521'] as const;

/** The provider's own tools by parameter: "on" is the first version, which every model knows that has the tool. */
export const ANTHROPIC_HOSTED = {
  web_search: hostedTool(...SEARCHES),
  web_fetch: hostedTool(...FETCHES),
  code_execution: hostedTool(...CODES),
} as const;

type Version<T extends readonly string[]> = 'on' | 'off' | T[number];

type Values = {
  readonly tools?: boolean;
  readonly web_search?: Version<typeof SEARCHES>;
  readonly web_fetch?: Version<typeof FETCHES>;
  readonly code_execution?: Version<typeof CODES>;
};

/** As requests name them: what reads the web leaves the sites out that hold copies of GAIA. */
export function chooseAnthropicTools(values: Values, committed: readonly HostedName[]) {
  const setting = values.tools === false ? [] : committed;
  const search = chooseHosted<(typeof SEARCHES)[number]>('web_search', values.web_search, SEARCHES[0], setting);
  const fetch = chooseHosted<(typeof FETCHES)[number]>('web_fetch', values.web_fetch, FETCHES[0], setting);
  const code = chooseHosted<(typeof CODES)[number]>('code_execution', values.code_execution, CODES[0], setting);
  const blocked_domains = [...BLOCKED_DOMAINS];
  return [
    ...(search === null ? [] : [{ type: search, name: 'web_search' as const, blocked_domains }]),
    ...(fetch === null
      ? []
      : [{ type: fetch, name: 'web_fetch' as const, blocked_domains, max_content_tokens: 30_000 }]),
    ...(code === null ? [] : [{ type: code, name: 'code_execution' as const }]),
  ];
}

export type AnthropicHosted = ReturnType<typeof chooseAnthropicTools>;

export function describeAnthropicTools(tools: AnthropicHosted): readonly HostedTool[] {
  return tools.map(({ type, name }) => ({ type, guarded: name === 'code_execution' ? null : true }));
}
