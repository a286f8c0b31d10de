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

const twice = (word: string) => ['a', 'm', 'z'].map((each) => each.repeat(1000)).join(word);

const cutTwice = (word: string) =>
  `…${'a'.repeat(100)}${word}${'m'.repeat(99)}…${'m'.repeat(99)}${word}${'z'.repeat(100)}…`;

const long = (word: string) => `${'a'.repeat(3000)}${word}${'z'.repeat(3000)}`;
const large = (total: number) => ({
  lines: Array.from({ length: 9000 }, (_, line) => line),
  total,
});
const poem = (changed: Readonly<Record<number, string>>, length = 200) =>
  Array.from({ length }, (_, line) => changed[line] ?? `verse ${line}`).join('\n');
const LONG_LINES = Array.from({ length: 150 }, (_, line) => [line, `${line}${'a'.repeat(900)}`]);
/** Lines, and those of a poem from the first to the last. */
const lines = (...parts: readonly (string | readonly [first: number, last: number])[]) =>
  parts
    .flatMap((part) =>
      typeof part === 'string'
        ? part
        : poem({})
            .split('\n')
            .slice(part[0], part[1] + 1),
    )
    .join('\n');
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
    'the lines of long texts that differ, with their places',
    () => expect(poem({ 3: 'X', 150: 'Y' }, 400)).toBe(poem({}, 400)),
    {
      actual: lines(
        '@@ -1,8 +1,8 @@',
        [0, 2],
        'X',
        [4, 7],
        '@@ -147,9 +147,9 @@',
        [146, 149],
        'Y',
        [151, 154],
      ),
      expected: lines('@@ -1,8 +1,8 @@', [0, 7], '@@ -147,9 +147,9 @@', [146, 154]),
    },
  ],
  [
    'a line that is inserted in a very long text, alone',
    () => expect(`new\n${poem({}, 3000)}`).toBe(poem({}, 3000)),
    { actual: lines('@@ -1,4 +1,5 @@', 'new', [0, 3]), expected: lines('@@ -1,4 +1,5 @@', [0, 3]) },
  ],
  [
    'a line break at the end of a text',
    () => expect('a\n').toBe('a'),
    { actual: 'a\n', expected: 'a' },
  ],
  [
    'a long line around what differs, and those that both have alike',
    () => expect(`${'b'.repeat(500)}\n${long('X')}\nc`).toBe(`${'b'.repeat(500)}\n${long('Y')}\nd`),
    {
      actual: `${'b'.repeat(400)}…\n…${'a'.repeat(100)}X${'z'.repeat(100)}…\nc`,
      expected: `${'b'.repeat(400)}…\n…${'a'.repeat(100)}Y${'z'.repeat(100)}…\nd`,
    },
  ],
  [
    'a long line around the first and the last place that differs',
    () => expect(twice('X')).toBe(twice('Y')),
    { actual: cutTwice('X'), expected: cutTwice('Y') },
  ],
  [
    'as many lines as Vitest compares in time',
    () => expect(poem(Object.fromEntries(LONG_LINES), 150)).toBe(poem({}, 150)),
    { actual: expect.stringMatching(/a…\n…$/), expected: expect.stringMatching(/\nverse \d+\n…$/) },
  ],
  [
    'very long texts that differ everywhere by the part in which that begins',
    () => expect(poem({}, 2000).replaceAll('e', 'E')).toBe(poem({}, 2000)),
    {
      actual: expect.stringMatching(/^vErsE 0\nvErsE 1\n.*…$/s),
      expected: expect.stringMatching(/^verse 0\nverse 1\n.*…$/s),
    },
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
