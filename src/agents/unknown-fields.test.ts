import { expect, test } from 'vitest';
import { UnknownFields } from './unknown-fields.ts';

function describe(...returned: readonly unknown[]): string {
  const fields = new UnknownFields();
  for (const value of returned) fields.look(value);
  return fields.describe().join('\n');
}

test.each([
  ['cost_usd', 'cost'],
  ['totalCost', 'cost'],
  ['tokens', 'usage'],
  ['Usage', 'usage'],
  ['waited_ms', 'waitedMs'],
  ['trajectory', 'trace'],
  ['stpes', 'steps'],
])('%s may mean %s', (name, meant) => {
  expect(describe({ text: 'x', [name]: 1 })).toContain(`: "${name}" (did you mean "${meant}"?). Known: text, `);
});

test('what resembles nothing is named alone', () => {
  expect(describe({ text: 'x', zebra: 1 })).toContain(': "zebra". Known: ');
});

test.each([
  ['a text', ['17']],
  ['an answer of known fields', [{ text: '17', reason: 'r', usage: {}, cost: 1, error: null }]],
  [
    'a proxy that refuses',
    [
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ],
  ],
])('nothing is said of %s', (_, returned) => {
  expect(describe(...returned)).toBe('');
});

test('each name is said once, and no more than five of them', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`zz${index}`, 1]));
  expect(describe({ zebra: 1 }, { zebra: 1 }, many).match(/"z/g)).toHaveLength(5);
});

test('no name moves a terminal', () => {
  expect(describe({ '\u001b[2J': 1 })).toContain('\\u001b[2J');
});

test('where records are gated their number is said, and no name of them', () => {
  const fields = new UnknownFields();
  fields.look({ text: 'x', 'What is a1?': 1 });
  expect(fields.describe(true)).toEqual([
    expect.stringMatching(/^fields of its answers that nobody reads: 1\. Set EVAL_SHOW_GATED=1 .* Known: text, /),
  ]);
  fields.look(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`zz${index}`, 1])));
  expect(fields.describe(true).join()).toContain(': 5 or more. Set');
  expect(new UnknownFields().describe(true)).toEqual([]);
});
