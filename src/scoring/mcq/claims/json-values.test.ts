import { describe, expect, it } from 'vitest';
import { jsonAnswers, jsonConfidence } from './json-values.ts';

describe('jsonAnswers', () => {
  it.each<[string, readonly (readonly string[] | null)[]]>([
    ['{"answer": "B"}', [['B']]],
    ['{"final_answer": "B"}', [['B']]],
    ['{"réponse" : "B"}', [['B']]],
    ["{'answer': 'It\\'s B'}", [["It's B"]]],
    ['{"answer": "B, \\"Rhine\\"\\nfor short"}', [['B, "Rhine"\nfor short']]],
    ['{"answer": "B \\u00e9 \\\\ \\/"}', [['B \\u00e9 \\ /']]],
    ['{"answer": "It\'s B"}', [["It's B"]]],
    ['{"answer": ["A", "C"]}', [['A', 'C']]],
    ["{'answers': ['A', 'C']}", [['A', 'C']]],
    ['{"answer": [1, 3]}', [['1', '3']]],
    ['{"answer": [\n  "A",\n  "C"\n]}', [['A', 'C']]],
    ['{"answer": []}', [[]]],
    ['{"answer": ""}', [['']]],
    ['{"answer": null}', [null]],
    ['{"answer": None}', [null]],
    ['{"answer": true}', [['true']]],
    ['{"answer": -2.5}', [['-2.5']]],
    ['{"answer": B}', [['B']]],
    ['{"answer": "A"}\n{"answer": "B"}', [['A'], ['B']]],
    ['{"answer": "A", "choice": "B"}', [['A']]],
    ['{"choice": "B"}', [['B']]],
    ['{"result": {"selected": ["A"]}}', [['A']]],
    ['{"choice": "C", "answer": ', [null]],
    ['{"choice": "C", "answer": "', [null]],
    ['{"choice": "C", "answer": ["', [null]],
    ['{"choice": "C", "the \\"answer\\": ": 1', [['C']]],
    ['{"output": "{\\"answer\\": \\"B\\"}"}', [['B']]],
    ['{"output": "{\\"ANSWER\\": \\"A\\"} or {\\"answer\\": \\"B\\"}"}', [['A'], ['B']]],
    ['{"reason": "none"}', []],
    ['The answer is B.', []],
    ['{"answer": {"label": "C"}}', [['C']]],
  ])('reads %j', (text, values) => {
    expect(jsonAnswers(text).map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ['So: {"answer": "B"}.', ['"B"']],
    ['{"answers": ["A", "C"], "sure": true}', ['["A", "C"]']],
    ['{"output": "{\\"answer\\": \\"B\\"}"}', ['\\"answer\\": \\"B\\"']],
    ['{"answer": "A"}{"answer": B}', ['"A"', 'B']],
    ['{"answer": "', ['']],
  ])('says where the values of %j stand', (text, parts) => {
    const found = jsonAnswers(text);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(parts);
  });

  it('says that a cut value stands at the end', () => {
    const text = `${'It flows north. '.repeat(20)}{"answer": "`;
    expect(jsonAnswers(text)).toEqual([{ value: null, start: text.length, end: text.length }]);
  });

  it('reads the last eight of many values', () => {
    const values = Array.from({ length: 12 }, (_, i) => String(i));
    const expected = values.slice(-8).map((value) => [value]);
    const plain = values.map((value) => `{"answer": "${value}"}`).join('\n');
    expect(jsonAnswers(plain).map(({ value }) => value)).toEqual(expected);
    const escaped = values.map((value) => `{\\"answer\\": \\"${value}\\"}`).join('\n');
    expect(jsonAnswers(escaped).map(({ value }) => value)).toEqual(expected);
  });
});

describe('jsonConfidence', () => {
  it.each<[string, string | number | null]>([
    ['{"confidence": 0.8}', 0.8],
    ['{"confidence_score": "85"}', 85],
    ['{"certainty": "high"}', 'high'],
    ['{"confidence": 0.2}\n{"confidence": 0.9}', 0.9],
    ['{"confidence": ""}', null],
    ['{"confidence": null}', null],
    ['{"confidence": [1]}', null],
    ['{"answer": "B"}', null],
    ['My confidence: 80', null],
    [`{"confidence": "${'very '.repeat(40)}"}`, 'very '.repeat(20)],
  ])('reads %j', (text, confidence) => {
    expect(jsonConfidence(text)).toBe(confidence);
  });
});
