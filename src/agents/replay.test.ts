import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
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
  expect(agent?.recall?.('a1', 1)).toEqual({ text: 'FINAL ANSWER: 17\n', latencyMs: null });
  expect(agent?.recall?.('a2', 1)).toEqual({ text: '', latencyMs: null });
  expect(agent?.recall?.('a3', 1)).toEqual({ text: null, reason: 'missing', latencyMs: null });
  expect(agent?.notes?.join()).toMatch(/1 prediction is for no sample of the dataset, such as "old"\.$/);
});

test('a folder that is a run is read as one, whatever else is in it', () => {
  const folder = makeFolder({ ...WORK, 'manifest.json': '{"version": 1, "suites": []}' });
  expect(() => replayOf(folder)).toThrow(`${folder} holds no results of suite gaia.`);
});

test('a folder that is neither is refused with both forms', () => {
  const folder = makeFolder({ 'runs/x/manifest.json': '{}' });
  expect(() => replayOf(folder)).toThrow(
    `${folder} is neither a run folder (no manifest.json) nor holds work folders (no <task_id>/answer.txt). Name`,
  );
});

test('work folders of another dataset are refused, and so is an answer that is no text', () => {
  const folder = makeFolder(WORK);
  expect(() => replayOf(folder, ['b1'])).toThrow(`${folder} holds none of the dataset's ids; its first is "a1".`);
  const broken = makeFolder({ 'a1/answer.txt': new Uint8Array([0xff, 0xfe, 0x41]) });
  expect(() => replayOf(broken)).toThrow(`${join(broken, 'a1/answer.txt')}:1: the text is not valid UTF-8`);
});
