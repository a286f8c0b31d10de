import { describe, expect, test } from 'vitest';
import { VERDICT } from '../../src/judge/reply-form.ts';
import { toAsked, UNLIMITED } from '../../src/words/types.fixture.ts';
import { APIS, apiOf, specOf } from './apis.ts';
import { makeAgent } from './ask-agent.ts';
import { type Reply, startScriptedServer } from './scripted-server.ts';

const { name, schema, system } = VERDICT.format;

const TEXT = { format: { type: 'json_schema', name, schema, strict: true } };

/** Where each API takes the form of replies, and what the model is told as the system. */
const FORMS: Readonly<Record<string, object>> = {
  openai: {
    instructions: system,
    text: TEXT,
  },
  'ai:openai': { text: TEXT },
  'openai-chat': {
    response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } },
  },
  anthropic: { system, output_config: { format: { type: 'json_schema', schema } } },
};

async function askTwice(kind: string, reply: (body: object) => Reply) {
  const { url, requests } = await startScriptedServer(({ body }) => reply(body));
  const spec = `${specOf(kind, 'some-model')}?base_url=${apiOf(kind).base(url)}`;
  const agent = await makeAgent(spec, { format: VERDICT.format });
  const texts = [];
  for (const _ of [1, 2]) {
    const asked = agent.answer(toAsked('?'), UNLIMITED);
    texts.push((await asked.catch(({ message }) => ({ output: message }))).output);
  }
  return { texts, bodies: requests.map(({ body }) => body) };
}

describe.each(APIS)('a form of replies, $kind', ({ kind, text }) => {
  const names = Object.keys(FORMS[kind] ?? {});
  const hasForm = (body: object) => names.some((field) => field in body);

  test('is asked of the server, without tools', async () => {
    const { texts, bodies } = await askTwice(kind, () => text('{}'));
    expect(texts).toEqual(['{}', '{}']);
    expect(bodies[0]).toMatchObject(FORMS[kind] ?? {});
    expect(bodies.filter((body) => 'tools' in body)).toEqual([]);
  });

  test('is left out for good where the server refuses it', async () => {
    const refused = { status: 400, body: { error: { message: 'unknown field' } } };
    const { texts, bodies } = await askTwice(kind, (body) =>
      hasForm(body) ? refused : text('{}'),
    );
    expect([texts, bodies.map(hasForm)]).toEqual([
      ['{}', '{}'],
      [true, false, false],
    ]);
  });

  test('is not given up for another fault', async () => {
    const { texts, bodies } = await askTwice(kind, () => ({
      status: 401,
      body: { error: { message: 'no' } },
    }));
    expect(texts[0]).toContain('401');
    expect(bodies.map(hasForm)).toEqual([true, true]);
  });
});
