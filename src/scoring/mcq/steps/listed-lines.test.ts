import { expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { isListed, toldLines } from './listed-lines.ts';

it.each([
  ['Danube', ['A']],
  ['- Danube', ['A']],
  ['• Danube', ['A']],
  ['  + Danube', ['A']],
  ['1. Danube', ['A']],
  ['12) Danube', ['A']],
  ['- 2) Danube', ['A']],
  ['1: Danube', []],
  ['No) Danube', []],
  ['The Danube', []],
  ['Danube\n2. Rhine', ['A', 'B']],
  ['Danube 1. ', []],
])('tells which lines are nothing but the text of an option: %j', (output, labels) => {
  expect(toldLines(readingOf(output)).flatMap((line) => line.labels)).toEqual(labels);
});

it.each([
  ['Danube\nRhine\nThe river is the Loire.', 'Rhine', true],
  ['Danube\nRhine\nThe river is the Loire.', 'Loire', false],
  ['The river is:\nLoire', 'Loire', false],
  ['A. Danube is long\nB. Rhine', 'Rhine', true],
])('tells whether options are listed one below the other: %j, %s', (output, text, listed) => {
  const reading = readingOf(output);
  const match = reading.question.texts.all(reading.lower).find(({ start, end }) => {
    return reading.text.slice(start, end) === text;
  });
  expect(match).toBeDefined();
  if (match !== undefined) expect(isListed(reading, match)).toBe(listed);
});
