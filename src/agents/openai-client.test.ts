import { describe, expect, test, vi } from 'vitest';
import type { ClientOptions } from './model-client.ts';
import { createOpenAI } from './openai-client.ts';

const options: ClientOptions = {
  fetch: globalThis.fetch,
  timeout: 1000,
  maxRetries: 0,
  logLevel: 'off',
};

function stubEnvironment(values: Readonly<Record<string, string>>) {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_BASE_URL'])
    vi.stubEnv(name, values[name]);
}

describe('a client without a key', () => {
  test('is refused at OpenAI, before any request', async () => {
    stubEnvironment({});
    expect(await createOpenAI(options)).toMatchObject({
      problem:
        'No API key for OpenAI was found. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.',
    });
  });

  test('is allowed for a server of the user, which needs no key', async () => {
    stubEnvironment({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(await createOpenAI(options)).toMatchObject({
      baseURL: 'http://127.0.0.1:9/v1',
      client: { apiKey: 'none' },
      problem: null,
    });
    const elsewhere = await createOpenAI({ ...options, baseURL: 'http://127.0.0.1:8/v1' });
    expect(elsewhere.baseURL).toBe('http://127.0.0.1:8/v1');
  });
});
