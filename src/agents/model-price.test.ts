import { describe, expect, test, vi } from 'vitest';
import { APIS } from '../../test/agents/apis.ts';
import { askAgent } from '../../test/agents/ask-agent.ts';
import { startScriptedServer } from '../../test/agents/scripted-server.ts';

/** A model that the price package knows at each provider. */
const MODELS: Readonly<Record<string, string>> = { anthropic: 'claude-haiku-4-5' };

describe.each(APIS)('the cost of $kind', ({ kind, base, text }) => {
  const model = MODELS[kind] ?? 'gpt-4o';

  async function ask(parameters: string, prices = {}) {
    const server = await startScriptedServer([text('42')]);
    return askAgent(`${kind}:${model}?base_url=${base(server.url)}${parameters}`, { setting: { prices } });
  }

  /** The provider itself, as far as the agent can tell: its requests go to a loopback server. */
  async function askProvider(parameters = '') {
    vi.stubEnv('OPENAI_BASE_URL', undefined);
    vi.stubEnv('ANTHROPIC_BASE_URL', undefined);
    const server = await startScriptedServer([text('42')]);
    const redirect: typeof globalThis.fetch = (input, init) =>
      fetch(new URL(new URL(String(input)).pathname, server.url), init);
    return askAgent(`${kind}:${model}${parameters}`, { setting: { fetch: redirect } });
  }

  test('is estimated at the provider itself', async () => {
    expect(await askProvider()).toMatchObject({ text: '42', cost: expect.any(Number), costEstimated: true });
  });

  test('is not known at another server, whatever the model is called', async () => {
    const answer = await ask('');
    expect(answer).not.toHaveProperty('cost');
    expect(answer).not.toHaveProperty('costEstimated');
    expect(answer).toHaveProperty('usage');
  });

  test("is the user's own anywhere, and an estimate too", async () => {
    const answer = await ask('', { [model]: { input: 10_000, output: 100_000 } });
    expect(answer).toMatchObject({ cost: 2, costEstimated: true });
  });

  test.runIf(kind === 'openai')('is not known for a tier that the list has no price of', async () => {
    expect(await askProvider('?service_tier=flex')).not.toHaveProperty('cost');
    expect(await askProvider('?service_tier=default')).toHaveProperty('cost');
  });
});
