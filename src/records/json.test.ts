import { describe, expect, it } from 'vitest';
import { noteRepeatedKeys } from './json.ts';

describe('noteRepeatedKeys', () => {
  it.each([
    ['{"a": 1, "b": {"a": 2}}'],
    ['[{"a": 1}, {"a": 2}]'],
    ['{"a": "a", "b": ["a", "a"]}'],
    ['{"a": "\\"b\\": {", "b": 1}'],
    ['{"a": 1}\n{"a": 2}'],
    [String.raw`{"a\\\\": 1, "a": 2}`],
    [String.raw`{"a": "\\\\", "b": "\\\", \"a\": 1"}`],
  ])('is silent about %s', (text) => {
    expect(noteRepeatedKeys(text)).toEqual([]);
  });

  it('names the first field that an object has twice, and its line', () => {
    expect(noteRepeatedKeys('{"id": 1}\n{"answer": "A", "x": {"y": 1}, "answer" : "B"}')).toEqual([
      '1 field is named twice in one object, first "answer" on line 2; the last value counts.',
    ]);
  });
});
