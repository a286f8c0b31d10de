import { describe, expect, it } from 'vitest';
import { jsonList } from './json-list.ts';

describe('jsonList', () => {
  it.each<[string, readonly string[] | null]>([
    ['["B"]', ['B']],
    ['  ["A", "C"]  \n', ['A', 'C']],
    ['I choose these:\n["Danube", "Elbe"]', ['Danube', 'Elbe']],
    ['```json\n["A", "C"]\n```\n', ['A', 'C']],
    ['```json\n["A", "C"]```', ['A', 'C']],
    ['First:\n```\n["A"]\n```\nLater:\n```\n["D"]\n```', ['D']],
    ['```\n["A"]\n```\n["D"]', ['D']],
    ["['A', 'C']", ['A', 'C']],
    ['["it\'s B", "C"]', ["it's B", 'C']],
    ['[\n  "A",\n  "C"\n]', ['A', 'C']],
    ['["A", "B", "C", "D"]', ['A', 'B', 'C', 'D']],
    ['[{"label": "B", "text": "Rhine"}]', ['B']],
    ['[{"text": "Rhine", "LETTER": "B"}]', ['B']],
    ['[{"key": "B"}, {"id": "C"}]', ['B', 'C']],
    ['[{"option": "B"}, {"choice": "C"}, {"answer": "D"}]', ['B', 'C', 'D']],
    ['[{"text": "Rhine"}, {"value": "Elbe"}]', ['Rhine', 'Elbe']],
    ['[{"id": 7, "text": "Rhine"}]', ['Rhine']],
    ['[{"label": "A", "correct": false}, {"label": "B", "correct": true}]', ['B']],
    ['[{"label": "A"}, {"label": "B", "correct": true}, {"label": "C", "correct": false}]', ['B']],
    ['[{"label": "A", "correct": true}, {"label": "B", "correct": true}]', ['A', 'B']],
    ['[{"label": "A", "correct": false, "checked": true}, {"label": "B"}]', ['A', 'B']],
    ['[{"label":"A","in":true},{"label":"B","in":true},{"label":"C","in":true},{"label":"D","in":true}]', [...'ABCD']],
    ['[{"label": "A"}, {"label": "B"}, {"label": "C"}, {"label": "D"}]', null],
    ['[{"label": "A"}, {"label": "B"}, {"label": "C"}, "D"]', ['A', 'B', 'C', 'D']],
  ])('reads the list at the end of %j', (text, value) => {
    expect(jsonList(text, 4)?.value).toEqual(value);
  });

  it.each([
    'B',
    '[]',
    '["A", "C"] are right',
    'I choose ["A"]',
    'See\n[1] a note\n["A"]',
    "['it's B']",
    '[1, 2]',
    '[["A"]]',
    '[null, "A"]',
    '[{"rank": "first"}, {"label": "B"}]',
    '[{"label": "A", "correct": false}, {"label": "B", "correct": false}]',
    `["${'a'.repeat(4000)}"]`,
  ])('finds none in %j', (text) => {
    expect(jsonList(text, 4)).toBeNull();
  });

  it('says where it stands', () => {
    const text = 'So:\n```json\n  ["A", "C"]\n```';
    const { start = 0, end = 0 } = jsonList(text, 4) ?? {};
    expect(text.slice(start, end)).toBe('["A", "C"]');
    const long = `${'It flows north. '.repeat(400)}\n["B"]`;
    expect(jsonList(long, 4)).toEqual({ value: ['B'], start: long.length - 5, end: long.length });
  });
});
