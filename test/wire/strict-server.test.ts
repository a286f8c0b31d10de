import { describe, expect, test } from 'vitest';
import { CHECKS, findProblems } from './checks.ts';
import { inputOf, PromptCache, priceOf } from './prompt-cache.ts';
import { type Api, type Fields, readRequest } from './request.ts';

const TOOLS = { name: 'look', schema: { type: 'object', properties: {} } };
const CALL = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const USE = { type: 'tool_use', id: 'c1', name: 'look', input: {} };
const ITEM = { type: 'function_call', id: 'f1', call_id: 'c1', name: 'look', arguments: '{}' };
const OUTPUT = { type: 'function_call_output', call_id: 'c1', output: 'ok' };
const REASONING = { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'ENC' };
const HI = { role: 'user', content: 'Hi' };
const RESULT = { role: 'tool', tool_call_id: 'c1', content: 'ok' };

const said = (message: object) => ({ role: 'assistant', content: null, ...message });
const chat = (message: object, ...rest: readonly object[]) => ({
  messages: [HI, message, ...rest],
});
const calls = (call: object, message: object = {}) =>
  chat(said({ tool_calls: [{ ...CALL, ...call }], ...message }), RESULT);
const items = (...input: readonly object[]) => ({ input: [HI, ...input] });
const blocks = (...content: readonly object[]) => ({
  messages: [
    HI,
    { role: 'assistant', content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
  ],
});
const named = (name: unknown, args: unknown = '{}') => ({ function: { name, arguments: args } });
const tools = (...schemas: readonly object[]) => ({
  messages: [HI],
  tools: schemas.map((schema) => ({
    type: 'function',
    function: { name: 'look', parameters: schema },
  })),
});

const problemsOf = (api: Api, body: Fields, given: ReadonlyMap<number, unknown> = new Map()) =>
  findProblems(readRequest(api, { model: 'm', max_tokens: 9, ...body }), given);

test.each<[Api, Fields]>([
  ['openai-chat', calls({})],
  ['openai-chat', calls({}, { content: '' })],
  ['openai-chat', chat(said({ content: 'Hello.' }), HI)],
  ['openai-chat', tools(TOOLS.schema)],
  ['openai', items(REASONING, ITEM, OUTPUT)],
  ['openai', { input: 'Hi' }],
  ['anthropic', blocks({ type: 'thinking', thinking: '', signature: 's' }, USE)],
])('takes a right request of %s: %j', (api, body) => {
  expect(problemsOf(api, body)).toEqual([]);
});

describe('refuses', () => {
  test.each<[Api, string, Fields]>([
    ['openai-chat', 'model', { ...calls({}), model: undefined }],
    ['openai-chat', 'at least one message', { messages: [] }],
    ['anthropic', 'max_tokens', { messages: [HI], max_tokens: undefined }],
    ['anthropic', 'surrogate', { messages: [{ role: 'user', content: '\ud83d' }] }],
    ['openai', 'too long', { input: 'x'.repeat(1_048_577) }],
    ['openai-chat', 'non-empty', chat(said({ content: '' }), HI)],
    ['openai-chat', 'non-empty', calls({}, { content: ' \n' })],
    ['openai', 'non-empty', items({ role: 'assistant', content: [] })],
    ['anthropic', 'non-empty', blocks({ type: 'text', text: ' ' }, USE)],
    ['openai-chat', 'JSON object', calls(named('look', ''))],
    ['openai-chat', 'JSON object', calls(named('look', '[]'))],
    ['openai', 'JSON object', items({ ...ITEM, arguments: {} }, OUTPUT)],
    ['anthropic', 'JSON object', blocks({ ...USE, input: '{}' })],
    ['openai-chat', 'does not match', calls(named('functions.look'))],
    ['openai-chat', 'does not match', calls(named('x'.repeat(65)))],
    ['openai-chat', 'must be unique', tools(TOOLS.schema, TOOLS.schema)],
    ['openai-chat', 'missing properties', tools({ type: 'object' })],
    ['openai-chat', 'at the top level', tools({ ...TOOLS.schema, anyOf: [] })],
    [
      'openai-chat',
      'missing items',
      tools({ type: 'object', properties: { a: { type: 'array' } } }),
    ],
    ['openai-chat', 'draft', tools({ type: 'object', properties: { a: { items: [{}] } } })],
    [
      'openai-chat',
      'draft',
      tools({ type: 'object', properties: { a: { exclusiveMinimum: true } } }),
    ],
    ['openai-chat', 'invalid id', calls({ id: '' })],
    ['openai', 'invalid id', items({ ...ITEM, call_id: 'c'.repeat(65) })],
    ['anthropic', 'invalid id', blocks({ ...USE, id: 'a.b:0' })],
    ['anthropic', 'must be unique', blocks(USE, USE)],
    ['openai-chat', 'no result', chat(said({ tool_calls: [CALL] }), HI)],
    ['openai-chat', 'single result', chat(said({ tool_calls: [CALL] }), RESULT, RESULT)],
    ['openai-chat', 'follow no call', { messages: [HI, RESULT] }],
    ['openai-chat', 'type', calls({ type: undefined })],
    ['openai-chat', 'Extra inputs', calls({}, { annotations: [] })],
    ['anthropic', 'Extra inputs', blocks({ ...USE, index: 0 })],
    ['openai', 'Extra inputs', items({ ...ITEM, parsed_arguments: null }, OUTPUT)],
    [
      'openai',
      'Duplicate item',
      items(ITEM, OUTPUT, { ...ITEM, call_id: 'c2' }, { ...OUTPUT, call_id: 'c2' }),
    ],
    ['openai', 'id too long', items({ ...ITEM, id: 'f'.repeat(65) }, OUTPUT)],
    ['openai', 'status', items({ ...ITEM, status: null }, OUTPUT)],
    ['openai', 'following item', items(ITEM, REASONING, OUTPUT)],
    ['openai', 'summary', items({ ...REASONING, summary: undefined }, ITEM, OUTPUT)],
    [
      'openai',
      'nothing is stored',
      { ...items({ ...REASONING, encrypted_content: null }, ITEM, OUTPUT), store: false },
    ],
    ['anthropic', 'signature', blocks({ type: 'thinking', thinking: 'hm' }, USE)],
    [
      'anthropic',
      'A maximum of 4',
      {
        messages: Array.from({ length: 5 }, () => ({
          role: 'user',
          content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
        })),
      },
    ],
  ])('of %s what is wrong with "%s"', (api, problem, body) => {
    expect(problemsOf(api, body).join('; ')).toContain(problem);
  });

  test.each<[Api, string, Fields, unknown]>([
    [
      'openai-chat',
      'thought_signature',
      calls({}),
      { tool_calls: [{ ...CALL, extra_content: { google: { thought_signature: 'S' } } }] },
    ],
    [
      'openai-chat',
      'reasoning_content',
      calls({}),
      { reasoning_content: 'hm', tool_calls: [CALL] },
    ],
    [
      'openai-chat',
      'reasoning of an earlier turn',
      calls({}),
      { reasoning_details: [{ data: 'S' }], tool_calls: [CALL] },
    ],
    ['openai', 'reasoning of an earlier turn', items(ITEM, OUTPUT), { output: [REASONING, ITEM] }],
    [
      'anthropic',
      'thinking blocks',
      blocks(USE),
      { content: [{ type: 'redacted_thinking', data: 'S' }, USE] },
    ],
  ])('of %s a lost %s', (api, problem, body, reply) => {
    expect(problemsOf(api, body, new Map([[0, reply]])).join('; ')).toContain(problem);
  });
});

test('no check is without a name', () => {
  expect(new Set(CHECKS.map(({ what }) => what)).size).toBe(CHECKS.length);
});

describe('the prompt cache', () => {
  const text = 'x'.repeat(30_000);
  const steps = (mark: object) =>
    Array.from({ length: 11 }, (_, step) => ({
      ...mark,
      messages: Array.from({ length: step + 1 }, () => ({ role: 'user', content: text })),
    }));
  const share = (mark: object) => {
    const cache = new PromptCache();
    const uses = steps(mark).map((body) => cache.count(body));
    return priceOf(uses) / uses.map(inputOf).reduce((sum, tokens) => sum + tokens, 0);
  };

  test('bills all tokens in full without a mark', () => {
    expect(share({})).toBe(1);
  });

  test('reads what an earlier request marked, for a tenth, and writes for a quarter more', () => {
    // 11 parts are written once; of 66 sent, 55 are read.
    expect(share({ cache_control: { type: 'ephemeral' } })).toBeCloseTo(
      (11 * 1.25 + 55 * 0.1) / 66,
    );
  });

  test('keeps no prefix of less than 1024 tokens', () => {
    const cache = new PromptCache();
    const body = {
      cache_control: { type: 'ephemeral' },
      messages: [{ role: 'user', content: 'x' }],
    };
    expect(
      [cache.count(body), cache.count(body)].map((use) => use.cache_read_input_tokens),
    ).toEqual([0, 0]);
  });
});
