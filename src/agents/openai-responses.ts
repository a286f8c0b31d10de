import type OpenAI from 'openai';
import type { Agent } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { type Conversation, converse } from './converse.ts';
import { defined } from './defined.ts';
import { kindOfCode } from './error-kind.ts';
import { COMMON_PARAMETERS, createModelAgent, type ModelSetting, type Talk } from './model-agent.ts';
import { createModelError } from './model-error.ts';
import { createOpenAI, findOpenAIServer } from './openai-client.ts';
import {
  chooseOpenAITools,
  describeOpenAITools,
  OPENAI_HOSTED,
  type OpenAIHosted,
  toIncluded,
} from './openai-hosted.ts';
import { numberFrom, oneOf, onOff, readParameters, wholeNumber } from './parameters.ts';
import { request } from './request.ts';
import { toResponsesOutput } from './responses-output.ts';
import { checkCompleted, isReplayable, toResponsesTurn } from './responses-turn.ts';
import { OPENAI_MEDIA } from './shown-media.ts';

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
