import type { Transcribe } from '../tools/tool.ts';
import type { ClientOptions } from './model-agent.ts';
import { toModelError } from './model-error.ts';
import { createOpenAI } from './openai-client.ts';
import type { Parameter } from './parameters.ts';

/** The model that transcribes recordings, or "off". */
export function transcriptionModel(): Parameter<string> {
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
