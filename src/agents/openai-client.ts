import type OpenAI from 'openai';
import { AgentError } from '../types.ts';
import type { ClientOptions } from './model-agent.ts';

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
