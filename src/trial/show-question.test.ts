import { expect, test } from 'vitest';
import { showFirstLine, showQuestion } from './show-question.ts';

function show(input: string, choices?: Readonly<Record<string, string>>): string {
  const error = new Error('wrong');
  showQuestion(error, { input, ...(choices === undefined ? {} : { choices }) });
  return error.message;
}

test('shows a question in its own lines, and its options in lines', () => {
  expect(show('Which?\n  1  2', { A: 'one', B: 'two' })).toBe('wrong\n\nQuestion:\nWhich?\n  1  2\n\nA: one\nB: two');
});

test.each([
  ['Which?\r\nA list follows.', 'Which?'],
  ['\n\n  Which?', 'Which?'],
  ['x'.repeat(201), `${'x'.repeat(200)}...`],
  ['a\u001b[2J', 'a\\u{1b}[2J'],
])('shows the first line of %j in a terminal', (input, shown) => {
  const error = new Error('wrong');
  showFirstLine(error, { input });
  expect(error.message).toBe(`wrong\nQuestion: "${shown}"`);
});

test('wraps what would run out of the panel, between words', () => {
  const [, , , first = '', second = ''] = show('word '.repeat(30).trim()).split('\n');
  expect(first).toBe('word '.repeat(19).trim());
  expect(second).toBe('word '.repeat(11).trim());
});

test('cuts a long question, and writes out what acts on a terminal', () => {
  expect(show('x'.repeat(3000))).toMatch(/x{2000}\.\.\.$/);
  expect(show('a\u001b[2J', { A: 'b\u202e' })).toContain('a\\u{1b}[2J\n\nA: b\\u{202e}');
});
