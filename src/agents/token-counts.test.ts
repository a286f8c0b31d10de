import { describe, expect, test } from 'vitest';
import { toTokenCounts } from './token-counts.ts';

const said = {
  input_tokens: 10,
  output_tokens: 2,
  cached_tokens: 4,
  reasoning_tokens: 1,
  cache_write_tokens: 3,
};

describe('toTokenCounts', () => {
  test('takes counts as they are, and details that are missing as none', () => {
    expect(toTokenCounts(said)).toEqual(said);
    const bare = { ...said, cached_tokens: undefined, reasoning_tokens: null, cache_write_tokens: undefined };
    expect(toTokenCounts(bare)).toEqual({ ...said, cached_tokens: 0, reasoning_tokens: 0, cache_write_tokens: 0 });
  });

  test('adds what a cache held and took to an input that leaves it out', () => {
    expect(toTokenCounts({ ...said, cached_tokens: 40 }, { cacheApart: true })).toMatchObject({
      input_tokens: 53,
      cached_tokens: 40,
    });
  });

  test.each([
    ['a missing input', { input_tokens: undefined }],
    ['a missing output', { output_tokens: null }],
    ['a negative input', { input_tokens: -1 }],
    ['a text', { output_tokens: '2' }],
    ['a part of a token', { output_tokens: 0.5 }],
    ['more than any request takes', { input_tokens: 1e300 }],
    ['no number', { input_tokens: Number.NaN }],
    ['a detail that is no count', { reasoning_tokens: {} }],
    ['more cached than there was', { cached_tokens: 11 }],
  ])('does not know the counts where a server says %s', (_, change) => {
    expect(toTokenCounts({ ...said, ...change })).toBeNull();
  });
});
