import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReplays } from '../../src/agents/replay.ts';
import { AgentError } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';

const LINES = ['{"task_id": "a", "output": "17"}', '{"task_id": "b", "output": "17"}'];

/** The agent that replays these lines for a dataset of the samples a, b and c. */
function replay(lines: readonly string[]) {
  const target = join(
    makeFolder({ 'predictions.jsonl': lines.map((line) => `${line}\n`).join('') }),
    'predictions.jsonl',
  );
  const suite = { suite: 'gaia', ids: ['a', 'b', 'c'], predictions: 'none' };
  const [agent] = createReplays({ kind: 'replay', target, text: `replay:${target}` }, suite);
  if (agent === undefined) throw new Error('no agent');
  return agent;
}

describe('predictions', () => {
  test.each([
    ['{"task_id": "a", "output": "x"}', 'predictions.jsonl:3: the sample already has a prediction on line 1'],
    [
      '{"task_id": "c", "output": 17}',
      'predictions.jsonl:3: "output" must be a text, got 17 (number). Correct it or leave the field out.',
    ],
    ['{"task_id": "c", "output": "1", "model_answer": "2"}', '"model_answer" stands beside "output", got "2"'],
    ['{"task_id": "c", "output": "1", "trial": 0}', '"trial" must be a whole number from 1 up, got 0'],
    ['{"task_id": "c"}', 'predictions.jsonl:3: "output" is missing, and so is "model_answer"'],
    ['{"task_id": ', 'predictions.jsonl:3: the line is not valid JSON'],
    [
      '{"task_id": "c", "output": "", "latency_ms": -1}',
      '"latency_ms" must be a number from 0 to 1,000,000,000, got -1',
    ],
  ])('with the line %s are refused', (line, message) => {
    expect(() => replay([...LINES, line])).toThrow(message);
  });

  test('for another dataset are refused, and for single strangers remarked', () => {
    expect(() => replay(['{"task_id": "x", "output": "17"}'])).toThrow("holds none of the dataset's ids");
    const { notes = [], remarks } = replay([...LINES, '{"task_id": "stranger", "output": "17"}']);
    const said = [...notes, ...(remarks?.(false) ?? [])].join();
    expect(said).toContain('1 prediction is for no sample of the dataset, such as "stranger".');
  });

  test('are said by sample and trial; one that is missing is no answer', () => {
    const { recall, trials } = replay([
      ...LINES,
      '{"task_id": "a", "trial": 2, "model_answer": "18", "latency_ms": 7}',
    ]);
    expect([recall?.('a', 1), recall?.('a', 2), recall?.('c', 1)]).toMatchObject([
      { text: '17' },
      { text: '18', verbatim: true, latencyMs: 7 },
      { text: null },
    ]);
    expect(trials).toBe(2);
    expect(recall?.('a', 1)).not.toBeInstanceOf(AgentError);
  });
});
