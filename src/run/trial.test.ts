import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST } from '../../test/make-run.ts';
import { parseAnswer } from '../agents/returned-answer.ts';
import { judge } from '../judge/judge.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { readConfig } from '../settings.ts';
import { RunWriter } from '../store/run-writer.ts';
import { readSampleLog } from '../store/sample-log.ts';
import { AgentError, type Answer, UserFailed } from '../words/answer.ts';
import type { Grade } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import type { ScoreInput } from './definition.ts';
import { Health } from './health.ts';
import { gradeWithJudges, Jury } from './jury.ts';
import { makeLane, NAMED, UNSPENT } from './lanes.fixture.ts';
import type { Trial } from './plan.ts';
import { toSuite } from './suite.ts';
import TaskRunner from './task-runner.ts';
import { runTrial, type TrialSetting } from './trial.ts';

function makeTrial(answer: () => Promise<Answer>): Trial {
  return {
    sample: toSample({ target: '17' }),
    ...{ lane: makeLane({ agent: { answer } }), key: null, cached: null, deadlineMs: 60_000 },
    meta: NAMED,
  };
}

function makeSetting(
  suite: Pick<TrialSetting['suite'], 'grade' | 'assert'>,
  folder = makeFolder(),
): TrialSetting {
  const extract = (output: Json) => ({ answer: output, how: 'as given' });
  const read = async (value: Json) => ({ value });
  return {
    run: { config: readConfig({}), folder, secrets: [], ui: false },
    writer: new RunWriter(folder),
    gradeWithJudges: (_sample, _call, score) => score(),
    isHidden: false,
    health: new Health(),
    benchmark: null,
    suite: { definition: { data: [] }, file: 'own.eval.ts', read, extract, ...suite },
  };
}

/** The context of a test whose skipping throws. */
function skipping(context: TestContext): TestContext {
  const skip = (why: string) => {
    throw new Error(`skipped: ${why}`);
  };
  return Object.assign(Object.create(context), { skip });
}

test('a trial whose queue has stopped is skipped, and its row says why', async (context) => {
  const folder = makeFolder();
  const trial = makeTrial(async () => ({ output: '17' }));
  trial.lane.queue.stop('auth', 'fake was refused: no key');
  const setting = makeSetting({ grade: () => Promise.reject(), assert: () => {} }, folder);
  await expect(runTrial(trial, setting, skipping(context))).rejects.toThrow(
    'skipped: not run: auth',
  );
  delete context.task.meta.eval;
  expect(readSampleLog(folder).results).toMatchObject([
    { state: 'not_run', reason: 'auth', explanation: 'fake was refused: no key' },
  ]);
});

test('an answer is graded once, its row is written, and the same grade is asserted', async (context) => {
  const folder = makeFolder();
  const grades: Grade[] = [];
  const asserted: unknown[] = [];
  const grade = async (output: Json, target: Json) => {
    const grade = gradeGaia(String(output), String(target));
    grades.push(grade);
    return grade;
  };
  const assert = (grade: unknown, output: Json, target: Json) => {
    const rows = readSampleLog(folder).results.map(({ id, state }) => [id, state]);
    asserted.push([grade, output, target, rows]);
  };
  const trial = makeTrial(async () => ({ output: 'FINAL ANSWER: 17' }));
  await runTrial(trial, makeSetting({ grade, assert }, folder), context);
  delete context.task.meta.eval;
  expect(asserted).toEqual([[grades[0], 'FINAL ANSWER: 17', '17', [['a', 'correct']]]]);
  expect(grades).toHaveLength(1);
});

/** Runs the trial for each of these questions, one after the other. */
async function runEach(
  trial: Trial,
  setting: TrialSetting,
  context: TestContext,
  ids: readonly string[] = IDS,
) {
  for (const id of ids) {
    const named = { sample: { ...trial.sample, id }, meta: { ...trial.meta, id } };
    await runTrial({ ...trial, ...named }, setting, skipping(context)).catch(() => {});
  }
  delete context.task.meta.eval;
}

const IDS = Array.from({ length: 13 }, (_, index) => `q${index + 1}`);

test.for<[what: string, asked: number, score: (input: ScoreInput) => unknown, pass?: unknown]>([
  ['a number without pass', 10, () => 0.5],
  ['nothing', 10, () => {}],
  ['an error of its own', 10, () => JSON.parse('{')],
  ['a snapshot of the global expect', 10, () => expect(1).toMatchSnapshot()],
  ['a pass with an unknown name', 10, () => 0.5, (all: { total: number }) => all.total > 0],
  ['one of another type, of one answer', 13, ({ sample }) => (sample.id === 'q2' ? 'yes' : true)],
  ['an error after a wrong answer', 13, ({ sample }) => sample.id !== 'q1' && JSON.parse('{')],
])(
  'a suite ends when its first ten questions all end in an error of the score: %s',
  async ([, most, score, pass], context) => {
    const folder = makeFolder();
    const definition = { data: [{}], score, ...(pass === undefined ? {} : { pass }) };
    const setting = makeSetting(
      { ...toSuite('gaia', definition as never, 'own.eval.ts'), assert: () => {} },
      folder,
    );
    let asked = 0;
    const trial = makeTrial(async () => {
      asked += 1;
      return { output: '17', costUsd: 0.5 };
    });
    await runEach(trial, setting, context);
    expect(asked).toBe(most);
    const rows = readSampleLog(folder).results;
    const isFailed = ({ reason }: { reason: string | null }) => reason === 'score';
    expect(rows.map(({ id }) => id)).toEqual(IDS);
    expect(new Set(rows.filter(isFailed).map(({ explanation }) => explanation)).size).toBe(1);
    // What was paid counts, also where no score judges it.
    expect(rows.filter(({ cost_usd }) => cost_usd === 0.5)).toHaveLength(most);
    const kept = { state: 'not_run', output: '17', attempts: 1, cost_usd: 0.5 };
    expect(rows.filter(isFailed)[0]).toMatchObject(kept);
  },
);

test('trials of one question that fail end nothing, and known answers are graded after a stop', async (context) => {
  const folder = makeFolder();
  const score = ({ sample }: ScoreInput) => sample.id === 'known' || (JSON.parse('{') as boolean);
  const setting = makeSetting(
    { ...toSuite('gaia', { data: [{}], score } as never, 'own.eval.ts'), assert: () => {} },
    folder,
  );
  const asked: string[] = [];
  const trial = makeTrial(async () => ({ output: '17' }));
  const answer = async ({ id }: { id: string }) => {
    asked.push(id);
    return { output: '17' };
  };
  const own = { ...trial, lane: makeLane({ agent: { answer } }) };
  await runEach(own, setting, context, Array(20).fill('q1'));
  await runEach(own, setting, context, [...IDS.slice(1, 10), 'left out']);
  expect(asked).toEqual([...Array(20).fill('q1'), ...IDS.slice(1, 10)]);
  const replayAnswer = () => ({ output: '17' });
  const { agent } = own.lane;
  Object.assign(agent, { replayAnswer });
  await runEach(own, setting, context, ['known']);
  setting.writer.flush();
  expect(readSampleLog(folder).results.at(-1)).toMatchObject({ id: 'known', state: 'correct' });
  Object.assign(agent, { replayAnswer: undefined });
  await runEach(own, setting, context, ['asked again']);
  expect(asked.at(-1)).toBe('asked again');
});

const USAGE = { input_tokens: 10, output_tokens: 5, cached_tokens: 0, reasoning_tokens: 0 };

test.for<[what: string, reason: string, said: string, answer: () => Promise<Answer>]>([
  [
    'an answer that cannot be read',
    'bad_response',
    'fake: "cost" in the answer is not read',
    async () => parseAnswer({ output: '17', cost: 1 }),
  ],
  [
    'a simulated user that fails',
    'user',
    'The simulated user failed: it is down',
    async () => {
      const progress = { costUsd: 0.5, usage: USAGE };
      throw new UserFailed(new AgentError('server', 'it is down', { progress }));
    },
  ],
])(
  'an agent is asked no more when its first ten questions end in %s',
  async ([, reason, said, answer], context) => {
    const folder = makeFolder();
    const setting = makeSetting({ grade: () => Promise.reject(), assert: () => {} }, folder);
    let asked = 0;
    const trial = makeTrial(() => {
      asked += 1;
      return answer();
    });
    await runEach(trial, setting, context);
    expect(asked).toBe(10);
    const rows = readSampleLog(folder).results;
    const paid = reason === 'user' ? { attempts: 1, cost_usd: 0.5, usage: USAGE } : { attempts: 1 };
    expect(rows.slice(0, 10)).toMatchObject(Array(10).fill({ ...paid, output: null, reason }));
    expect(rows.slice(10)).toMatchObject(
      IDS.slice(10).map((id) => ({
        id,
        state: 'not_run',
        reason,
        explanation: expect.stringContaining(said),
      })),
    );
  },
);

test('a run that is cancelled while judges are asked leaves no row, so that the next run asks again', async (context) => {
  const folder = makeFolder({
    'judge.mjs': 'export default () => new Promise(() => {});',
    'manifest.json': JSON.stringify(MANIFEST),
  });
  const config = readConfig({ EVAL_JUDGE: `module:${folder}/judge.mjs`, EVAL_DIR: folder });
  const jury = new Jury('gaia', { config, folder, ...UNSPENT }, false);
  const suite = {
    ...toSuite('gaia', { data: [{}], score: judge('?') }, 'own.eval.ts'),
    assert: () => {},
  };
  const startRun = () => new TaskRunner(JSON.parse('{ "experimental": {} }'));
  // The files of a worker share what a run is cancelled by.
  onTestFinished(() => void startRun());
  const runner = startRun();
  setTimeout(() => runner.cancel('keyboard-input'), 50);
  const trial = makeTrial(async () => ({ output: '17' }));
  await expect(
    runTrial(
      trial,
      { ...makeSetting(suite, folder), gradeWithJudges: gradeWithJudges(jury) },
      skipping(context),
    ),
  ).rejects.toThrow(/^skipped: not run: interrupted/);
  delete context.task.meta.eval;
  expect(readSampleLog(folder).results).toEqual([]);
});
