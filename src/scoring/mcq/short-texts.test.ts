import { expect, it } from 'vitest';
import { toShortTexts } from './short-texts.ts';

it.each([
  [['Vitamin B12', 'Vitamin K2'], 'b12, k2, vitamin', ['b12', 'k2']],
  [['Vitamin B12 deficiency', 'Vitamin K2 deficiency'], 'b12 deficiency', ['b12']],
  [['red wine', 'white wine', 'sparkling wine'], 'red, white', ['red', 'white']],
  [['the cat and the dog', 'the dog'], 'dog', ['dog']],
  // Nothing is shared, or nothing is left.
  [['red wine', 'white wine', 'red beer'], 'red wine', []],
  [['sea', 'sea breeze'], 'sea, breeze', []],
  [['sea breeze'], 'breeze', []],
  [[], 'breeze', []],
  // Too short, a number, or a label.
  [['Vitamin C', 'Vitamin K2'], 'c, k2', ['k2']],
  [['Grade 12', 'Grade 13'], '12', []],
])('%j tells apart in %j %j', (texts, text, parts) => {
  const choices = Object.fromEntries(texts.map((each, i) => ['ABCD'.charAt(i), each]));
  expect(
    toShortTexts(choices)
      .all(text)
      .map(({ start, end }) => text.slice(start, end)),
  ).toEqual(parts);
});

it('leaves out what is a label', () => {
  expect(toShortTexts({ I: 'Type one', II: 'Type I', III: 'Type II' }).all('one, i, ii')).toHaveLength(1);
});
