import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { flushResults, readSampleLog } from '../store/sample-log.ts';
import { ProviderGate } from './limits.ts';
import { runTrial, type Trial, type TrialSetting } from './trial.ts';

const IDS = ['a', 'b', 'c'];

/** Otherwise the grade is no longer the latest when the matcher asks for it, and all is graded twice. */
test('nothing comes between the grade of a recalled answer and its matcher', async (context) => {
  const folder = makeFolder();
  const log: string[] = [];
  const setting: TrialSetting = {
    prompt: '{{question}}',
    folder,
    gated: false,
    maxSteps: null,
    keepWorkdir: 'none',
    streams: false,
    attaches: false,
    showsWholeQuestions: false,
    scoring: {
      extract: (output) => ({ answer: output, how: 'as given' }),
      grade(output, target) {
        log.push(`grade ${output}`);
        return gradeGaia(output, target);
      },
    },
    assert: (output) => void log.push(`assert ${output}`),
  };
  await Promise.all(IDS.map((id) => runTrial(toTrial(id), setting, context)));
  delete context.task.meta.eval;
  expect(log).toEqual(IDS.flatMap((id) => [`grade ${id}`, `assert ${id}`]));
  flushResults();
  expect(readSampleLog(folder).results.map(({ id }) => id)).toEqual(IDS);
});

/** Its agent says the id. */
function toTrial(id: string): Trial {
  const agent = {
    name: 'echo',
    recall: () => ({ text: id, latencyMs: 1 }),
    answer: () => Promise.reject(new Error('Only what is recalled is tested.')),
  };
  const gate = new ProviderGate({ concurrency: 1, budget: null, pilot: false });
  const identity = { suite: 'gaia', dataset: 'made-up', agent: 'echo', id, trial: 1, group: 'level 1' };
  return {
    sample: { id, suite: 'gaia', input: '?', target: 'a', group: 'level 1', attachments: [], metadata: {} },
    station: { agent, gate, budget: null, answers: null },
    meta: { ...identity, prompt_hash: '', question_hash: '', run: '' },
    parts: null,
    contents: null,
    deadlineMs: 1000,
  };
}
