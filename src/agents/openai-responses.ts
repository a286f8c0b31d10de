import type OpenAI from 'openai';
import { numberFrom, oneOf, onOff, wholeNumber } from '../text/setting-values.ts';
import { type MediaPart, toDataUrl } from '../tools/media.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { Agent } from '../types.ts';
import { type AgentSpec, readParameters } from './agent-spec.ts';
import { type Conversation, converse, request, type ToolCall, type Turn } from './converse.ts';
import {
  chooseHosted,
  findResponsesCalls,
  type HostedName,
  type HostedTool,
  hostedTool,
  SERVED_ITEMS,
} from './hosted-tools.ts';
import { COMMON_PARAMETERS, createModelAgent, type ModelSetting, type Talk } from './model-agent.ts';
import { createModelError, kindOfCode, toReplyError } from './model-error.ts';
import { createOpenAI, findOpenAIServer, toOpenAIUsage } from './openai-client.ts';
import { defined, field, isNoPartList, isNoText, listField, textField } from './outside-value.ts';
import { OPENAI_MEDIA } from './transcript.ts';

/** The provider's own tools by parameter; its search reads pages too. */
export const OPENAI_HOSTED = { web_search: hostedTool(), code_execution: hostedTool() } as const;
const PARAMETERS = {
  ...COMMON_PARAMETERS,
  ...OPENAI_HOSTED,
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  max_output_tokens: wholeNumber(1),
  reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  verbosity: oneOf('low', 'medium', 'high'),
  service_tier: oneOf('auto', 'default', 'flex', 'priority'),
  /** "off" for compatible servers that refuse `store` and `include`; reasoning is then not replayed. */
  encrypted_reasoning: onOff(),
} as const;

type Parameters = ReturnType<typeof readParameters<typeof PARAMETERS>>;

/**
 * `openai:MODEL`: OpenAI's Responses API, or a compatible server's. OpenAI is asked to store nothing between requests,
 * unless `encrypted_reasoning=off` leaves `store` to the server.
 */
export async function createOpenAIResponses(spec: AgentSpec, setting: ModelSetting): Promise<readonly Agent[]> {
  const parameters = readParameters(spec, PARAMETERS);
  const hosted = chooseOpenAITools(parameters, setting.hosted ?? []);
  const agent = await createModelAgent(spec, parameters, setting, {
    listed: hasListPrice(parameters) ? { provider: 'openai', host: 'openai.com' } : null,
    media: OPENAI_MEDIA,
    transcribes: true,
    hosted: describeOpenAITools(hosted),
    findServer: findOpenAIServer,
    createClient: createOpenAI,
    hold: async (talk) => {
      const body = toRequest(talk, parameters, hosted);
      return converse(startConversation(await createOpenAI(talk.client), talk, body), talk);
    },
  });
  return [agent];
}

/** The lists hold the standard tier's prices. */
function hasListPrice({ service_tier }: Parameters): boolean {
  return service_tier !== 'flex' && service_tier !== 'priority';
}

function startConversation(client: OpenAI, talk: Talk, fixed: ReturnType<typeof toRequest>): Conversation {
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: talk.prompt }];
  return {
    ask: async () => {
      const { turn, output } = await request(talk, [client.apiKey], async () => {
        const response = await respond(client, { ...fixed, input: [...input] }, talk);
        return { turn: toResponsesTurn(response), output: response.output };
      });
      // Reasoning goes back with the rest: without it a reasoning model starts its thoughts anew.
      input.push(...output.filter(isReplayable));
      return turn;
    },
    tell: (results) => {
      for (const { call, result } of results) {
        input.push({ type: 'function_call_output', call_id: call.id, output: toResponsesOutput(result) });
      }
    },
  };
}

function toRequest(talk: Talk, parameters: Parameters, hosted: readonly OpenAIHosted[]) {
  const { reasoning_effort, verbosity, encrypted_reasoning = true } = parameters;
  const own = talk.tools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...schema },
    strict: false,
  }));
  const tools = [...own, ...hosted];
  const replayed = encrypted_reasoning ? ['reasoning.encrypted_content' as const] : [];
  const include = [...replayed, ...toIncluded(hosted)];
  return {
    model: talk.model,
    ...(encrypted_reasoning ? { store: false } : {}),
    ...(include.length === 0 ? {} : { include }),
    ...(tools.length === 0 ? {} : { tools }),
    ...defined({
      temperature: parameters.temperature,
      top_p: parameters.top_p,
      max_output_tokens: parameters.max_output_tokens,
      service_tier: parameters.service_tier,
      reasoning: reasoning_effort === undefined ? undefined : { effort: reasoning_effort },
      text: verbosity === undefined ? undefined : { verbosity },
    }),
  };
}

/** Of a stream only the last event counts. The SDK's own collector adds fields that the API refuses in a replay. */
async function respond(
  client: OpenAI,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  { stream, context: { signal } }: Talk,
): Promise<OpenAI.Responses.Response> {
  if (!stream) return checkCompleted(await client.responses.create(body, { signal }));
  for await (const event of await client.responses.create({ ...body, stream: true }, { signal })) {
    const ended = event.type === 'response.completed' || event.type === 'response.incomplete';
    if (ended || event.type === 'response.failed') return event.response;
    if (event.type === 'error') throw createModelError(kindOfCode(event.code ?? '') ?? 'server', event.message);
  }
  signal.throwIfAborted();
  throw createModelError('network', 'The stream ended before the response was complete');
}

type Replayable =
  | OpenAI.Responses.ResponseOutputMessage
  | OpenAI.Responses.ResponseReasoningItem
  | OpenAI.Responses.ResponseFunctionToolCall
  | OpenAI.Responses.ResponseFunctionWebSearch
  | OpenAI.Responses.ResponseCodeInterpreterToolCall;

/** The items of a response that the next request repeats: all kinds that a model with our tools writes. */
export function isReplayable(item: OpenAI.Responses.ResponseOutputItem): item is Replayable {
  const type = field(item, 'type');
  return ['message', 'reasoning', 'function_call', ...SERVED_ITEMS].some((known) => known === type);
}

/** A whole response that its server is still at; a stream ends by its last event, whatever status stands in that. */
export function checkCompleted<T>(response: T): T {
  const status = textField(response, 'status');
  if (status !== 'queued' && status !== 'in_progress') return response;
  throw toReplyError(response, `The response is ${status}, not completed`);
}

/** A reply of the Responses API; throws when it failed, or is no such reply. A missing status counts as completed. */
export function toResponsesTurn(response: unknown): Turn {
  const status = textField(response, 'status');
  if (status === 'failed' || status === 'cancelled') throw toReplyError(response, `The response is ${status}`);
  if (!Array.isArray(field(response, 'output'))) {
    throw toReplyError(response, 'The server answered without a list "output"');
  }
  const items = listField(response, 'output');
  // A reply that a limit cut short may hold nothing; one that was completed has at least a message.
  if (items.length === 0 && status !== 'incomplete') {
    throw toReplyError(response, 'The server answered with an empty list "output"');
  }
  if (items.length > 0 && items.every((item) => textField(item, 'type') === null)) {
    throw toReplyError(response, 'The server answered with a list "output" that holds no item');
  }
  const messages = items.filter((item) => field(item, 'type') === 'message');
  const parts = messages.flatMap((item) => listField(item, 'content'));
  // Text in another form would count as an answer of nothing.
  if (messages.some((item) => isNoPartList(item, 'content')) || parts.some((part) => isNoText(part, 'text'))) {
    throw toReplyError(response, 'The server answered with a message whose text is no text');
  }
  const why = status === 'incomplete' ? textField(field(response, 'incomplete_details'), 'reason') : null;
  const refused = parts.some((part) => textField(part, 'refusal') !== null);
  return {
    text: join(parts.map((part) => textField(part, 'text'))),
    flaw: refused ? 'refusal' : status === 'incomplete' ? toFlaw(why) : null,
    reasoning: join(items.filter((item) => field(item, 'type') === 'reasoning').flatMap(toThoughts)),
    // The last call of a reply that was cut short may lack half of its arguments.
    calls:
      refused || status === 'incomplete'
        ? []
        : items.filter((item) => field(item, 'type') === 'function_call').map(toCall),
    served: findResponsesCalls(items),
    stop: refused ? 'refusal' : (why ?? status),
    usage: toOpenAIUsage(field(response, 'usage')),
    model: textField(response, 'model'),
  };
}

function toFlaw(why: string | null): Turn['flaw'] {
  if (why === 'content_filter') return 'refusal';
  return why === 'max_output_tokens' ? 'max_tokens' : 'incomplete';
}

function toThoughts(item: unknown): readonly (string | null)[] {
  return [...listField(item, 'summary'), ...listField(item, 'content')].map((part) => textField(part, 'text'));
}

function toCall(item: unknown): ToolCall {
  return {
    id: textField(item, 'call_id') ?? '',
    name: textField(item, 'name') ?? '',
    arguments: textField(item, 'arguments') ?? '',
  };
}

function join(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n') || null;
}

/** A tool's result as the Responses API takes it: its text, or parts of which the text is the first. */
export function toResponsesOutput({ output, media }: ToolResult) {
  return media.length === 0 ? output : [{ type: 'input_text' as const, text: output }, ...media.map(toPart)];
}

function toPart(part: MediaPart) {
  if (part.kind === 'pdf') return { type: 'input_file' as const, filename: part.name, file_data: toDataUrl(part) };
  return { type: 'input_image' as const, image_url: toDataUrl(part), detail: 'auto' as const };
}

type Values = { readonly tools?: boolean; readonly web_search?: 'on' | 'off'; readonly code_execution?: 'on' | 'off' };

export type OpenAIHosted = OpenAI.Responses.WebSearchTool | OpenAI.Responses.Tool.CodeInterpreter;

/** As requests name them. The search takes a list of the only sites to use, and none of sites to leave out. */
export function chooseOpenAITools(values: Values, committed: readonly HostedName[]): readonly OpenAIHosted[] {
  const setting = values.tools === false ? [] : committed;
  const search = chooseHosted('web_search', values.web_search, 'on', setting);
  const code = chooseHosted('code_execution', values.code_execution, 'on', setting);
  return [
    ...(search === null ? [] : [{ type: 'web_search' as const }]),
    ...(code === null ? [] : [{ type: 'code_interpreter' as const, container: { type: 'auto' as const } }]),
  ];
}

export function describeOpenAITools(tools: readonly OpenAIHosted[]): readonly HostedTool[] {
  return tools.map(({ type }) => ({ type, guarded: type === 'code_interpreter' ? null : false }));
}

/** What of them replies are to show, for the trace. */
export function toIncluded(tools: readonly OpenAIHosted[]): readonly OpenAI.Responses.ResponseIncludable[] {
  return tools.map(({ type }) =>
    type === 'code_interpreter' ? 'code_interpreter_call.outputs' : 'web_search_call.action.sources',
  );
}
