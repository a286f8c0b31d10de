import { describe, expect, test } from 'vitest';
import { STEP, textsOf } from '../words/types.fixture.ts';
import { parseAnswer, parseSteps, readProgress, UnknownFields } from './returned-answer.ts';

const usage = { input_tokens: 3, output_tokens: 2 };

const NO_TOKENS = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 };

const round: Record<string, unknown> = {};
round['inner'] = { again: round };

describe('parseAnswer', () => {
  test.each([
    [{ usage: null, costUsd: null, model: undefined }, {}],
    [{ usage }, { usage: { ...usage, cached_tokens: 0, reasoning_tokens: 0 } }],
    [JSON.parse('{"__proto__": {"costUsd": -1}}'), {}],
  ])('reads the fields %j as %j', (returned, read) => {
    expect(parseAnswer({ output: 'x', ...returned })).toEqual({ output: 'x', ...read });
  });

  test.each([
    { output: '' },
    { output: { total: 12, tags: ['a', null] }, costUsd: 0 },
    { output: null, reason: 'refusal' },
    {
      output: 'x',
      costUsd: 0.01,
      steps: 3,
      model: 'm',
      verbatim: true,
      waitedMs: 5,
      firstTokenMs: 2,
    },
    { output: 'x', usage: { ...NO_TOKENS, output_tokens: 1 }, costUsd: 0 },
  ])('accepts %j as it is, and a string alone', (answer) => {
    expect(parseAnswer(answer)).toEqual(answer);
    expect(parseAnswer('17')).toEqual({ output: '17' });
  });

  test.each([
    [undefined, 'must be a string or an object with "output", got nothing.'],
    [{}, 'The answer has no "output", but no field. Return the string itself, or'],
    [{ total: 1 }, 'The answer has no "output", but "total".'],
    [
      { output: 'x', usage: { ...usage, output_tokens: '2' } },
      '"output_tokens" in the answer must be a number',
    ],
    [
      { output: 'x', costUsd: Number.NaN },
      '"costUsd" in the answer must be a number from 0 to 1,000,000, got',
    ],
    [{ output: 'x', model: 5 }, '"model"'],
    [
      { output: 'x', firstTokenMs: Date.now() },
      '"firstTokenMs" in the answer must be a number from 0 to 1,000,000,000, got',
    ],
    [
      { output: { total: Number.NaN } },
      '"output" in the answer must be a JSON value ("total" is NaN)',
    ],
    [{ output: [{ lines: [{}, { total: () => 1 }] }] }, '("[0].lines[1].total" is a function)'],
    [{ output: { found: new Map() } }, '("found" is a Map)'],
    [{ output: { found: /a/ } }, '("found" is a RegExp)'],
    [{ output: [new TypeError('x')] }, '("[0]" is an Error)'],
    [{ output: { all: [1].values() } }, '("all" is an Iterator)'],
    [{ output: round }, '("inner.again" contains itself)'],
  ])('refuses %j', (value, message) => {
    expect(() => parseAnswer(value)).toThrow(
      expect.objectContaining({ kind: 'bad_response', message: expect.stringContaining(message) }),
    );
  });

  test('says which field of an output cannot be read', () => {
    const fails = {
      get total() {
        throw new Error('no connection');
      },
    };
    expect(() => parseAnswer({ output: [fails] })).toThrow(
      '("[0].total" cannot be read: no connection)',
    );
  });

  test.each([
    [{ error: { kind: 'rate_limit', message: 'slow down' } }, 'rate_limit', 'slow down', null],
    [
      { output: null, error: { kind: 'server', message: 'down', status: 503 } },
      'server',
      'down',
      503,
    ],
    [
      { error: { kind: 'busy' } },
      'bad_response',
      '"kind" of the agent\'s error must be one of rate_limit, quota',
      null,
    ],
    [{ error: { kind: 'server', message: 5 } }, 'bad_response', '"message"', null],
  ])('throws the error that %j states', (value, kind, message, status) => {
    expect(() => parseAnswer(value)).toThrow(
      expect.objectContaining({ kind, status, message: expect.stringContaining(message) }),
    );
  });

  test('keeps the usage from before the error', () => {
    const progress = { costUsd: 0.5, steps: 2 };
    const stated = { error: { kind: 'server' }, ...progress, verbatim: true };
    expect(() => parseAnswer(stated)).toThrow(expect.objectContaining({ progress }));
  });
});

const MIXED = { input_tokens: 1000, output_tokens: 100, cached_tokens: 400, reasoning_tokens: 40 };
const CHAT = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 400, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 40, accepted_prediction_tokens: 0 },
};
const RESPONSES = {
  input_tokens: 1000,
  output_tokens: 100,
  total_tokens: 1100,
  input_tokens_details: { cached_tokens: 400 },
  output_tokens_details: { reasoning_tokens: 40 },
};
const ANTHROPIC = {
  input_tokens: 500,
  output_tokens: 100,
  cache_read_input_tokens: 400,
  cache_creation_input_tokens: 100,
  cache_creation: { ephemeral_5m_input_tokens: 100 },
  output_tokens_details: { thinking_tokens: 40 },
  server_tool_use: null,
  service_tier: 'standard',
};
const AI_SDK_5 = {
  ...{ inputTokens: 1000, outputTokens: 100, totalTokens: 1100 },
  ...{ cachedInputTokens: 400, reasoningTokens: 40 },
};
const AI_SDK_7 = {
  ...{ inputTokens: 1000, outputTokens: 100, totalTokens: 1100 },
  inputTokenDetails: { noCacheTokens: 500, cacheReadTokens: 400, cacheWriteTokens: 100 },
  outputTokenDetails: { textTokens: 60, reasoningTokens: 40 },
};
const BEDROCK = {
  ...{ inputTokens: 600, outputTokens: 100, cacheReadInputTokens: 400, cacheWriteInputTokens: 0 },
};
const AGENTS_SDK = {
  ...{ requests: 1, inputTokens: 1000, outputTokens: 100, totalTokens: 1100 },
  inputTokensDetails: [{ cached_tokens: 400 }],
  outputTokensDetails: [{ reasoning_tokens: 40 }],
};
const LITELLM = { ...CHAT, cache_read_input_tokens: 400, cache_creation_input_tokens: 100 };

test.each<[string, object, object | undefined]>([
  ["OpenAI's chat completions", CHAT, MIXED],
  ["OpenAI's responses", RESPONSES, MIXED],
  ['Anthropic, whose input excludes the cache', ANTHROPIC, { ...MIXED, cache_write_tokens: 100 }],
  [
    'Anthropic without a cache',
    {
      ...ANTHROPIC,
      cache_read_input_tokens: null,
      cache_creation_input_tokens: null,
      input_tokens: 1000,
    },
    { ...MIXED, cached_tokens: 0 },
  ],
  ['the AI SDK 5', AI_SDK_5, MIXED],
  ['the AI SDK 7', AI_SDK_7, { ...MIXED, cache_write_tokens: 100 }],
  [
    'the AI SDK, which does not know',
    { inputTokens: undefined, outputTokens: undefined },
    undefined,
  ],
  ['Bedrock', BEDROCK, { ...MIXED, reasoning_tokens: 0 }],
  ['the OpenAI Agents SDK', AGENTS_SDK, MIXED],
  ['a proxy, whose input includes the cache', LITELLM, { ...MIXED, cache_write_tokens: 100 }],
])('reads the usage of %s', (_, usage, read) => {
  expect(parseAnswer({ output: 'x', usage })).toEqual({
    output: 'x',
    ...(read && { usage: read }),
  });
});

function describeFields(...returned: readonly unknown[]): string {
  const fields = new UnknownFields();
  for (const value of returned) fields.look(value);
  return textsOf(fields.describe()).join('\n');
}

describe('money, tokens and times under other names', () => {
  const usage = { inputTokens: 5, outputTokens: 2 };
  test.each<[object, string]>([
    [{ cost: 0.01 }, '"cost" in the answer is not read: write costUsd (US dollars).'],
    [{ total_cost_usd: 0.01 }, '"total_cost_usd" in the answer is not read: write costUsd'],
    [{ ttft: 40 }, '"ttft" in the answer is not read: write firstTokenMs (milliseconds).'],
    [{ inputTokens: 5 }, 'write usage: { input_tokens, output_tokens }.'],
    [{ cost_cents: 1 }, '"cost_cents" in the answer is not read: write costUsd'],
    [{ usageMetadata: { promptTokenCount: 5 } }, '"usageMetadata" in the answer is not read: '],
    [{ estimatedCost: 1 }, '"estimatedCost" in the answer is not read: write costUsd'],
    [{ usd: 1 }, '"usd" in the answer is not read: write costUsd'],
    [{ usage: { promptTokenCount: 5 } }, '"usage.promptTokenCount" in the answer is not'],
    [{ usage: { total_tokens: 5 } }, 'not read: write input_tokens and output_tokens.'],
    [{ usage: { ...usage, thoughtTokens: 4 } }, 'with cached_tokens and reasoning_tokens as parts'],
  ])('are refused in an answer: %j', (fields, message) => {
    const refused = expect.objectContaining({
      kind: 'bad_response',
      message: expect.stringContaining(message),
    });
    expect(() => parseAnswer({ output: 'x', ...fields })).toThrow(refused);
  });

  test.each<object>([
    { cost: null },
    { cost: 1, costUsd: 1 },
    { tokens: 7, usage: NO_TOKENS },
    { duration_ms: 9, elapsed: 1 },
  ])('are further facts where nothing is lost: %j', (fields) => {
    expect(parseAnswer({ output: 'x', ...fields })).toMatchObject({ output: 'x' });
  });

  test.each<[string, unknown, object | null, string]>([
    [
      'a name',
      { cost: 1, steps: 2 },
      { steps: 2 },
      '"cost" in what the agent reported is not read',
    ],
    [
      'a type',
      { costUsd: '1' },
      null,
      'A mistake in what the agent reported: "costUsd" must be a number',
    ],
    [
      'a name that makes the rest unreadable',
      { usage: { total_tokens: 5 } },
      null,
      '"usage.total_tokens" in what the agent reported is not read: write input_tokens',
    ],
    [
      'no object',
      'x',
      null,
      'A mistake in what the agent reported: it must be an object, got "x".',
    ],
  ])('are named where an agent reports them during a call: %s', (_, value, progress, problem) => {
    expect(readProgress(value)).toEqual({ progress, problem: expect.stringContaining(problem) });
  });

  test('do not hide an error, whose message names them', () => {
    const failed = { error: { kind: 'server', message: 'down' }, cost: 0.5 };
    const message = 'down ("cost" in the answer is not read: write costUsd (US dollars).)';
    expect(() => parseAnswer(failed)).toThrow(expect.objectContaining({ kind: 'server', message }));
  });
});

test.each([
  [
    'a field under another name',
    [
      { output: 'x', costUsd: 3, cost_usd: 1 },
      { costUsd: 3, cost_usd: 2 },
    ],
    ': "cost_usd". Known: output, reason,',
  ],
  ['a name that moves a terminal', [{ '\u001b[2J': 1 }], '\\u001b[2J'],
])('names the fields that are ignored: %s', (_, returned, note) => {
  expect(describeFields(...returned)).toContain(note);
});

test('at most five names are shown, and only their number where records are gated', () => {
  const fields = new UnknownFields();
  fields.look(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`zz${index}`, 1])));
  expect(textsOf(fields.describe()).join().match(/"z/g)).toHaveLength(5);
  expect(textsOf(fields.describe(true))).toEqual([
    expect.stringMatching(
      /^unknown fields in its answers were ignored: 5\. Set EVAL_SHOW_GATED=1 .* Known: output, /,
    ),
  ]);
  expect(new UnknownFields().describe(true)).toEqual([]);
});

const WHOLE = { input_tokens: 5, output_tokens: 2, cached_tokens: 0, reasoning_tokens: 0 };

test.each<[string, unknown, object]>([
  [
    'role, time, tokens and cost',
    { role: 'system', at_ms: 12, usage: WHOLE, cost_usd: 0.5 },
    { ...STEP, role: 'system', at_ms: 12, usage: WHOLE, cost_usd: 0.5 },
  ],
  [
    'malformed parts, left out',
    { role: null, at_ms: -1, usage: { input_tokens: 5 }, cost_usd: '1' },
    STEP,
  ],
  [
    'a call',
    {
      tool_calls: [
        {
          name: 'f',
          arguments: { a: 1 },
          result: 'r',
          at_ms: 9,
          files: [{ name: 'a', bytes: 1 }, { name: 'b' }],
        },
      ],
    },
    {
      ...STEP,
      tool_calls: [
        {
          name: 'f',
          arguments: '{"a":1}',
          result: 'r',
          failed: false,
          at_ms: 9,
          files: [{ name: 'a', bytes: 1 }],
        },
      ],
    },
  ],
])('reads a step: %s', (_, step, expected) => {
  expect(parseSteps([step])).toEqual([expected]);
});
