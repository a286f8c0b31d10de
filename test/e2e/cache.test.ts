import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DEFAULT_AGENT } from '../../src/agents/kinds.ts';
import { askWhenFree, findKnown } from '../../src/run/ask.ts';
import { makeLanes } from '../../src/run/lanes.ts';
import { planAgents, planTrials, type Trial } from '../../src/run/plan.ts';
import { toSuite } from '../../src/run/suite.ts';
import { Workdir } from '../../src/run/workdir.ts';
import { readConfig } from '../../src/settings.ts';
import { AnswerCache } from '../../src/store/cache.ts';
import { type Agent, AgentError, type Answer, type ErrorKind } from '../../src/words/answer.ts';
import { withMessages } from '../../src/words/conversation.ts';
import type { Sample } from '../../src/words/sample.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';

type Say = (id: string) => Answer | ErrorKind | AgentError;

const RIGHT: Say = () => ({ output: '17', costUsd: 0.5 });

function toSample(id: string, input = `What is ${id}?`): Sample {
  return { id, suite: 'made-up', input, target: '17', group: 'all', attachments: [], metadata: {} };
}

/** Runs of one suite after another over one cache, without Vitest. */
function makeLab(dataset: readonly Sample[] = ['a', 'b'].map((id) => toSample(id))) {
  const folder = makeFolder();

  /**
   * Plans and asks as a run with these settings does; `ids` picks samples. Returns the ids that were
   * asked, each trial's outcome, and the plan.
   */
  async function run(
    env: Readonly<Record<string, string>> = {},
    {
      ids = null,
      fingerprint = 'v1',
      say = RIGHT,
      cache = true,
      spentUsd = 0,
      atOnce,
      ...of
    }: Options = {},
  ) {
    const config = readConfig({ EVAL_DIR: folder, EVAL_CONCURRENCY: '1', ...env });
    const asked: string[] = [];
    const answer: Agent['answer'] = async ({ id }) => {
      asked.push(id);
      await atOnce?.(id);
      const outcome = say(id);
      if (outcome instanceof AgentError) throw outcome;
      if (typeof outcome === 'string') throw new AgentError(outcome, 'made up');
      return outcome;
    };
    const create = async () => [
      { name: 'agent', fingerprint, answer, priced: true, cacheCoverage: 'it sees no edit', ...of },
    ];
    const suite = toSuite('made-up', { data: [{}], cache }, '');
    const ready = {
      config,
      folder: makeRun([]),
      spentUsd,
      secrets: [],
      mcp: null,
      blockedBecause: null,
    };
    const samples = dataset.filter(({ id }) => ids?.includes(id) ?? true);
    const loaded = { name: 'made-up', samples: dataset, notes: [] };
    const lanes = await makeLanes(
      suite,
      [{ name: null, spec: DEFAULT_AGENT }],
      loaded,
      ready,
      false,
      create,
    );
    const deadline = () => (config.timeoutSeconds ?? 30) * 1000;
    const planned = {
      suite,
      dataset: loaded,
      samples,
      share: samples,
      unmatchedIds: [],
      lanes,
      trials: config.trials,
    };
    const trials = planTrials({ ...planned, deadlineMs: deadline }, ready);
    const [plan] = planAgents(lanes, trials);
    if (cache) lanes[0]?.cache?.open();
    const askOne = async ({ lane, sample, meta, key, deadlineMs }: Trial) => {
      const cached = findKnown(lane, sample.id, meta.trial, key);
      const { id, suite, input, group } = sample;
      const question = { id, suite, input, ...withMessages(String(input)), group, attachments: [] };
      const cancelled = new AbortController().signal;
      const limits = { trial: meta.trial, deadlineMs, maxSteps: null, cancelled };
      const options = { ...limits, workdir: new Workdir([]) };
      return cached ?? (await askWhenFree(lane, question, key, options));
    };
    const came = [];
    if (atOnce !== undefined) came.push(...(await Promise.all(trials.map(askOne))));
    else for (const trial of trials) came.push(await askOne(trial));
    return { asked, came, plan };
  }

  return { folder, run };
}

type Options = Pick<Agent, 'parts' | 'findChange'> & {
  readonly ids?: readonly string[] | null;
  readonly fingerprint?: string;
  readonly say?: Say;
  readonly cache?: boolean;
  /** What earlier watch runs have spent. */
  readonly spentUsd?: number;
  /** All questions wait for a slot together; what the agent waits for. */
  readonly atOnce?: (id: string) => Promise<unknown>;
};

describe('the answer cache', () => {
  test('asks nothing twice and keeps what an answer took and cost', async () => {
    const lab = makeLab();
    const first = await lab.run();
    const second = await lab.run();
    expect([first.asked, second.asked]).toEqual([['a', 'b'], []]);
    const [before] = first.came;
    expect(before).toMatchObject({
      outcome: 'answered',
      cached: false,
      attempts: 1,
      answer: { costUsd: 0.5 },
    });
    expect(second.came[0]).toMatchObject({
      answer: { output: '17', costUsd: 0.5 },
      cached: true,
      attempts: 1,
    });
    expect(second.plan).toMatchObject({
      trials: 2,
      cached: 2,
      to_ask: 0,
      seen_edits: 'it sees no edit',
    });
  });

  test('keeps an answer for each of several records that ask the same, also where a run asks some of them', async () => {
    const lab = makeLab(['a', 'b', 'c'].map((id) => toSample(id, 'What is 8 + 9?')));
    const say: Say = (id) => ({ output: id });
    const first = await lab.run({}, { ids: ['b', 'c'], say });
    const second = await lab.run({}, { say });
    expect([first.asked, second.asked]).toEqual([['b', 'c'], ['a']]);
    expect((await lab.run()).came).toMatchObject(
      ['a', 'b', 'c'].map((output) => ({ answer: { output }, cached: true })),
    );
  });

  test('says that a folder refuses answers before any is paid for', () => {
    const policy = new AnswerCache('/proc/answers');
    expect(() => policy.open()).toThrow(
      /^No answer can be cached in \/proc\/answers: .+ EVAL_CACHE=off/,
    );
  });

  test.each([
    ['rate_limit', true],
    ['server', true],
    ['network', true],
    ['machine', true],
    // Or a resumed run would be the better of two attempts.
    ['timed_out', false],
    ['agent_crash', false],
    ['bad_request', false],
    ['bad_response', false],
    ['step_limit', false],
  ] as const)('after an error of kind %s asks again: %s', async (kind, again) => {
    const lab = makeLab([toSample('a')]);
    await lab.run({}, { say: () => kind });
    expect((await lab.run()).asked).toEqual(again ? ['a'] : []);
  });

  test('asks a question again whose line is damaged, and says so', async () => {
    const lab = makeLab();
    await lab.run();
    for (const file of globSync(join(lab.folder, 'cache/*/*.jsonl'))) {
      const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(
        file,
        `${first.replace(/"latency_ms":[^,]+/, '"latency_ms":-5e300')}\n${second}\n`,
      );
    }
    const { asked, plan } = await lab.run();
    expect([asked, plan?.missed_because]).toEqual([['a'], '1: damaged in the cache']);
    expect((await lab.run()).asked).toEqual([]);
  });

  test.each([
    [{}, 'v1', [], null],
    [{ EVAL_SEED: '7', EVAL_CONCURRENCY: '3' }, 'v1', [], null],
    [{ EVAL_CACHE: 'off' }, 'v1', ['a', 'b'], 'EVAL_CACHE=off asks all again'],
    [{ EVAL_CACHE: 'refresh' }, 'v1', ['a', 'b'], 'EVAL_CACHE=refresh asks all again'],
    [{ EVAL_CACHE: 'retry' }, 'v1', ['b'], '1: failed before (EVAL_CACHE=retry)'],
    [{ EVAL_CACHE_KEY: 'other' }, 'v1', ['a', 'b'], 'all: agent changed'],
    [{}, 'v2', ['a', 'b'], 'all: agent changed'],
    [{ EVAL_TIMEOUT: '20' }, 'v1', ['a', 'b'], 'all: deadline changed'],
    [{ EVAL_TIMEOUT: '40' }, 'v1', [], null],
    [{ EVAL_MAX_STEPS: '5' }, 'v1', ['a', 'b'], 'all: step limit changed'],
    [{ EVAL_TRIALS: '2' }, 'v1', ['a', 'b'], '2: new trial'],
  ] as const)(
    'with %j and the code %s asks %j again and says why: %s',
    async (env, fingerprint, asked, reason) => {
      const lab = makeLab();
      await lab.run({}, { say: (id) => ({ output: id === 'b' ? '' : '17', costUsd: 0.5 }) });
      const second = await lab.run(env, { fingerprint });
      expect([second.asked, second.plan?.to_ask, second.plan?.missed_because]).toEqual([
        asked,
        asked.length,
        reason,
      ]);
    },
  );

  test('asks again with more time what timed out, and nothing else', async () => {
    const lab = makeLab();
    const say: Say = (id) => (id === 'a' ? 'timed_out' : { output: '17' });
    await lab.run({ EVAL_TIMEOUT: '20' }, { say });
    expect((await lab.run({ EVAL_TIMEOUT: '20' }, { say })).asked).toEqual([]);
    const longer = await lab.run({ EVAL_TIMEOUT: '40' });
    expect([longer.asked, longer.plan?.missed_because]).toEqual([['a'], '1: deadline changed']);
    // Each deadline has its own timeout; an answer counts under all later ones.
    expect((await lab.run({ EVAL_TIMEOUT: '50' })).asked).toEqual([]);
    const back = await lab.run({ EVAL_TIMEOUT: '20' });
    expect([back.asked, back.came]).toMatchObject([[], [{ outcome: 'failed' }, { cached: true }]]);
  });

  test.each([
    [{ 'src/a.ts': '2' }, 'all: src/a.ts changed'],
    // What a changed file imports since says less.
    [{ 'src/a.ts': '2', 'src/new.ts': '1' }, 'all: src/a.ts changed'],
    [{ 'package zod': '2', 'variable MODEL': '2' }, 'all: package zod and variable MODEL changed'],
    [{ 'src/new.ts': '1' }, 'all: src/new.ts changed'],
    [
      { 'src/a.ts': '2', 'src/b.ts': '2', 'package zod': '2', 'variable MODEL': '2' },
      'all: src/a.ts, src/b.ts, package zod and 1 more changed',
    ],
  ])('names what changed in the agent: %j', async (edits, reason) => {
    const lab = makeLab();
    const parts = { 'src/a.ts': '1', 'src/b.ts': '1', 'package zod': '1', 'variable MODEL': '1' };
    await lab.run({}, { parts });
    const second = await lab.run({}, { parts: { ...parts, ...edits }, fingerprint: 'v2' });
    expect(second.plan?.missed_because).toBe(reason);
  });

  test('names no file whose edit was taken back', async () => {
    const lab = makeLab();
    const parts = { 'src/a.ts': '1', 'src/b.ts': '1' };
    await lab.run({}, { parts, fingerprint: 'v1' });
    await lab.run({}, { parts: { ...parts, 'src/a.ts': '2' }, fingerprint: 'v2' });
    const third = await lab.run({}, { parts: { ...parts, 'src/b.ts': '2' }, fingerprint: 'v3' });
    expect(third.plan?.missed_because).toBe('all: src/b.ts changed');
  });

  test('names EVAL_CACHE_KEY as what changed', async () => {
    const lab = makeLab();
    const parts = { 'src/a.ts': '1' };
    await lab.run({}, { parts });
    const { plan } = await lab.run({ EVAL_CACHE_KEY: 'x' }, { parts });
    expect(plan?.missed_because).toBe('all: EVAL_CACHE_KEY changed');
  });

  test('keeps no answer of an agent whose code changed meanwhile, and asks it nothing more', async () => {
    const lab = makeLab(['a', 'b', 'c'].map((id) => toSample(id)));
    let changed: string | null = null;
    const say: Say = (id) => {
      if (id === 'b') changed = 'agent.sh';
      return { output: '17', costUsd: 0.5 };
    };
    const first = await lab.run({}, { say, findChange: () => changed });
    expect(first.asked).toEqual(['a', 'b']);
    const why = 'agent.sh changed while this run was asking';
    expect(first.came).toMatchObject([
      { outcome: 'answered' },
      { outcome: 'not_asked', reason: 'changed', why, ended: { answer: { costUsd: 0.5 } } },
      { outcome: 'not_asked', reason: 'changed' },
    ]);
    expect((await lab.run({})).asked).toEqual(['b', 'c']);
    const off = await lab.run({ EVAL_CACHE: 'off' }, { findChange: () => changed });
    expect(off.came.map(({ outcome }) => outcome)).toEqual(Array(3).fill('answered'));
  });

  test('asks nobody under EVAL_CACHE=only', async () => {
    const lab = makeLab();
    await lab.run({}, { ids: ['a'] });
    const second = await lab.run({ EVAL_CACHE: 'only' });
    expect([second.asked, second.plan]).toMatchObject([[], { cached: 1, to_ask: 0 }]);
    expect(second.came).toMatchObject([
      { cached: true },
      { outcome: 'not_asked', reason: 'not_cached' },
    ]);
  });

  test.each<[why: string, kind: ErrorKind, status: number | null, reason: string]>([
    ['a quota error', 'quota', null, 'quota'],
    ['an auth error', 'auth', null, 'auth'],
    ['a command that is not found', 'machine', 127, 'no_command'],
  ])('stops at %s, and asks the rest next time', async (_, kind, status, reason) => {
    const lab = makeLab();
    const first = await lab.run({}, { say: () => new AgentError(kind, 'made up', { status }) });
    const stopped = { outcome: 'not_asked', reason };
    const found = status === null ? { outcome: 'failed' } : stopped;
    expect([first.asked, first.came]).toMatchObject([['a'], [found, stopped]]);
    expect((await lab.run()).asked).toEqual(['a', 'b']);
  });

  test('asks a suite with "cache: false" every time, and nobody under EVAL_CACHE=only', async () => {
    const lab = makeLab([toSample('a')]);
    await lab.run();
    const second = await lab.run({}, { cache: false });
    expect([second.asked, second.plan?.missed_because, second.plan?.seen_edits]).toEqual([
      ['a'],
      '"cache: false" of the suite caches nothing',
      undefined,
    ]);
    const only = await lab.run({ EVAL_CACHE: 'only' }, { cache: false });
    expect([only.asked, only.plan?.to_ask]).toEqual([[], 0]);
    expect((await lab.run({}, { cache: false })).asked).toEqual(['a']);
  });
});

describe.each([0, 60, 400])('two runs over one cache, the second after %i ms,', (afterMs) => {
  const ids = Array.from({ length: 60 }, (_, index) => `q${index}`);

  test('ask nothing that is answered, and at most once more what is in flight', async () => {
    const lab = makeLab(ids.map((id) => toSample(id)));
    const answeredAt = new Map<string, number>();
    const late: string[] = [];
    const atOnce = async (id: string) => {
      // What another run wrote within 5 ms is as good as in flight.
      const isAnswered = performance.now() - (answeredAt.get(id) ?? Number.POSITIVE_INFINITY) > 25;
      if (isAnswered) late.push(id);
      await sleep(15 + (Number(id.slice(1)) % 7));
      if (!answeredAt.has(id)) setTimeout(() => answeredAt.set(id, performance.now()));
    };
    const env = { EVAL_CONCURRENCY: '4' };
    const first = lab.run(env, { atOnce });
    await sleep(afterMs);
    const runs = await Promise.all([first, lab.run(env, { atOnce })]);
    expect(late).toEqual([]);
    const asked = runs.flatMap((run) => run.asked);
    expect(new Set(asked).size).toBe(ids.length);
    // Those in flight when the second begins, and when both meet.
    expect(asked.length).toBeLessThanOrEqual(ids.length + 3 * 4);
    const outcomes = runs.map(({ came }) => came.filter(({ outcome }) => outcome === 'answered'));
    expect(outcomes.map(({ length }) => length)).toEqual([ids.length, ids.length]);
  });
});

test('a budget covers all runs of one watch session together', async () => {
  const lab = makeLab();
  const { asked, came } = await lab.run({ EVAL_MAX_COST: '1.6' }, { spentUsd: 1 });
  expect([asked, came.at(-1)]).toEqual([['a'], { outcome: 'not_asked', reason: 'budget' }]);
});
