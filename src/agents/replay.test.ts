import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun, planned } from '../../test/make-run.ts';
import { toResult, toTrials } from '../figures/result.fixture.ts';
import { RunWriter } from '../store/run-writer.ts';
import type { SampleResult } from '../words/row.ts';
import { STEP, textsOf } from '../words/types.fixture.ts';
import { createReplay } from './create-replay.ts';
import type { AgentSetting } from './register-kinds.ts';
import { createReplays } from './replay.ts';
import type { AgentSpec } from './spec.ts';

function replayOf(target: string, ids: readonly string[] = ['a1', 'a2', 'a3']) {
  const spec: AgentSpec = { kind: 'replay', target, text: `replay:${target}` };
  return createReplays(spec, { suite: 'gaia', ids, predictions: '' });
}

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

test('a run with several prompts makes a replay of each', () => {
  const row = (prompt: string, prompt_hash: string) =>
    toResult('correct', { id: 'a1', agent: 'm', prompt, prompt_hash });
  const suite = { questions: planned(['a1', 'a2']) };
  const folder = makeRun([row('a.md@11111111', '11111111'), row('b.md@22222222', '22222222')], {
    suite,
  });
  const replays = replayOf(folder);
  const names = replays.map(({ name }) => name.replace(folder, 'RUN'));
  expect(names).toEqual(['replay:RUN#m, a.md@11111111', 'replay:RUN#m, b.md@22222222']);
});

test('a replay of a run has the steps of its traces, if there are any', () => {
  const rows = toTrials('a1', '++-').map((row) => ({
    ...row,
    first_token_ms: 30,
    answered_at: '2026-11-21T00:00:00.000Z',
    own_delay_ms: 40,
  }));
  const folder = makeRun([...rows, ...toTrials('a2', '+')]);
  const bare = replayOf(folder)[0]?.replayAnswer?.('a1', 1);
  expect(bare).toMatchObject({ firstTokenMs: 30 });
  expect(replayOf(folder)[0]?.recorded?.timesOf('a1', 1)).toMatchObject({ own_delay_ms: 40 });
  const [first, second, third] = rows;
  if (!first || !second || !third) throw new Error('no rows');
  const steps = [{ ...STEP, text: 'x' }];
  const sent = { messages: [{ role: 'user' as const, text: 'as sent' }], tools: ['t'] };
  const file = new RunWriter(folder).trace(first, { sent, steps });
  new RunWriter(folder).trace(second, { steps });
  // An agent that reports no steps has such a trace where it failed.
  new RunWriter(folder).trace(third, { sent, steps: [] });
  const [agent] = replayOf(folder);
  expect(agent?.replayAnswer?.('a1', 1)).toEqual({ ...bare, sent, trace: steps });
  expect(agent?.replayAnswer?.('a1', 2)).toEqual({
    ...bare,
    sent: { messages: [], tools: [] },
    trace: steps,
  });
  expect(agent?.replayAnswer?.('a1', 3)).toEqual(bare);
  expect(agent?.replayAnswer?.('a2', 1)).not.toHaveProperty('firstTokenMs');
  // Watch mode leaves the traces of earlier answers.
  new RunWriter(folder).trace({ ...first, output: 'earlier' } as SampleResult, { sent, steps });
  expect(agent?.replayAnswer?.('a1', 1)).toEqual(bare);
  writeFileSync(file, '{"steps": [');
  expect(agent?.replayAnswer?.('a1', 1)).toEqual(bare);
});

test('refuses a folder of an unknown form, and names all forms', () => {
  const folder = makeFolder({ 'runs/x/manifest.json': '{}' });
  expect(() => replayOf(folder)).toThrow(
    `${folder} has neither a run (manifest.json) nor predictions (*.json, *.jsonl, <task_id>/answer.txt).`,
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
      '{"task_id": "c", "model_answer": 17}',
      'predictions.jsonl:3: "model_answer" must be a string, got 17. Correct it or leave the field out.',
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
  ])('with the line %s are refused', (line, message) => {
    expect(() => replayLines([...LINES, line])).toThrow(message);
  });

  test.each([
    ['p.jsonl', 'p.jsonl'],
    ['a/answer.txt', 'a'],
  ])('in a folder are not read through links that leave it: %s', (place, link) => {
    const outside = makeFolder({ 'p.jsonl': LINES.join('\n'), 'a/answer.txt': '17' });
    const folder = makeFolder({ 'b/answer.txt': '18' });
    symlinkSync(join(outside, link), join(folder, link));
    expect(() => replayOf(folder)).toThrow(
      `${join(folder, place)} is a link that leaves the folder of the predictions`,
    );
    rmSync(join(folder, link));
    symlinkSync(join(folder, 'b'), join(folder, 'a'));
    expect(replayOf(folder, ['a'])[0]?.replayAnswer?.('a', 1)).toMatchObject({ output: '18' });
  });

  test('for another dataset are refused, and single unknown ids are reported', () => {
    expect(() => replayLines(['{"task_id": "x", "output": "17"}'])).toThrow(
      'holds no id of the dataset',
    );
    const { notes } = replayLines([...LINES, '{"task_id": "stranger", "output": "17"}']);
    expect(textsOf(notes)).toEqual([
      '1 prediction is for an id that the dataset does not have, such as "stranger".',
    ]);
  });

  test('are replayed by sample and trial; a missing one is no answer', () => {
    const { replayAnswer, trials } = replayLines([
      ...LINES,
      '{"task_id": "a", "trial": 2, "model_answer": "18", "latency_ms": 7}',
    ]);
    expect([replayAnswer?.('a', 1), replayAnswer?.('a', 2), replayAnswer?.('c', 1)]).toMatchObject([
      { output: '17' },
      { output: '18', verbatim: true, latencyMs: 7 },
      { output: null },
    ]);
    expect(trials).toBe(2);
  });

  test.each([
    ['"output": null, "error": null, "timed_out": false', { output: null, reason: 'empty' }],
    ['"output": "1", "duration_seconds": 1.5', { output: '1', latencyMs: 1500 }],
    ['"output": "1", "first_token_ms": 30', { firstTokenMs: 30 }],
    ['"error": "no route"', { kind: 'agent_crash', message: 'no route' }],
    ['"output": "", "error": {"message": "no route"}', { message: 'no route' }],
    ['"error": "True"', { message: 'the agent failed' }],
    ['"error": {"code": 3, "message": ""}', { message: 'the agent failed' }],
    ['"output": "1", "error": {"message": "None"}', { output: '1' }],
    ['"error": true, "duration_ms": 4', { message: 'the agent failed', latencyMs: 4 }],
    ['"output": "half", "timed_out": true', { kind: 'timed_out' }],
  ])('with %s state how the question ended', (fields, said) => {
    const { replayAnswer, notes } = replayLines([...LINES, `{"task_id": "c", ${fields}}`]);
    expect(replayAnswer?.('c', 1)).toMatchObject(said);
    expect(notes).toEqual([]);
  });

  test.each(['None', 'null', ' NaN', 'n/a', '-', 'False', '0', 'no error'])(
    'state no failure by the error %j, in JSON as in a table',
    async (error) => {
      const json = replayLines([
        `{"task_id": "a", "output": "x", "error": ${JSON.stringify(error)}}`,
      ]);
      const folder = makeFolder({ 'p.csv': `id,output,error\na,x,${error}\n` });
      const target = join(folder, 'p.csv');
      const spec: AgentSpec = { kind: 'replay', target, text: `replay:${target}` };
      const [table] = await createReplay(spec, { suite: 'gaia', ids: ['a'], predictions: '' });
      for (const agent of [json, table])
        expect(agent?.replayAnswer?.('a', 1)).toMatchObject({ output: 'x' });
    },
  );

  test.each([
    'response',
    'agent_answer',
    'actual_answer',
    'prediction',
    'Model Output',
    'generatedText',
    'completion',
    'pred',
    'answer',
  ])('may call the output %s', (name) => {
    const { replayAnswer, notes } = replayLines([...LINES, `{"task_id": "c", "${name}": "x"}`]);
    expect(replayAnswer?.('c', 1)).toMatchObject({ output: 'x', verbatim: false });
    expect(notes).toEqual([]);
  });

  test.each([
    ['"output": "a", "answer": "b"', 'a', 'from "output", and not from "answer"'],
    ['"answer": "b", "response": "a"', 'a', 'from "response", and not from "answer"'],
    ['"prediction": "b", "response": "a"', 'a', 'from "response", and not from "prediction"'],
    ['"answer": "b", "pred": "c", "model_outputs": "a"', 'a', 'not from "answer", "pred"'],
    ['"pred": "c", "prediction": "b", "completion": "a"', 'a', 'not from "pred", "prediction"'],
    ['"response": "", "pred": "a", "answer": "b"', 'a', 'from "pred", and not from "answer"'],
    ['"response": null, "answer": "b"', null, 'from "response", and not from "answer"'],
    ['"model_answer": "a", "answer": "b"', 'a', 'from "model_answer", and not from "answer"'],
    ['"model_answer": null, "answer": "b"', null, 'not from "answer"'],
  ])('with %s have the output %j, and say what was not read', (fields, output, said) => {
    const folder = makeFolder({ 'p.jsonl': `{"id": "a", ${fields}}\n` });
    const [agent] = replayOf(join(folder, 'p.jsonl'), ['a']);
    expect(agent?.replayAnswer?.('a', 1)).toMatchObject({ output });
    expect(textsOf(agent?.notes).join()).toContain(said);
  });

  test.each([
    ['"question": "x", "answer": "B", "result": "The answer is A."', 'question'],
    ['"Problem": "x", "answer": "B"', 'Problem'],
    ['"options": ["x", "y"], "answer": "B"', 'options'],
    ['"option_a": "x", "answer": "B"', 'option_a'],
    ['"A": "x", "B": "y", "answer": "B"', 'A'],
    ['"answer": "B", "answer_index": 1', 'answer_index'],
    ['"answer": "B", "gold_letter": "A"', 'gold_letter'],
    ['"answer": "B", "Ground Truth": "A"', 'Ground Truth'],
  ])('with %s keep an "answer" that may be the expected one, and are refused', (fields, other) => {
    expect(() => replayLines([...LINES, `{"id": "c", ${fields}}`])).toThrow(
      `"answer" may be the expected answer, since the file also has "${other}". Call the output of the agent "output".`,
    );
  });

  test('keep an "answer" for the expected one also where the agent gave no output', () => {
    const lines = ['{"id": "a", "response": "x", "answer": "B"}', '{"id": "b", "answer": "B"}'];
    expect(() => replayLines(lines)).toThrow('also has "response"');
    const failed = [lines[0] ?? '', '{"id": "b", "answer": "B", "error": "no route"}'];
    expect(replayLines(failed).replayAnswer?.('b', 1)).toMatchObject({ message: 'no route' });
    const graded = replayLines(['{"id": "a", "answer": "x", "correct": true}']);
    expect(graded.replayAnswer?.('a', 1)).toMatchObject({ output: 'x' });
  });

  test.each([
    ['"execution_time": 1.5', 1500],
    ['"executionTime": 2', 2000],
    ['"latency_s": 0.25', 250],
    ['"duration_s": 3', 3000],
    ['"elapsed": 4', 4000],
    ['"time_ms": 5', 5],
    ['"latency_ms": 1523, "execution_time": 1.52', 1523],
    ['"latency": 7', null],
  ])('with %s took %s ms', (fields, latencyMs) => {
    const { replayAnswer } = replayLines([...LINES, `{"id": "c", "output": "x", ${fields}}`]);
    expect(replayAnswer?.('c', 1)).toMatchObject({ latencyMs });
  });

  test('have the tokens of a usage as a server wrote it, and name what is not read', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 };
    const line = JSON.stringify({ id: 'c', output: 'x', usage, inputTokens: 3, latency: 7 });
    const { replayAnswer, notes } = replayLines([...LINES, line]);
    expect(replayAnswer?.('c', 1)).toMatchObject({ usage: { input_tokens: 3, output_tokens: 4 } });
    expect(textsOf(notes ?? [])).toContain(
      'its "latency" is not read: write latency_ms (milliseconds).',
    );
  });

  test.each([
    [
      '{"id": "c", "output": "1", "response": "2"}',
      'predictions.jsonl:3: "response" and "output" disagree ("2" against "1"). Keep the right one.',
    ],
    [
      '{"id": "c", "output": "1", "latency_ms": 1, "execution_time": 1}',
      '"execution_time" and "latency_ms" disagree (1 against 1).',
    ],
    ['{"id": "c", "prediction": "1", "pred": "2"}', '"pred" and "prediction" disagree'],
    ['{"id": "c", "question_id": "d", "output": "1"}', '"question_id" and "id" disagree'],
    [
      '{"id": "c", "text": "1"}',
      'It may be called output, response, model_output, model_outputs, ',
    ],
    ['{"output": "1"}', 'the id of its sample: task_id, custom_id, id, question_id,'],
    ['{"id": "c", "output": "1", "execution_time": "1 s"}', '"execution_time" must be a number'],
    [
      '{"id": "c", "output": "1", "usage": {"promptTokenCount": 3}}',
      '"usage.promptTokenCount" is not read. Write input_tokens and output_tokens.',
    ],
    [
      '{"id": "c", "output": "1", "usage": {"output_tokens": 3}}',
      '"input_tokens" must be a number',
    ],
  ])('with the line %s are refused, by the names in the file', (line, message) => {
    expect(() => replayLines([...LINES, line])).toThrow(message);
  });

  test.each([
    '{"id": "row-1", "task_id": "c", "output": "x"}',
    '{"id": "c", "output": "x", "response": "x"}',
    '{"id": "c", "instance_id": "77", "output": "x"}',
    '{"id": "batch_1", "custom_id": "c", "output": "x"}',
    '{"id": "c", "output": "x", "response": null}',
    '{"item": {"id": "c", "question": "?"}, "sample": {"output_text": "x", "model": "m"}}',
    '{"id": "o1", "datasource_item": {"id": "c"}, "sample": {"output": [{"role": "assistant", "content": "x"}], "error": null}}',
    '{"id": "batch_1", "custom_id": "c", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "x"}}]}}}',
    '{"custom_id": "c", "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": "x"}]}}}',
  ])('as %s are read', (line) => {
    const { replayAnswer, notes } = replayLines([...LINES, line]);
    expect(replayAnswer?.('c', 1)).toMatchObject({ output: 'x' });
    expect(notes).toEqual([]);
  });

  test('may be an object by id, and have ids that are numbers', () => {
    const by = `${makeFolder({ 'p.json': '{"a": "17", "b": null}' })}/p.json`;
    const [agent] = replayOf(by, ['a', 'b']);
    expect(['a', 'b'].map((id) => agent?.replayAnswer?.(id, 1))).toMatchObject([
      { output: '17' },
      { output: null },
    ]);
    const [numbered] = replayOf(
      `${makeFolder({ 'p.jsonl': '{"id": 1, "output": "x"}' })}/p.jsonl`,
      ['1'],
    );
    expect(numbered?.replayAnswer?.('1', 1)).toMatchObject({ output: 'x' });
  });

  test.each([
    '{"a": {"pred": "17"}, "b": {"pred": "17"}}',
    '{"a": {"generated_text": "17"}, "b": {"generated_text": "17"}}',
    '{"a": {"answer": "17"}, "b": {"answer": "17"}}',
    '{"a": {"raw_output": "17", "uid": "u"}, "b": {"raw_output": "17", "uid": "v"}}',
    '{"a": {"response": "17", "instance_id": "7"}, "b": {"response": "17", "instance_id": "8"}}',
    '{"x": {"response": "17", "question_id": "a"}, "y": {"response": "17", "question_id": "b"}}',
    '{"model": "m", "results": [{"id": "a", "pred": "17"}, {"id": "b", "pred": "17"}]}',
  ])('may be an object of records: %s', (text) => {
    const [agent] = replayOf(`${makeFolder({ 'p.json': text })}/p.json`, ['a', 'b']);
    const answers = ['a', 'b'].map((id) => agent?.replayAnswer?.(id, 1));
    expect(answers).toMatchObject([{ output: '17' }, { output: '17' }]);
  });

  test('may be a table, as another grader writes it', async () => {
    const text =
      'task_id,level,expected_answer,actual_answer,execution_time,error,timed_out\na,1,17,017,1.5,,false\nb,1,x,,,None,\nc,2,y,half,,,True\n';
    const folder = makeFolder({ 'answer_comparison.csv': text });
    const target = join(folder, 'answer_comparison.csv');
    const spec: AgentSpec = { kind: 'replay', target, text: `replay:${target}` };
    const setting = { suite: 'gaia', ids: ['a', 'b', 'c'], predictions: '' } as AgentSetting;
    const [agent] = await createReplay(spec, setting);
    expect(['a', 'b', 'c'].map((id) => agent?.replayAnswer?.(id, 1))).toMatchObject([
      { output: '017', latencyMs: 1500 },
      { output: '' },
      { kind: 'timed_out' },
    ]);
    expect(textsOf(agent?.notes).join()).toContain(
      'ignored: "level", "expected_answer". Known: task_id, ',
    );
  });

  test('name once the fields that are not read', () => {
    const lines = [
      '{"id": "a", "output": "1", "mood": 1}',
      '{"id": "b", "output": "1", "mood": 2}',
    ];
    expect(textsOf(replayLines(lines).notes).join()).toMatch(/ignored: "mood"\. Known: task_id, /);
  });

  test('may be one JSON list, files with ids or named after their tasks, or the work folders of another system', () => {
    const list = `[\n${LINES.join(',\n')}\n]`;
    const each = Object.fromEntries(
      LINES.map((line, index) => [`${index}.json`, JSON.stringify(JSON.parse(line), null, 2)]),
    );
    const targets = [
      `${makeFolder({ 'p.json': list })}/p.json`,
      makeFolder(each),
      makeFolder({ 'a.json': '{"output": "17"}', 'b.json': '{"output": "17"}' }),
      makeFolder({ 'a/answer.txt': '17', 'b/answer.txt': '17', 'b/log.txt': '' }),
    ];
    for (const target of targets) {
      const [agent] = replayOf(target, ['a', 'b']);
      const answers = ['a', 'b'].map((id) => agent?.replayAnswer?.(id, 1));
      expect(answers).toMatchObject([{ output: '17' }, { output: '17' }]);
    }
    const [one = ''] = LINES;
    const folder = makeFolder({ '1.json': one, '2.json': one });
    expect(() => replayOf(folder, ['a'])).toThrow(
      `2.json:1: the sample already has a prediction on ${folder}/1.json:1`,
    );
  });
});
