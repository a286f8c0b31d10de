import { expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { openingText } from './opening-text.ts';
import { verdicts } from './verdicts.ts';
import { wholeText } from './whole-text.ts';

it('says of a claim where it stands and that a text told it', () => {
  expect(wholeText.claims(readingOf('Rhine'))).toEqual([
    { value: { kind: 'labels', labels: ['B'] }, start: 0, end: 5, by: 'text' },
  ]);
});

it.each([
  ['Rhine. The Elbe passes Hamburg.', undefined, ['B']],
  ['Rhine. The Elbe passes Hamburg.', false, ['B']],
  ['Rhine. The Elbe passes Hamburg.', true, []],
])('takes the text that %j opens with for the answer where one is right (several: %s)', (output, multiple, labels) => {
  const claims = openingText.claims(readingOf(output, multiple === undefined ? {} : { multiple }));
  expect(claims.flatMap(({ value }) => (value.kind === 'labels' ? value.labels : []))).toEqual(labels);
});

it.each([
  ['A is right. D is right.', true, 'A,D'],
  ['A is right. D is right. B is wrong. C is wrong.', undefined, 'A,D'],
  ['A is right. D is right. B is wrong. C is wrong.', false, undefined],
  ['A is right. D is right. B is wrong.', undefined, undefined],
  ['A is right.', true, undefined],
  ['A or B is right. C is right. D is right.', true, 'C,D'],
])('reads which options of %j are right (several: %s): %s', (output, multiple, labels) => {
  const claims = verdicts.claims(readingOf(output, multiple === undefined ? {} : { multiple }));
  const told = claims.map(({ value }) => (value.kind === 'labels' ? value.labels.join() : value.kind));
  expect([...new Set(told)]).toEqual(labels === undefined ? [] : [labels]);
});
