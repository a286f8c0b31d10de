import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readConfig } from '../config.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { readSampleLog } from '../store/sample-log.ts';
import type { Grade } from '../types.ts';
import { makeLane } from './lanes.fixture.ts';
import { runTrial, type TrialSetting } from './trial.ts';

test('an answer is graded once, its row is written, and the same grade is asserted', async (context) => {
  const folder = makeFolder();
  const grades: Grade[] = [];
  const asserted: unknown[] = [];
  const setting: TrialSetting = {
    run: { config: readConfig({}), folder, secrets: [], ui: false },
    ...{ gated: false, notKept: [] },
    suite: {
      definition: { data: [] },
      file: 'own.eval.ts',
      extract: (output) => ({ answer: output, how: 'as given' }),
      grade: async (output, target) => {
        const grade = gradeGaia(output, target);
        grades.push(grade);
        return grade;
      },
      assert: (grade, output, target) => {
        const rows = readSampleLog(folder).results.map(({ id, state }) => [id, state]);
        asserted.push([grade, output, target, rows]);
      },
    },
  };
  const lane = makeLane({ agent: { answer: async () => ({ text: 'FINAL ANSWER: 17' }) } });
  const meta = { suite: 'gaia', dataset: 'made-up', agent: 'fake', id: 'a', trial: 1, group: 'level 1' };
  const trial = {
    sample: { id: 'a', suite: 'gaia', input: '?', target: '17', group: 'level 1', attachments: [], metadata: {} },
    ...{ lane, parts: null, cached: null, deadlineMs: 1000 },
    meta: { ...meta, prompt_hash: '', question_hash: '', run: '' },
  };
  await runTrial(trial, setting, context);
  delete context.task.meta.eval;
  expect(asserted).toEqual([[grades[0], 'FINAL ANSWER: 17', '17', [['a', 'correct']]]]);
  expect(grades).toHaveLength(1);
});
