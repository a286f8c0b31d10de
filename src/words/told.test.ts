import { expect, test } from 'vitest';
import { RecordError } from '../data/files/record.ts';
import { called, counted, listCalled, plainly, told } from './told.ts';

test('a problem names ids and fields, escaped, and counts', () => {
  const problem = told`${listCalled(['a\u001b', 'b'])} of ${called('q"1')} have ${counted(2, told`row`)} at ${plainly('x:1\n')}`;
  expect(problem).toBe('"a\\u001b" and "b" of "q\\"1" have 2 rows at x:1\\n');
});

test('no text gets into a problem but by a function that says what it is', () => {
  const text: string = 'SECRET';
  const fault = { file: 'a.jsonl', line: 1, remedy: 'Correct it.' };
  // @ts-expect-error: a text is no problem.
  const made = new RecordError({ ...fault, problem: `must not be ${text}` });
  // @ts-expect-error: nor a part of one.
  expect(told`must not be ${text}`).toBe(
    made.idsOnly.slice('a.jsonl:1: '.length, -' Correct it.'.length - 1),
  );
  const { message, idsOnly } = new RecordError({ ...fault, problem: told`is bad`, value: text });
  expect([message, idsOnly].map((shown) => shown.includes(text))).toEqual([true, false]);
});
