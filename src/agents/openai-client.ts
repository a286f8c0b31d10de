import type OpenAI from 'openai';
import { requirePackage } from '../package.ts';
import type { Transcribe } from '../tools/tool.ts';
import { AgentError, type TokenCounts } from '../words/answer.ts';
import { field } from '../words/fields.ts';
import { quote } from '../words/show.ts';
import { type FetchSetting, ModelFetch } from './fetch.ts';
import { type ClientOptions, type ModelClient, toClientOptions } from './model-client.ts';
import { toTokenCounts } from './price.ts';

/**
 * A client of the OpenAI SDK, which is loaded on first use and reads OPENAI_API_KEY and
 * OPENAI_BASE_URL itself. The SDK requires a key. Local servers need none, so they get a
 * placeholder.
 */
export async function createOpenAI(options: ClientOptions): Promise<ModelClient<OpenAI>> {
  requirePackage('openai', "OpenAI's API");
  const { OpenAI: Client, OpenAIError } = await import('openai');
  try {
    const client = new Client(options);
    return { client, baseURL: client.baseURL, problem: null };
  } catch (cause) {
    if (!(cause instanceof OpenAIError)) throw cause;
  }
  const client = new Client({ ...options, apiKey: 'none' });
  const { baseURL } = client;
  const isOwn = URL.parse(baseURL)?.hostname.endsWith('openai.com') === false;
  return { client, baseURL, problem: isOwn ? null : NO_KEY };
}

const NO_KEY =
  'No API key for OpenAI was found. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.';

/**
 * Token counts from either API of OpenAI, in which the input includes cached tokens; null without
 * counts.
 */
export function toOpenAIUsage(usage: unknown): TokenCounts | null {
  const read = (responses: string, chat: string) => field(usage, responses) ?? field(usage, chat);
  const input = read('input_tokens_details', 'prompt_tokens_details');
  const output = read('output_tokens_details', 'completion_tokens_details');
  return toTokenCounts({
    input_tokens: read('input_tokens', 'prompt_tokens'),
    output_tokens: read('output_tokens', 'completion_tokens'),
    // DeepSeek, Moonshot and LiteLLM in front of Anthropic have other names for it.
    cached_tokens:
      field(input, 'cached_tokens') ??
      CACHED_NAMES.map((name) => field(usage, name)).find((count) => (count ?? null) !== null),
    reasoning_tokens: field(output, 'reasoning_tokens'),
    cache_write_tokens: field(input, 'cache_write_tokens'),
  });
}

const CACHED_NAMES = ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'];

/**
 * Transcribes through OpenAI's API or a compatible server (OPENAI_BASE_URL), whatever model answers
 * the questions. Most servers have `whisper-1`. Undefined if the spec turns it off. The model sees
 * its errors.
 */
export function createTranscriber(
  model = 'whisper-1',
  server: string | undefined,
  setting: FetchSetting,
  signal: AbortSignal,
): Transcribe | undefined {
  if (model === 'off') return undefined;
  return async (name, bytes) => {
    const requests = new ModelFetch(setting);
    const { client, baseURL, problem } = await createOpenAI(
      toClientOptions(server, requests.fetch),
    );
    if (problem !== null) throw new AgentError('auth', problem);
    const { toFile } = await import('openai');
    const file = await toFile(bytes, name);
    const send = () => client.audio.transcriptions.create({ file, model }, { signal });
    const { text } = await requests.repeat(send, URL.parse(baseURL)?.host ?? baseURL, signal);
    if (typeof text === 'string') return text;
    throw new Error(`the server returned no text for the model ${quote(model)}`);
  };
}
