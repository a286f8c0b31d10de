import { expect, test } from 'vitest';
import { diffPrompts } from './prompt-diff.ts';

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const PROMPT = LINES.join('\n');

test.each<[string, string, string, readonly string[]]>([
  [
    'three lines around each edit',
    PROMPT,
    PROMPT.replace('line 6', 'six'),
    [' line 3', ' line 4', ' line 5', '-line 6', '+six', ' line 7', ' line 8', ' line 9'],
  ],
  [
    'a gap between two edits',
    PROMPT,
    `first\n${PROMPT}\nlast`,
    ['+first', ' line 1', ' line 2', ' line 3', '...', ' line 10', ' line 11', ' line 12', '+last'],
  ],
  ['no other line breaks', PROMPT, `${PROMPT.replaceAll('\n', '\r\n')}\r\n\n`, []],
])('shows %s', (_rule, a, b, lines) => {
  expect(diffPrompts(a, b)).toEqual(lines);
});

test('shows at most 40 lines, and counts the others', () => {
  const lines = diffPrompts('', 'x\n'.repeat(100));
  expect(lines.length).toBe(41);
  expect(lines.at(-1)).toBe('... and 61 more lines');
});

test('does not compare long prompts that have nothing in common', () => {
  const [a = '', b = ''] = ['a', 'b'].map((letter) =>
    Array.from({ length: 2000 }, (_, i) => `${letter}${i}`).join('\n'),
  );
  expect(diffPrompts(a, b)).toEqual(['More than 400 lines differ.']);
});
