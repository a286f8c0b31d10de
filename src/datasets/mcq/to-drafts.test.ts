import { expect, it } from 'vitest';
import { toMultiple } from './to-drafts.ts';

it.each([
  ['single', false],
  ['Single choice', false],
  ['mcq_single', false],
  ['One answer', false],
  ['True/False', false],
  ['Multiple choice (single answer)', false],
  ['multi', true],
  ['Multi-select', true],
  ['Multiple', true],
  ['multiple answers', true],
  ['multiple-choice, multiple answers', true],
  ['Multiple choice', undefined],
  ['MCQ', undefined],
  ['', undefined],
  [undefined, undefined],
  [3, undefined],
  [true, true],
  [false, false],
])('takes the answer type %j as several right: %s', (type, multiple) => {
  expect(toMultiple(type)).toBe(multiple);
});
