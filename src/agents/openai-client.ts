import type OpenAI from 'openai';
import type { ValueParser } from '../text/setting-values.ts';
import type { Transcribe } from '../tools/tool.ts';
import { AgentError } from '../types.ts';
import type { TokenCounts } from './converse.ts';
import type { ClientOptions } from './model-agent.ts';
import { toModelError } from './model-error.ts';
import { field } from './outside-value.ts';
import { toTokenCounts } from './price.ts';

/**
 * A client of the OpenAI SDK, which is loaded on first use and reads OPENAI_API_KEY and OPENAI_BASE_URL itself. Local
 * servers need no key; the SDK does, so they get a made-up one.
 */
export async function createOpenAI(options: ClientOptions): Promise<OpenAI> {
  const { OpenAI: Client, OpenAIError } = await import('openai');
  try {
    return new Client(options);
  } catch (cause) {
    if (!(cause instanceof OpenAIError)) throw cause;
    const client = new Client({ ...options, apiKey: 'none' });
    if (!isOpenAI(client)) return client;
    const problem = 'No API key for OpenAI was found';
    throw new AgentError('auth', `${problem}. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.`);
  }
}

function isOpenAI({ baseURL }: OpenAI): boolean {
  return URL.parse(baseURL)?.hostname.endsWith('openai.com') ?? true;
}

/** The address that a client would talk to, whether or not there is a key for it. */
export async function findOpenAIServer(options: ClientOptions): Promise<string> {
  const { OpenAI: Client } = await import('openai');
  return new Client({ ...options, apiKey: 'none' }).baseURL;
}

/** Usage in either form of OpenAI's APIs, whose input includes cached tokens; null when the server does not count. */
export function toOpenAIUsage(usage: unknown): TokenCounts | null {
  const read = (responses: string, chat: string) => field(usage, responses) ?? field(usage, chat);
  const input = read('input_tokens_details', 'prompt_tokens_details');
  const output = read('output_tokens_details', 'completion_tokens_details');
  return toTokenCounts({
    input_tokens: read('input_tokens', 'prompt_tokens'),
    output_tokens: read('output_tokens', 'completion_tokens'),
    cached_tokens: field(input, 'cached_tokens'),
    reasoning_tokens: field(output, 'reasoning_tokens'),
    cache_write_tokens: field(input, 'cache_write_tokens'),
  });
}

/** The model that transcribes recordings, or "off". */
export function transcriptionModel(): ValueParser<string> {
  return { allowed: 'the name of a transcription model, or off', parse: (text) => (text === '' ? undefined : text) };
}

/** The model that OpenAI and most compatible servers have under this name. */
const MODEL = 'whisper-1';

/**
 * Transcribes through OpenAI's API or a compatible server (OPENAI_BASE_URL), whatever model answers the questions.
 * Undefined where the spec turns it off. What fails is thrown in words for the model, without keys.
 */
export function createTranscriber(model = MODEL, options: ClientOptions, signal: AbortSignal): Transcribe | undefined {
  if (model === 'off') return undefined;
  return async (name, bytes) => {
    const client = await createOpenAI(options);
    const { toFile } = await import('openai');
    try {
      const file = await toFile(bytes, name);
      const { text } = await client.audio.transcriptions.create({ file, model }, { signal });
      if (typeof text === 'string') return text;
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error, client.apiKey === null ? [] : [client.apiKey]);
    }
    throw new Error(`the server answered without a text to the model ${JSON.stringify(model)}`);
  };
}
