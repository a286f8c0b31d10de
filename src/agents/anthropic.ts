import type Anthropic from '@anthropic-ai/sdk';
import { numberFrom, oneOf, wholeNumber } from '../text/setting-values.ts';
import { escapeLine } from '../text/show.ts';
import type { MediaPart } from '../tools/media.ts';
import { runTool, type Tool, type ToolResult } from '../tools/tool.ts';
import { type Agent, AgentError } from '../types.ts';
import { type AgentSpec, readParameters } from './agent-spec.ts';
import {
  ANTHROPIC_HOSTED,
  type AnthropicHosted,
  checkStopped,
  chooseAnthropicTools,
  describeAnthropicTools,
  mendToolInput,
  toAnthropicTurn,
  toArguments,
} from './anthropic-messages.ts';
import { ReplyCalls, request, stepLimit, type Turn } from './converse.ts';
import {
  type ClientOptions,
  COMMON_PARAMETERS,
  createModelAgent,
  type ModelSetting,
  type Talk,
} from './model-agent.ts';
import { defined, field, listField, textField } from './outside-value.ts';
import { ANTHROPIC_MEDIA } from './transcript.ts';

const PARAMETERS = {
  ...COMMON_PARAMETERS,
  ...ANTHROPIC_HOSTED,
  temperature: numberFrom(0, 1),
  top_p: numberFrom(0, 1),
  top_k: wholeNumber(1),
  max_tokens: wholeNumber(1),
  thinking: oneOf('adaptive', 'disabled'),
  thinking_budget: wholeNumber(1024),
  effort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
} as const;

type Parameters = ReturnType<typeof readParameters<typeof PARAMETERS>>;

/** Output tokens of one reply, which Anthropic wants to be told. */
const MAX_TOKENS = 16_000;

/** Above about 21,333 output tokens the SDK refuses to wait for a reply that is not streamed. */
const MAX_UNSTREAMED_TOKENS = 21_000;

/** `anthropic:MODEL`: the Messages API. */
export async function createAnthropic(spec: AgentSpec, setting: ModelSetting): Promise<readonly Agent[]> {
  const parameters = readParameters(spec, PARAMETERS);
  checkThinking(spec, parameters);
  const hosted = chooseAnthropicTools(parameters, setting.hosted ?? []);
  const agent = await createModelAgent(spec, parameters, setting, {
    listed: { provider: 'anthropic', host: 'anthropic.com' },
    media: ANTHROPIC_MEDIA,
    transcribes: false,
    hosted: describeAnthropicTools(hosted),
    findServer,
    createClient,
    hold: (talk) => {
      const reply = { calls: new ReplyCalls() };
      return holdConversation(talk, reply, toRequest(talk, reply, parameters, hosted));
    },
  });
  return [agent];
}

function checkThinking({ text }: AgentSpec, { thinking, thinking_budget }: Parameters): void {
  if (thinking === undefined || thinking_budget === undefined) return;
  throw new Error(
    `EVAL_AGENT=${escapeLine(text, 1_000)}: thinking=${thinking} and thinking_budget=${thinking_budget} contradict each other. Keep one of them.`,
  );
}

async function createClient(options: ClientOptions): Promise<Anthropic> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  class KeyedClient extends Client {
    /** Without a key the SDK would look for somebody's login on this machine: an evaluation must not run on that. */
    protected override _shouldResolveDefaultCredentials(): boolean {
      return false;
    }
  }
  const client = new KeyedClient({ ...options, fetch: mendToolInput(options.fetch) });
  if (client.apiKey !== null || client.authToken !== null) return client;
  throw new AgentError('auth', 'No API key for Anthropic was found. Set ANTHROPIC_API_KEY.');
}

async function findServer(options: ClientOptions): Promise<string> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  return new Client({ ...options, apiKey: 'none' }).baseURL;
}

/** The tools are given to the SDK before any reply calls for them. */
type LastReply = { calls: ReplyCalls };

/** The SDK's own loop runs the tools, tells the model of failing and unknown ones, and goes on after a pause. */
async function holdConversation(talk: Talk, reply: LastReply, body: ReturnType<typeof toRequest>): Promise<void> {
  const container = new Container();
  const client = await createClient({ ...talk.client, fetch: container.wrap(talk.client.fetch) });
  const { transcript, maxSteps, context } = talk;
  const { signal } = context;
  const runner = client.beta.messages.toolRunner(body, { signal });
  const replies = runner[Symbol.asyncIterator]();
  for (;;) {
    const turn = await request(talk, [client.apiKey, client.authToken], async () => {
      const { done, value } = await replies.next();
      if (done === true) return null;
      const message = 'finalMessage' in value ? await value.finalMessage() : checkStopped(value);
      container.keep(field(message, 'container'));
      return toAnthropicTurn(message);
    });
    if (turn === null) return;
    transcript.add(turn);
    reply.calls = new ReplyCalls();
    talk.onStep();
    if (isUnfinished(turn) && transcript.steps >= maxSteps) throw stepLimit(maxSteps);
    if (turn.calls.length > 0) addResults(await runner.generateToolResponse(), turn, talk);
    talk.onStep();
  }
}

function isUnfinished({ calls, stop }: Turn): boolean {
  return calls.length > 0 || stop === 'pause_turn';
}

/** The runner keeps the results that it is asked for here and sends the same ones. */
function addResults(response: unknown, { calls }: Turn, { transcript }: Talk): void {
  for (const block of listField(response, 'content')) {
    const call = calls.find(({ id }) => id === field(block, 'tool_use_id'));
    const failed = field(block, 'is_error') === true;
    if (call !== undefined) transcript.addResult(call, { output: toText(block), media: [], failed });
  }
}

/** A result with files is a list of blocks, of which the first is its text. */
function toText(result: unknown): string {
  return textField(result, 'content') ?? textField(listField(result, 'content')[0], 'text') ?? '';
}

function toRequest(talk: Talk, reply: LastReply, parameters: Parameters, hosted: AnthropicHosted) {
  const { model, prompt, stream, maxSteps } = talk;
  const { temperature, top_p, top_k, thinking, thinking_budget, effort, max_tokens = MAX_TOKENS } = parameters;
  return {
    model,
    max_tokens,
    messages: [{ role: 'user' as const, content: prompt }],
    tools: [...talk.tools.map((tool) => toRunnable(tool, talk, reply)), ...hosted],
    // The whole history goes with each request; by default the SDK leaves it on the server, which only Anthropic's has.
    thread: false as const,
    max_iterations: maxSteps,
    stream: stream || max_tokens > MAX_UNSTREAMED_TOKENS,
    ...defined({
      temperature,
      top_p,
      top_k,
      thinking:
        thinking_budget === undefined
          ? thinking && { type: thinking }
          : { type: 'enabled' as const, budget_tokens: thinking_budget },
      output_config: effort && { effort },
    }),
  };
}

function toRunnable(tool: Tool, { tools, context }: Talk, reply: LastReply) {
  return {
    type: 'custom' as const,
    name: tool.name,
    description: tool.description,
    input_schema: {
      ...tool.schema,
      properties: { ...tool.schema.properties },
      required: [...(tool.schema.required ?? [])],
    },
    parse: (input: unknown) => input,
    run: async (input: unknown) => {
      const result = await reply.calls.run(() => runTool(tools, tool.name, toArguments(input), context));
      // What a tool throws is told to the model as an error, with "Error: " before it.
      if (result.failed) throw new Error(result.output.replace(/^Error: /, ''));
      return toAnthropicResult(result);
    },
  };
}

/** A tool's result as the Messages API takes it: its text, or blocks of which the text is the first. */
export function toAnthropicResult({ output, media }: ToolResult) {
  return media.length === 0 ? output : [{ type: 'text' as const, text: output }, ...media.map(toBlock)];
}

function toBlock({ kind, mediaType, name, base64 }: MediaPart) {
  const type = 'base64' as const;
  if (kind === 'pdf') {
    const source = { type, media_type: 'application/pdf' as const, data: base64 };
    return { type: 'document' as const, source, title: name };
  }
  const source = { type, media_type: toImageType(mediaType), data: base64 };
  return { type: 'image' as const, source };
}

function toImageType(mediaType: string) {
  const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
  return types.find((known) => known === mediaType) ?? 'image/png';
}

/**
 * Lets code that the provider runs go on in the container of the reply before: the SDK's loop would ask for a new one
 * with each request, and the files of the earlier steps would be gone.
 */
export class Container {
  #id: string | null = null;

  /** To be told of each reply's own "container". */
  keep(container: unknown): void {
    this.#id = textField(container, 'id') ?? this.#id;
  }

  /** A fetch that names the container in the requests that follow. */
  wrap(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return (input, init) => {
      const body = init?.body;
      if (this.#id === null || typeof body !== 'string') return fetch(input, init);
      return fetch(input, { ...init, body: JSON.stringify({ container: this.#id, ...JSON.parse(body) }) });
    };
  }
}
