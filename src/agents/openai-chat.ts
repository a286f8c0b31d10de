import type OpenAI from 'openai';
import type { Agent } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { toChatFiles } from './chat-files.ts';
import { collectChat } from './chat-stream.ts';
import { replayableMessage, toChatTurn } from './chat-turn.ts';
import { type Conversation, converse } from './converse.ts';
import { defined } from './defined.ts';
import { COMMON_PARAMETERS, createModelAgent, type ModelSetting, type Talk } from './model-agent.ts';
import { createOpenAI, findOpenAIServer } from './openai-client.ts';
import { numberFrom, oneOf, readParameters, wholeNumber } from './parameters.ts';
import { request } from './request.ts';
import { AUDIO_PARAMETER, CHAT_MEDIA } from './shown-media.ts';
import { StreamEnd } from './stream-end.ts';

const PARAMETERS = {
  ...COMMON_PARAMETERS,
  ...AUDIO_PARAMETER,
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  seed: wholeNumber(0, 999_999_999_999_999),
  max_tokens: wholeNumber(1),
  /** What newer models of OpenAI take in the place of max_tokens. */
  max_completion_tokens: wholeNumber(1),
  reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
} as const;

type Parameters = ReturnType<typeof readParameters<typeof PARAMETERS>>;

/** `openai-chat:MODEL`: chat completions, at whatever compatible server OPENAI_BASE_URL names (Ollama, vLLM, ...). */
export async function createOpenAIChat(spec: AgentSpec, setting: ModelSetting): Promise<readonly Agent[]> {
  const parameters = readParameters(spec, PARAMETERS);
  const agent = await createModelAgent(spec, parameters, setting, {
    listed: { provider: 'openai', host: 'openai.com' },
    media: CHAT_MEDIA,
    transcribes: true,
    findServer: findOpenAIServer,
    createClient: createOpenAI,
    hold: async (talk) => {
      const end = new StreamEnd();
      const client = await createOpenAI({ ...talk.client, fetch: end.wrap(talk.client.fetch) });
      return converse(startConversation(client, talk, parameters, end), talk);
    },
  });
  return [agent];
}

function startConversation(client: OpenAI, talk: Talk, parameters: Parameters, end: StreamEnd): Conversation {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: talk.prompt }];
  const fixed = toRequest(talk, parameters);
  return {
    ask: async () => {
      const { turn, message } = await request(talk, [client.apiKey], async () => {
        const completion = await complete(client, { ...fixed, messages: [...messages] }, talk, end);
        const turn = toChatTurn(completion, talk.transcript.steps);
        return { turn, message: replayableMessage(completion, turn) };
      });
      messages.push(message);
      return turn;
    },
    tell: (results) => {
      for (const { call, result } of results) {
        messages.push({ role: 'tool', tool_call_id: call.id, content: result.output });
      }
      messages.push(...toChatFiles(results.flatMap(({ result }) => result.media)));
    },
  };
}

function toRequest(talk: Talk, parameters: Parameters) {
  const { temperature, top_p, seed, max_tokens, max_completion_tokens, reasoning_effort } = parameters;
  const tools = talk.tools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...schema } },
  }));
  const sent = { temperature, top_p, seed, max_tokens, max_completion_tokens, reasoning_effort };
  return { model: talk.model, ...(tools.length === 0 ? {} : { tools }), ...defined(sent) };
}

async function complete(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParamsNonStreaming,
  { stream, context: { signal } }: Talk,
  end: StreamEnd,
): Promise<object> {
  if (!stream) return client.chat.completions.create(body, { signal });
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  return collectChat(await client.chat.completions.create({ ...body, ...options }, { signal }), () => end.isMarked);
}
