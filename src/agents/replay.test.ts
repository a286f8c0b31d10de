import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST, makeRun } from '../../test/make-run.ts';
import { toResult, toTrials } from '../metrics/result.fixture.ts';
import { writeTrace } from '../store/run-folder.ts';
import type { SampleResult } from '../types.ts';
import type { AgentSpec } from './kinds.ts';
import { createReplays } from './replay.ts';

function replayOf(target: string, ids: readonly string[] = ['a1', 'a2', 'a3']) {
  const spec: AgentSpec = { kind: 'replay', target, text: `replay:${target}` };
  return createReplays(spec, { suite: 'gaia', ids, predictions: '' });
}

const WORK = {
  'a1/answer.txt': 'FINAL ANSWER: 17\n',
  'a1/notes.txt': 'not read',
  'a2/answer.txt': '',
  'a3/report.pdf': 'no answer was written',
  'old/answer.txt': 'FINAL ANSWER: 3',
  'answer.txt': 'of no task',
};

test('work folders are read: the text of answer.txt is the output of the task that the folder is named after', () => {
  const [agent] = replayOf(makeFolder(WORK));
  expect(agent?.replayAnswer?.('a1', 1)).toEqual({ text: 'FINAL ANSWER: 17\n', latencyMs: null });
  expect(agent?.replayAnswer?.('a2', 1)).toEqual({ text: '', latencyMs: null });
  expect(agent?.replayAnswer?.('a3', 1)).toEqual({
    text: null,
    reason: 'missing',
    latencyMs: null,
  });
  expect(agent?.notes?.join()).toMatch(
    /1 prediction is for an id that the dataset does not have, such as "old"\.$/,
  );
});

test('a suite without predictions is refused, with what to do', () => {
  expect(() =>
    createReplays(
      { kind: 'replay', target: '', text: 'replay' },
      { suite: 'own', ids: [], predictions: '' },
    ),
  ).toThrow(
    'EVAL_AGENT=replay: suite own has no predictions to replay. Name them in EVAL_AGENT=replay:FILE.',
  );
});

test('a folder that is a run is read as one, whatever else is in it', () => {
  const folder = makeFolder({ ...WORK, 'manifest.json': JSON.stringify(MANIFEST) });
  expect(() => replayOf(folder)).toThrow(`${folder} holds no results of suite gaia.`);
});

test('a run with several prompts gives a replay for each', () => {
  const row = (prompt: string, prompt_hash: string) =>
    toResult('correct', { id: 'a1', agent: 'm', prompt, prompt_hash });
  const suite = { ids: ['a1', 'a2'] };
  const folder = makeRun([row('a.md@11111111', '11111111'), row('b.md@22222222', '22222222')], {
    suite,
  });
  const replays = replayOf(folder);
  const names = replays.map(({ name }) => name.replace(folder, 'RUN'));
  expect(names).toEqual(['replay:RUN#m, a.md@11111111', 'replay:RUN#m, b.md@22222222']);
  expect(replays[0]?.notes?.join()).toMatch(
    /: 1 question of the run has no answer in it, and no verdict\.$/,
  );
});

test('a replay of a run has the steps that its traces show, and is as before where there are none', () => {
  const rows = toTrials('a1', '++-');
  const folder = makeRun([...rows, ...toTrials('a2', '+')]);
  const bare = replayOf(folder)[0]?.replayAnswer?.('a1', 1);
  const [first, second, third] = rows;
  if (!first || !second || !third) throw new Error('no rows');
  const steps = [{ text: 'x', reasoning: null, tool_calls: [], stop: null, usage: null }];
  const sent = { messages: [{ role: 'user' as const, text: 'as sent' }], tools: ['t'] };
  const file = writeTrace(folder, first, { sent, steps });
  writeTrace(folder, second, { steps });
  // An agent that reports no steps has such a trace where it failed.
  writeTrace(folder, third, { sent, steps: [] });
  const [agent] = replayOf(folder);
  expect(agent?.replayAnswer?.('a1', 1)).toEqual({ ...bare, sent, trace: steps });
  expect(agent?.replayAnswer?.('a1', 2)).toEqual({
    ...bare,
    sent: { messages: [], tools: [] },
    trace: steps,
  });
  expect([agent?.replayAnswer?.('a1', 3), agent?.replayAnswer?.('a2', 1)]).toEqual([bare, bare]);
  // Watch mode leaves the traces of earlier answers.
  writeTrace(folder, { ...first, output: 'earlier' } as SampleResult, { sent, steps });
  expect(agent?.replayAnswer?.('a1', 1)).toEqual(bare);
  writeFileSync(file, '{"steps": [');
  expect(agent?.replayAnswer?.('a1', 1)).toEqual(bare);
});

test('a folder in no known form is refused with all forms', () => {
  const folder = makeFolder({ 'runs/x/manifest.json': '{}' });
  expect(() => replayOf(folder)).toThrow(
    `${folder} is not a run folder (manifest.json), and has neither predictions (*.json) nor work folders (<task_id>/answer.txt).`,
  );
});

test('work folders of another dataset are refused, and so is an answer that is not a text', () => {
  const folder = makeFolder(WORK);
  expect(() => replayOf(folder, ['b1'])).toThrow(
    `${folder} holds no id of the dataset; its first id is "a1".`,
  );
  const broken = makeFolder({ 'a1/answer.txt': new Uint8Array([0xff, 0xfe, 0x41]) });
  expect(() => replayOf(broken)).toThrow(
    `${join(broken, 'a1/answer.txt')}:1: the text is not valid UTF-8`,
  );
});

const LINES = ['{"task_id": "a", "output": "17"}', '{"task_id": "b", "output": "17"}'];

/** The agent that replays these lines for a dataset of the samples a, b and c. */
function replayLines(lines: readonly string[]) {
  const folder = makeFolder({ 'predictions.jsonl': `${lines.join('\n')}\n` });
  const [agent] = replayOf(join(folder, 'predictions.jsonl'), ['a', 'b', 'c']);
  if (agent === undefined) throw new Error('no agent');
  return agent;
}

describe('predictions', () => {
  test.each([
    [
      '{"task_id": "a", "output": "x"}',
      'predictions.jsonl:3: the sample already has a prediction on line 1',
    ],
    [
      '{"task_id": "c", "output": 17}',
      'predictions.jsonl:3: "output" must be a text, got 17. Correct it or leave the field out.',
    ],
    [
      '{"task_id": "c", "output": "1", "model_answer": "2"}',
      '"model_answer" must not be given together with "output", got "2"',
    ],
    [
      '{"task_id": "c", "output": "1", "trial": 0}',
      '"trial" must be a whole number from 1 up, got 0',
    ],
    ['{"task_id": "c"}', 'predictions.jsonl:3: "output" is missing, and so is "model_answer"'],
    ['{"task_id": ', 'predictions.jsonl:3: the line is not valid JSON'],
    [
      '{"task_id": "c", "output": "", "latency_ms": -1}',
      '"latency_ms" must be a number from 0 to 1,000,000,000, got -1',
    ],
  ])('with the line %s are refused', (line, message) => {
    expect(() => replayLines([...LINES, line])).toThrow(message);
  });

  test('for another dataset are refused, and for single strangers remarked', () => {
    expect(() => replayLines(['{"task_id": "x", "output": "17"}'])).toThrow(
      'holds no id of the dataset',
    );
    const { notes = [], remarks } = replayLines([
      ...LINES,
      '{"task_id": "stranger", "output": "17"}',
    ]);
    const said = [...notes, ...(remarks?.(false) ?? [])].join();
    expect(said).toContain(
      '1 prediction is for an id that the dataset does not have, such as "stranger".',
    );
  });

  test('are said by sample and trial; one that is missing is not an answer', () => {
    const { replayAnswer, trials } = replayLines([
      ...LINES,
      '{"task_id": "a", "trial": 2, "model_answer": "18", "latency_ms": 7}',
    ]);
    expect([replayAnswer?.('a', 1), replayAnswer?.('a', 2), replayAnswer?.('c', 1)]).toMatchObject([
      { text: '17' },
      { text: '18', verbatim: true, latencyMs: 7 },
      { text: null },
    ]);
    expect(trials).toBe(2);
  });

  test('say which trials they lack, of questions that they answer', () => {
    const { lacksTrial } = replayLines([...LINES, '{"task_id": "a", "trial": 2, "output": "18"}']);
    const asked = ['a', 'b', 'c'].map((id) => [lacksTrial?.(id, 1), lacksTrial?.(id, 2)]);
    expect(asked).toEqual([
      [false, false],
      [false, true],
      [false, false],
    ]);
  });

  test('may say that the agent gave no output, and name the fields that are not read', () => {
    const { replayAnswer, notes } = replayLines([
      ...LINES,
      '{"task_id": "c", "output": null, "error": "x", "timed_out": true}',
    ]);
    expect(replayAnswer?.('c', 1)).toMatchObject({ text: null, reason: 'empty' });
    expect(notes?.join()).toMatch(
      /: fields of its predictions are not read: "error", "timed_out"\./,
    );
    expect(replayLines(LINES).notes).toEqual([]);
  });

  test('may be one JSON list, or a file for each task', () => {
    const list = `[\n${LINES.join(',\n')}\n]`;
    const each = Object.fromEntries(
      LINES.map((line, index) => [`${index}.json`, JSON.stringify(JSON.parse(line), null, 2)]),
    );
    for (const target of [`${makeFolder({ 'p.json': list })}/p.json`, makeFolder(each)]) {
      const [agent] = replayOf(target, ['a', 'b']);
      expect(['a', 'b'].map((id) => agent?.replayAnswer?.(id, 1))).toMatchObject([
        { text: '17' },
        { text: '17' },
      ]);
    }
    const [one = ''] = LINES;
    const folder = makeFolder({ '1.json': one, '2.json': one });
    expect(() => replayOf(folder, ['a'])).toThrow(
      `2.json:1: the sample already has a prediction on ${folder}/1.json:1`,
    );
  });
});
