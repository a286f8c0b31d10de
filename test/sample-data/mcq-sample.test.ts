import { describe, expect, it } from 'vitest';
import { countBy } from './count-by.ts';
import { readJsonLines } from './read-gaia-sample.ts';
import { readMcqSample } from './read-mcq-sample.ts';

const rows = readMcqSample();
const predictions = readJsonLines('evals/mcq/sample/predictions.jsonl');

describe('rows of the multiple-choice sample', () => {
  it('has 48 questions with ids of their own', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(48);
  });

  it('has 16 questions in each of three subjects', () => {
    const subjects = countBy(rows.map(({ subject }) => subject));
    expect(Object.fromEntries(subjects)).toEqual({
      'Everyday statistics': 16,
      'Computing basics': 16,
      'Time and measurement': 16,
    });
  });

  it('has a case context for 38 questions and several right options for 10', () => {
    expect(rows.filter(({ context }) => context !== '')).toHaveLength(38);
    expect(Object.fromEntries(countBy(rows.map(({ type }) => type)))).toEqual({ Single: 38, Multiple: 10 });
  });

  it.each(rows)('$id has a question, distinct options and a truth among them', ({ question, options, right, type }) => {
    expect(question).not.toBe('');
    expect(options.length).toBeGreaterThanOrEqual(4);
    expect(new Set(options).size).toBe(options.length);
    expect(options).toEqual(expect.arrayContaining([...right]));
    expect(right.length === 1 || type === 'Multiple').toBe(true);
  });

  it('spreads the right letters over A to F', () => {
    const letters = rows.flatMap(({ options, right }) => right.map((text) => 'ABCDEF'[options.indexOf(text)] ?? ''));
    const counts = countBy(letters);
    expect([...counts.keys()].sort()).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(Math.max(...counts.values())).toBeLessThan(letters.length / 4);
  });
});

describe('predictions of the multiple-choice sample', () => {
  const predicted = predictions.map((prediction) => String(prediction['id']));

  it('leaves out exactly one question', () => {
    expect(rows.filter(({ id }) => !predicted.includes(id))).toHaveLength(1);
  });

  it('predicts each question once and no other', () => {
    expect(new Set(predicted).size).toBe(predicted.length);
    expect(predicted.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
  });

  it.each(predictions)('$id has an output, a latency and a model that calls itself made up', (prediction) => {
    expect(prediction['output']).toBeTypeOf('string');
    expect(prediction['latency_ms']).toBeGreaterThan(0);
    expect(prediction['model']).toBe('made-up-model');
  });
});
