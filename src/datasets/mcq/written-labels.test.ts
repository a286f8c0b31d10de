import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { refersToOptions } from './written-labels.ts';

it.each([
  'Both A and B',
  'A and C only',
  'A, B and D',
  'Either (a) or (b)',
  'Neither B nor C',
  'A & D',
  'A和B',
  'Only B',
  'B only',
  'Option C is right',
  'All except (D)',
  'Two of the above',
  'The previous option',
  'None of these options above',
])('takes %j for one that names other options', (text) => {
  expect(refersToOptions(text, ['A', 'B', 'C', 'D'])).toBe(true);
});

it.each([
  'Only a physician',
  'salt and pepper',
  'E or F',
  'Above 40 degrees',
  'A plan',
  'a, as in cat',
  'But a few',
  '',
])('takes %j for one that stands alone', (text) => {
  expect(refersToOptions(text, ['A', 'B', 'C', 'D'])).toBe(false);
});

it('knows labels that are numbers', () => {
  expect(refersToOptions('1 and 3', ['1', '2', '3'])).toBe(true);
  expect(refersToOptions('1 and 3', ['A', 'B', 'C'])).toBe(false);
});

it('takes time that grows with the text alone', () => {
  const start = cpuTime();
  for (const text of ['A and '.repeat(50_000), '(('.repeat(100_000), 'A  '.repeat(100_000)]) {
    refersToOptions(text, ['Z', 'Y']);
  }
  expect(cpuTime() - start).toBeLessThan(2000);
});
