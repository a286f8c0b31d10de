import { expect, test } from 'vitest';
import { describeFailed, showFailed } from './shown-difference.ts';

function failWith(assertion: () => void): Error {
  try {
    assertion();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it holds');
}

const long = (word: string) => `${'a'.repeat(3000)}${word}${'z'.repeat(3000)}`;
const large = (total: number) => ({
  lines: Array.from({ length: 9000 }, (_, line) => line),
  total,
});
const BELL = 'ring\u0007\u001b[2J';

test.each<[what: string, assertion: () => void, said: string]>([
  ['numbers', () => expect(1).toBe(2), 'expected 1 to be 2 // Object.is equality'],
  [
    'objects that chai cuts',
    () => expect(large(1)).toEqual(large(2)),
    'expected { …(2) } to deeply equal { …(2) }: total is 1, not 2',
  ],
  [
    'texts that look alike where chai cuts them',
    () => expect(long('X')).toBe(long('Y')),
    `expected "…${'a'.repeat(20)}X${'z'.repeat(20)}…" to be "…${'a'.repeat(20)}Y${'z'.repeat(20)}…" // Object.is equality`,
  ],
])('says in a line what differs between %s', (_, assertion, said) => {
  expect(describeFailed(failWith(assertion))).toBe(said);
});

test.each<[what: string, assertion: () => void, shown: object]>([
  ['a short text', () => expect('a').toBe('b'), { actual: 'a', expected: 'b' }],
  [
    'long texts, cut',
    () => expect(long('X')).toBe(long('Y')),
    { actual: `…${'a'.repeat(100)}X${'z'.repeat(100)}…`, expected: expect.stringContaining('aYz') },
  ],
  [
    'values that would take seconds, by the places',
    () => expect(large(1)).toEqual(large(2)),
    {
      actual: undefined,
      expected: undefined,
      message: expect.stringMatching(/\ntotal is 1, not 2$/),
    },
  ],
  [
    'texts that control a terminal, escaped',
    () => expect({ said: [BELL] }).toEqual({ said: [] }),
    { actual: { said: ['ring\\u0007\\u001b[2J'] }, expected: { said: [] } },
  ],
  [
    'such a text beside another value',
    () => expect(BELL).toBe(1),
    { actual: 'ring\\u0007\\u001b[2J' },
  ],
  [
    'such a message, with the colours of a matcher',
    () => expect.fail(`\u001b[32mgreen\u001b[39m ${BELL} \u001b[8m\n::error::x`),
    { message: '\u001b[32mgreen\u001b[39m ring\\u0007\\u001b[2J \\u001b[8m\n\\::error::x' },
  ],
])('shows %s', (_, assertion, shown) => {
  const error = failWith(assertion);
  showFailed(error);
  expect({ ...error, message: error.message }).toMatchObject(shown);
});
