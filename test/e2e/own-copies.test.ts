import { isDeepStrictEqual } from 'node:util';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { beforeEach, expect, type TestContext, test } from 'vitest';
import { readHubSettings } from '../../src/data/hub/hub-source.ts';
import { judge } from '../../src/judge/judge.ts';
import { chooseAgents } from '../../src/run/choose-agents.ts';
import type { SuiteDefinition } from '../../src/run/definition.ts';
import { Health } from '../../src/run/health.ts';
import { gradeWithJudges, openJury } from '../../src/run/jury.ts';
import { UNSPENT } from '../../src/run/lanes.fixture.ts';
import { makeLanes } from '../../src/run/lanes.ts';
import { planTrials } from '../../src/run/plan.ts';
import { loadSamples } from '../../src/run/samples.ts';
import { toSuite } from '../../src/run/suite.ts';
import { runTrial } from '../../src/run/trial.ts';
import { readConfig } from '../../src/settings.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { readSampleLog } from '../../src/store/sample-log.ts';
import { isFields, pick } from '../../src/words/fields.ts';
import type { Json, Question } from '../../src/words/sample.ts';
import { makeFolder } from '../make-folder.ts';
import { MANIFEST } from '../make-run.ts';

declare global {
  /** Changes all that can be reached in values, if this vandal is at work. */
  var wreckAs: ((name: string, ...values: readonly unknown[]) => void) | undefined;
}

let vandal = 'nobody';

beforeEach(() => {
  globalThis.wreckAs = (name, ...values) => {
    if (name === vandal) wreck(values);
  };
  return () => {
    globalThis.wreckAs = undefined;
  };
});

function wreck(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, each] of Object.entries(value)) {
    wreck(each, seen);
    if (['string', 'number', 'boolean'].includes(typeof each)) Reflect.set(value, name, 'wrecked');
  }
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push('wrecked');
}

/** A function that wrecks what it is given, and what it returned once that was taken. */
function by<Args extends readonly unknown[], Result>(
  name: string,
  call: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    const returned = call(...args);
    // What it wrecks is not to be a part of what it returns.
    const isValue = isFields(returned) && !('then' in returned);
    const result = isValue ? structuredClone(returned) : returned;
    globalThis.wreckAs?.(name, ...args);
    setTimeout(() => globalThis.wreckAs?.(name, result), 1);
    return result;
  };
}

function schemaOf(name: string): StandardSchemaV1 {
  const validate = by(name, (value: unknown) => ({ value: structuredClone(value) }));
  return { '~standard': { version: 1, vendor: 'own', validate } };
}

type Numbers = { list: number[] };

const sum = ({ list }: Numbers) => list.reduce((total, each) => total + each, 0);

const FILES = {
  'agent.mjs': `export default (question) => {
  const output = { sum: question.input.list.reduce((a, b) => a + b, 0) };
  globalThis.wreckAs('module', question);
  return { output, trace: [{ text: 'summed' }] };
};`,
  'judge.mjs': `export default (question) => {
  const verdict = question.prompt.includes('"sum": 6') ? 'pass' : 'fail';
  globalThis.wreckAs('judge', question);
  return JSON.stringify({ reason: 'as it is', verdict });
};`,
  'said.jsonl': `{"task_id": "a", "output": {"sum": 6}}\n{"task_id": "b", "output": {"sum": 7}}\n`,
};

const LISTS = { a: [1, 2, 3], b: [3, 4] };

/** A suite of all functions that a user can write. */
function toDefinition(): SuiteDefinition {
  const records = Object.entries(LISTS).map(([id, list]) => {
    const more = { list: structuredClone(list), level: id };
    return { id, input: { list }, target: { sum: sum({ list }), same: { list: [0] } }, more };
  });
  const data = structuredClone(records);
  return {
    data: by('data', () => data) as never,
    schema: {
      input: schemaOf('schema.input'),
      target: schemaOf('schema.target'),
      output: schemaOf('schema.output'),
    },
    map: by('map', ({ more, ...record }) => ({ ...record, metadata: more })),
    group: by('group', ({ metadata }) => metadata['level'] as string),
    agents: {
      own: by('function', ({ input }) => {
        globalThis.wreckAs?.('owner of the records', data);
        return { output: { sum: sum(input) }, trace: [{ text: 'summed' }] };
      }),
      module: './agent.mjs',
    },
    extract: by('extract', (output) => ({ answer: output, how: 'as given' })),
    scores: {
      sum: by('score', async ({ output, target }) => output.sum === target.sum),
      whole: ({ input, target, sample, answer, messages }) =>
        isDeepStrictEqual(input, { list: LISTS[sample.id as keyof typeof LISTS] }) &&
        isDeepStrictEqual(sample.metadata['list'], input.list) &&
        isDeepStrictEqual(target.same, { list: [0] }) &&
        answer.sum === sum(input) &&
        messages[0]?.role === 'user',
      judged: judge('Is it six?'),
    },
    pass: by('pass', (scores) => scores['sum'] && scores['whole']),
    trials: 2,
    free: true,
    predictions: './said.jsonl',
  };
}

/** Runs a suite without Vitest; returns what its rows say. */
async function run(
  folder: string,
  agent: object,
  context: TestContext,
  definition = toDefinition(),
) {
  const file = `${folder}/own.eval.ts`;
  const settings = { EVAL_JUDGE: `module:${folder}/judge.mjs`, EVAL_DIR: folder, ...agent };
  const config = readConfig(settings);
  const runFolder = makeFolder({ 'manifest.json': JSON.stringify(MANIFEST) });
  const setting = { ...UNSPENT, config, folder: runFolder, hub: readHubSettings({}), ui: false };
  const suite = { ...toSuite('own', definition, file), assert: () => {} };
  const chosen = chooseAgents(suite, config);
  const specs = chosen.map(({ spec }) => spec);
  const dataset = await loadSamples(suite, specs, setting);
  const lanes = await makeLanes(suite, chosen, dataset, setting, false);
  const { samples } = dataset;
  const jury = await openJury(suite, specs, setting, false);
  const trials = planTrials(
    {
      ...{ suite, dataset, samples, share: samples, unmatchedIds: [], lanes },
      ...{
        trials: specs[0]?.kind === 'replay' ? 1 : (definition.trials ?? 1),
        deadlineMs: () => 10_000,
      },
    },
    setting,
  );
  const writer = new RunWriter(runFolder);
  const grading = {
    writer,
    isHidden: false,
    health: new Health(),
    benchmark: null,
    gradeWithJudges: gradeWithJudges(jury),
  };
  await Promise.all(
    trials.map((trial) => runTrial(trial, { suite, run: setting, ...grading }, context)),
  );
  writer.close();
  delete context.task.meta.eval;
  const rows = readSampleLog(runFolder).results.map((row) => ({
    ...pick(row, 'id', 'agent', 'trial', 'group', 'state', 'cached'),
    ...pick(row, 'output', 'answer', 'target', 'scores'),
    verdicts: row.judge?.verdicts,
  }));
  const name = (row: (typeof rows)[number]) => JSON.stringify(row);
  return rows.toSorted((a, b) => name(a).localeCompare(name(b)));
}

async function runAll(context: TestContext) {
  const folder = makeFolder(FILES);
  return {
    asked: await run(folder, {}, context),
    cached: await run(folder, {}, context),
    replayed: await run(folder, { EVAL_AGENT: 'replay' }, context),
  };
}

test.for([
  ...['data', 'owner of the records', 'schema.input', 'schema.target', 'schema.output'],
  ...['map', 'group', 'function', 'module', 'extract', 'score', 'pass', 'judge'],
])('%s changes nobody else, whatever it changes', async (name, context) => {
  vandal = 'nobody';
  const undisturbed = await runAll(context);
  vandal = name;
  expect(await runAll(context)).toEqual(undisturbed);
  const states = [undisturbed.asked, undisturbed.cached, undisturbed.replayed].map((rows) =>
    rows.map(({ state, cached }) => `${state} ${cached}`),
  );
  expect(states).toEqual([
    Array(8).fill('correct false'),
    Array(8).fill('correct true'),
    Array(2).fill('correct false'),
  ]);
});

test('an agent that changes the messages of a conversation changes no later turn', async (context) => {
  vandal = 'agent';
  const answer = by('agent', ({ messages }: Question<Json>, _context: unknown) =>
    messages.map(({ content }) => content[0]).join(''),
  );
  const data = [{ id: 'a', turns: ['x', 'y', 'z'], target: 'xxyxz' }];
  const rows = await run(makeFolder(FILES), {}, context, {
    data,
    agent: (question, context) => answer(question, context),
  });
  expect(rows).toMatchObject([{ state: 'correct', output: 'xxyxz' }]);
});
