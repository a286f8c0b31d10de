import { describe, expect, test } from 'vitest';
import { findPriceProblems, loadPricing, type PriceTable, toTokenCounts } from './price.ts';

const counts = {
  input_tokens: 1_000_000,
  output_tokens: 100_000,
  cached_tokens: 400_000,
  reasoning_tokens: 50_000,
  cache_write_tokens: 100_000,
};

describe('loadPricing', () => {
  test.each<[PriceTable[string], number]>([
    [{ input: 2, output: 10 }, 3],
    [{ input: 2, output: 10, cacheRead: 0.5 }, 2.4],
    [{ input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 }, 2.6],
    [{ input: 0, output: 0 }, 0],
  ])('prices by the table %j', async (price, dollars) => {
    const pricing = await loadPricing('my-model', { 'my-model': price }, 'openai');
    expect(pricing?.costOf(counts)).toBeCloseTo(dollars, 10);
    const { input, output, cacheRead = input, cacheWrite = input } = price;
    const source = 'vitest.config.ts';
    expect(pricing?.price).toEqual({ input, output, cacheRead, cacheWrite, source });
  });

  test('estimates what the price package knows', async () => {
    const pricing = await loadPricing('gpt-4o', {}, 'openai');
    expect(pricing?.costOf(counts)).toBeGreaterThan(1);
    expect(pricing?.price).toEqual({
      input: expect.any(Number),
      output: expect.any(Number),
      cacheRead: expect.any(Number),
      cacheWrite: expect.any(Number),
      source: expect.stringMatching(/^@pydantic\/genai-prices \d+\.\d+\.\d+$/),
    });
    expect(await loadPricing('gpt-4o-2024-08-06', {}, 'openai')).not.toBeNull();
    expect(await loadPricing('claude-sonnet-4-5', {}, 'anthropic')).not.toBeNull();
  });

  test.each([
    ['no-such-model', 'openai'],
    // The package would price these as another model.
    ['claude-sonnet-5-5', 'anthropic'],
    ['gpt-4o-my-finetune', 'openai'],
    ['gpt-4o', null],
    ['__proto__', 'openai'],
    ['toString', 'openai'],
  ])('does not know the price of %s at %s', async (model, provider) => {
    expect(await loadPricing(model, {}, provider)).toBeNull();
  });
});

test.each([
  ['{}', []],
  ['{"m": {"input": 1, "output": 0, "cacheRead": 0.1, "cacheWrite": 2}}', []],
  [
    '{"m": {"input": "1"}}',
    [
      'The price of "m": "input" must be USD for a million tokens, a number from 0 to 1000000, got "1".',
      'The price of "m": "output" must be USD for a million tokens, a number from 0 to 1000000, got nothing.',
    ],
  ],
  [
    '{"m": {"input": 1, "output": 1, "cacheread": 1}}',
    ['The price of "m": "cacheread" is not a kind of token. Did you mean cacheRead?'],
  ],
])('finds what is wrong with %s', (json, problems) => {
  const table: PriceTable = JSON.parse(json);
  expect(findPriceProblems(table)).toEqual(problems);
});

const said = {
  input_tokens: 10,
  output_tokens: 2,
  cached_tokens: 4,
  reasoning_tokens: 1,
  cache_write_tokens: 3,
};

test.each([
  ['a missing input', { input_tokens: undefined }],
  ['a part of a token', { output_tokens: 0.5 }],
  ['more than any request takes', { input_tokens: 1e300 }],
  ['no number', { input_tokens: Number.NaN }],
  ['a detail that is not a count', { reasoning_tokens: {} }],
  ['more cached than there was', { cached_tokens: 11 }],
])('has no counts where a server reports %s', (_, change) => {
  expect(toTokenCounts({ ...said, ...change })).toBeNull();
});
