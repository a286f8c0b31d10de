import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { ONLY_POSIX } from '../../test/only-posix.ts';
import { toResult } from '../figures/result.fixture.ts';
import { readConfig } from '../settings.ts';
import { toAsked, toSample, UNLIMITED } from '../words/types.fixture.ts';
import { chooseAgents } from './choose-agents.ts';
import type { SuiteAgent, SuiteDefinition } from './definition.ts';
import { makeLane, UNSPENT } from './lanes.fixture.ts';
import { checkReady, checkTrials, makeLanes } from './lanes.ts';
import { planAgents } from './plan.ts';
import { toSuite } from './suite.ts';

test('an agent without its key is refused only where it is to be asked', () => {
  const check = (to_ask: number, dryRun: boolean | null) => () =>
    checkReady([makeLane({ agent: { notReadyReason: 'No key. Set one.' } })], [{ to_ask }], {
      dryRun,
    });
  expect(check(1, null)).toThrow('EVAL_AGENT=openai:m: No key. Set one.');
  expect(check(0, null)).not.toThrow();
  expect(check(1, true)).not.toThrow();
});

/** Makes the lanes of a suite in a folder with files of agents. */
function open(
  definition: Partial<SuiteDefinition>,
  env: Record<string, string> = {},
  name = 'own',
) {
  const folder = makeFolder({
    [`${name}.eval.ts`]: "import './said.ts';",
    'said.ts': '1',
    'agent.ts': 'export default () => "1";',
    'empty.ts': 'export default 17;',
  });
  const suite = toSuite(name, { data: [{}], ...definition }, join(folder, `${name}.eval.ts`));
  const run = { folder: makeRun([]), ...UNSPENT };
  const make = async (shared = run) => {
    const config = readConfig({ ...env, EVAL_DIR: folder });
    const dataset = { name, samples: [toSample({ id: 'q1' })], notes: [] };
    return makeLanes(suite, chooseAgents(suite, config), dataset, { ...shared, config }, false);
  };
  return { folder, run, make };
}

const say = () => 'Paris';

describe('the agent of an eval file', () => {
  test(
    'is asked unless EVAL_AGENT is set, under its name, and is another one after an edit',
    ONLY_POSIX,
    async () => {
      const { folder, make } = open({ agent: say });
      const [lane] = await make();
      writeFileSync(join(folder, 'said.ts'), '2');
      const [edited] = await make();
      expect(lane?.agent.name).toBe('own agent');
      expect(edited?.agent.fingerprint).not.toBe(lane?.agent.fingerprint);
      const agent = { name: 'mine', priced: true, answer: say };
      const [named] = await open({ agent }, { EVAL_MAX_COST: '1' }).make();
      expect(named?.agent).toMatchObject({ name: 'mine', priced: true });
      const [other] = await open({ agent }, { EVAL_AGENT: 'command:cat' }).make();
      expect(other?.agent.name).toBe('command:cat');
    },
  );

  test('needs no price for a budget if it is free, and then its answers and failures cost nothing', async () => {
    const budget = { EVAL_MAX_COST: '1' };
    await expect(open({ agent: say }, budget).make()).rejects.toThrow(
      /the price of own agent is not known.+Write it as \{answer, priced: true\}/,
    );
    const [lane] = await open({ agent: say, free: true }, budget).make();
    const spent: unknown[] = [];
    const onProgress = (progress: object) => void spent.push(progress);
    const answer = await lane?.agent.answer(toAsked('?'), { ...UNLIMITED, onProgress });
    expect([answer, spent]).toEqual([{ output: 'Paris', costUsd: 0 }, [{ costUsd: 0 }]]);
  });

  test.each<[unknown, Record<string, string>, RegExp]>([
    [
      'Paris',
      {},
      /own\.eval\.ts, agent must be a function, a path such as '\.\/agent\.ts', or one of .+, got "Paris"\.$/,
    ],
    ['gpt-5', {}, /, got "gpt-5"\. Write openai:gpt-5\.$/],
    [{ answer: 1 }, {}, /own\.eval\.ts: "answer" of the agent must be a function/],
    [
      undefined,
      {},
      /Suite own has no agent\. Give it "agent" in .+own\.eval\.ts, or set EVAL_AGENT\./,
    ],
  ])('%s is refused with %j', async (agent, env, message) => {
    await expect(open({ agent: agent as SuiteAgent }, env).make()).rejects.toThrow(message);
  });
});

describe('the agents of an eval file', () => {
  const make = (agents: object, env: Record<string, string> = {}) =>
    open({ free: true, agents: agents as NonNullable<SuiteDefinition['agents']> }, env).make();

  test(
    'have the names of their keys, and share no cached answer although they are in one file',
    ONLY_POSIX,
    async () => {
      const rows = ['a', 'b'].map((agent) => toResult('correct', { suite: 'own', agent }));
      const lanes = await make({
        small: say,
        large: { name: 'x', answer: say },
        file: './agent.ts',
        remote: 'command:cat',
        old: `replay:${makeRun(rows)}`,
      });
      const names = lanes.map(({ agent }) => agent.name).join(' ');
      expect(names).toBe('small large file remote old#a old#b');
      const asked = lanes.flatMap(({ agent }) => agent.fingerprint ?? []);
      expect([asked.length, new Set(asked).size]).toEqual([4, 4]);
      const free = lanes.filter(({ agent }) => agent.price?.source === 'free');
      expect(free).toEqual(lanes.slice(0, 4));
    },
  );

  test('are marked in the plan if the suite may say that they are free', ONLY_POSIX, async () => {
    const isOwn = async (agents: object, env: Record<string, string> = {}) =>
      planAgents(await make(agents, env), []).map(({ own = false }) => own);
    expect(await isOwn({ a: say, b: './agent.ts', c: 'openai:m' })).toEqual([true, true, false]);
    expect(await isOwn({ a: say }, { EVAL_AGENT: 'command:cat' })).toEqual([false]);
  });

  test('wait in a queue of their own, though one of another suite has the same name', async () => {
    const [a, b] = ['a', 'b'].map((name) => open({ agents: { small: say } }, {}, name));
    const lanes = [await a?.make(), await b?.make(a?.run), await a?.make()];
    const [one, other, again] = lanes.map((each) => each?.[0]?.queue);
    expect([one === other, one === again]).toEqual([false, true]);
  });

  test('are replaced by EVAL_AGENT, whose models share the queue of their server', async () => {
    const models = ['one?base_url=http://h', 'two?base_url=http://h', 'one?base_url=http://i'];
    const specs = models.map((model) => `openai-chat:${model}/v1`);
    const lanes = await make({ small: say }, { EVAL_AGENT: specs.join() });
    expect(lanes.map(({ agent }) => agent.name)).toEqual(specs);
    const [one, two, other] = lanes.map(({ queue }) => queue);
    expect([two === one, other === one]).toEqual([true, false]);
  });

  test.each<[object, Record<string, string>, string]>([
    [{ a: { answer: 1 } }, {}, 'own.eval.ts: "answer" of the agent "a" must be a function'],
    [{ a: './gone.ts' }, {}, 'gone.ts" is not a file. Correct the path, which begins at the eval'],
    [{ a: './empty.ts' }, {}, 'own.eval.ts, agent "a"=./empty.ts: the default export must be'],
    [{ a: 'openai:m,openai:n' }, {}, 'or command:LINE, got "openai:m,openai:n".'],
    [{ a: 'command:no-such-program' }, {}, 'own.eval.ts, agent "a"=command:no-such-program: '],
    [{ a: 'openai:m?colour=1' }, {}, 'own.eval.ts, agent "a"=openai:m?colour=1: '],
    [{ a: 'replay:latest' }, {}, 'own.eval.ts, agent "a"=replay must be an earlier run'],
    [{ a: './agent.ts', b: 'module:agent.ts' }, {}, 'own.eval.ts: the agents "a" and "b" are the'],
    [{ a: 'openai:m', b: 'openai:m' }, {}, 'Name it once; EVAL_TRIALS repeats it.'],
    [{ a: say, b: 'openai:m' }, { EVAL_MAX_COST: '1' }, 'the price of b at'],
    [
      { a: 'openai:m' },
      { EVAL_MAX_COST: '1' },
      "In vitest.config.ts write viva({ defaults: { prices: { 'm': { input: 1, output: 4 } } } }), in dollars per million tokens, or unset",
    ],
  ])('%j are refused with %j', async (agents, env, message) => {
    await expect(make(agents, env)).rejects.toThrow(message);
  });
});

test('refuses trials that a recording lacks, and accepts questions that it lacks', () => {
  const recorded: Readonly<Record<string, readonly number[]>> = { a: [1, 2], b: [1, 2, 3], c: [] };
  const lacksTrial = (id: string, trial: number) =>
    recorded[id]?.length !== 0 && recorded[id]?.includes(trial) === false;
  const lanes = [makeLane({ agent: { name: 'r', lacksTrial } })];
  const samples = ['a', 'b', 'c'].map((id) => toSample({ id }));
  expect(() => checkTrials(lanes, samples, 2)).not.toThrow();
  expect(() => checkTrials(lanes, samples, 3)).toThrow(
    'r does not have trial 3 of 1 question: "a". Set EVAL_TRIALS=2, or add what is missing.',
  );
});
