import { describe, expect, test } from 'vitest';
import type { TokenCounts, Turn } from './converse.ts';
import { Transcript } from './transcript.ts';

const counts: TokenCounts = {
  input_tokens: 10,
  output_tokens: 2,
  cached_tokens: 4,
  reasoning_tokens: 1,
  cache_write_tokens: 3,
};
const turn: Turn = { text: 'x', flaw: null, reasoning: null, calls: [], stop: 'stop', usage: counts, model: null };

function transcribe(turns: readonly Turn[], price: ((counts: TokenCounts) => number) | null = null) {
  const transcript = new Transcript('m', price);
  for (const each of turns) transcript.add(each);
  return transcript.toAnswer(0);
}

describe('Transcript', () => {
  test('sums the usage of all requests', () => {
    const usage = { input_tokens: 20, output_tokens: 4, cached_tokens: 8, reasoning_tokens: 2 };
    expect(transcribe([turn, turn])).toMatchObject({ text: 'x', steps: 2, model: 'm', usage });
  });

  test('prices request by request', () => {
    expect(transcribe([turn, turn], ({ input_tokens }) => input_tokens ** 2)).toMatchObject({ cost: 200 });
  });

  test('does not know the cost when a request was not counted, or no price is known', () => {
    expect(transcribe([turn, { ...turn, usage: null }], () => 1)).not.toHaveProperty('cost');
    expect(transcribe([turn])).not.toHaveProperty('cost');
    expect(transcribe([], () => 1)).not.toHaveProperty('cost');
  });

  test.each(['input_tokens', 'output_tokens'] as const)('does not know the cost of a text with 0 %s', (count) => {
    const usage = { ...counts, [count]: 0 };
    expect(transcribe([turn, { ...turn, usage }], () => 1)).not.toHaveProperty('cost');
    expect(transcribe([turn, { ...turn, text: null, usage }], () => 1)).toMatchObject({ cost: 2 });
  });

  test('says why there is no text', () => {
    expect(transcribe([{ ...turn, text: null }])).toMatchObject({ text: null, reason: 'empty' });
    expect(transcribe([{ ...turn, text: null, flaw: 'max_tokens' }])).toMatchObject({
      text: null,
      reason: 'max_tokens',
    });
    expect(transcribe([turn])).not.toHaveProperty('reason');
  });

  test('takes no text that a refusal follows as an answer, and shows it in the trace', () => {
    const refused = transcribe([{ ...turn, flaw: 'refusal' }]);
    expect(refused).toMatchObject({ text: null, reason: 'refusal', trace: [{ text: 'x' }] });
  });

  test('says why a text is cut short', () => {
    expect(transcribe([{ ...turn, flaw: 'max_tokens' }])).toMatchObject({ text: 'x', cutShort: 'max_tokens' });
    expect(transcribe([turn])).not.toHaveProperty('cutShort');
  });

  test('cuts the trace, not the answer, and keeps it JSON', () => {
    const call = { id: 'c', name: 'calculate', arguments: 'x'.repeat(100_000) };
    const text = `${'a'.repeat(50_000)}\uD800${'b'.repeat(50_000)}`;
    const answer = transcribe([{ ...turn, text, calls: [call] }]);
    expect(answer.text).toBe(text);
    expect(JSON.stringify(answer.trace).length).toBeLessThan(30_000);
    expect(answer.trace?.[0]?.text).toContain('[... 80001 characters left out ...]');
    expect(JSON.parse(JSON.stringify(answer.trace))).toEqual(answer.trace);
  });
});
