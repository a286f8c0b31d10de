import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { PAIR, toResult, toTrials } from '../src/figures/result.fixture.ts';
import { readConfig } from '../src/settings.ts';
import { RunWriter } from '../src/store/run-writer.ts';
import type { SampleResult } from '../src/words/row.ts';
import { toSample } from '../src/words/types.fixture.ts';
import { makeRun, writeRows } from '../test/make-run.ts';
import { evaluatePastRun } from './past-run.ts';
import { writeRunFiles } from './publish-run.ts';
import { type EndedRun, RowSink, type Sinks } from './row-sink.ts';

type Given = Parameters<NonNullable<Sinks['onRow']>>[0];

// It takes errors of promises that nobody awaits, also after a run.
afterAll(() => void Reflect.deleteProperty(process, 'emit'));

const FEW = [...toTrials('q1', '+-'), ...toTrials('q2', '+')];
const SHORT = { poll: 5, call: 5000, rows: 5000, all: 10_000 };
const never = () => new Promise(() => {});

/** Follows a run with these rows, and ends it. `more` is written meanwhile. */
async function follow(
  sinks: Sinks,
  {
    rows = FEW,
    more = [],
    env = {},
    ended = true,
    waits = SHORT,
  }: Partial<{
    rows: readonly SampleResult[];
    more: readonly SampleResult[];
    env: Record<string, string>;
    ended: boolean;
    waits: typeof SHORT;
  }> = {},
) {
  const folder = makeRun([...rows, ...more]);
  const left = more.length > 0 ? makeRun(rows) : folder;
  new RunWriter(left).questions('gaia', [
    toSample({ id: 'q1', input: { text: 'Where?' }, choices: { A: 'here', B: 'there' } }),
  ]);
  const said: string[] = [];
  const sink = new RowSink(
    sinks,
    { folder: left, config: readConfig(env), secrets: ['s3cret-key'] },
    { KEY: 'k' },
    (line) => void said.push(line),
    waits,
  );
  sink.begin();
  await sleep(20);
  if (more.length > 0) writeRows(left, ...more);
  if (ended) writeRunFiles(evaluatePastRun(left, {}));
  await sink.end();
  return { said, folder: left };
}

test('each row is given once, in the order of the file and with its question, while the run goes on', async () => {
  const given: Given[] = [];
  const places = new Set<string>();
  const more = [toResult('incorrect', { id: 'q2', trial: 2, slots: 4, pairs: [PAIR] })];
  const { said, folder } = await follow(
    {
      onRow: (row, place) => {
        places.add(`${place.run} ${place.folder} ${place.env['KEY']}`);
        given.push(row);
      },
    },
    { more },
  );
  expect(given.map(({ id, trial, asked }) => [id, trial, asked])).toEqual([
    ['q1', 1, false],
    ['q1', 2, false],
    ['q2', 1, false],
    ['q2', 2, true],
  ]);
  expect(given[0]).toMatchObject({
    input: { text: 'Where?' },
    choices: [
      ['A', 'here'],
      ['B', 'there'],
    ],
    state: 'correct',
    output: 'text',
    target: 'truth',
  });
  expect(given[2]).toMatchObject({ input: null });
  expect(given[3]).toMatchObject({ pairs: [PAIR] });
  expect([...places]).toEqual([`run ${folder} k`]);
  expect(said).toEqual([]);
});

test('a row is the own copy of its reader', async () => {
  const inputs: unknown[] = [];
  await follow({
    onRow: (row) => {
      inputs.push(structuredClone(row.input));
      Object.assign(Object(row.input), { text: 'changed' });
      Object.assign(row, { state: 'correct', suite: 'other' });
    },
  });
  expect(inputs).toEqual([{ text: 'Where?' }, { text: 'Where?' }, null]);
});

test('rows come one at a time, and the figures behind all of them', async () => {
  const events: string[] = [];
  const ends: EndedRun[] = [];
  await follow({
    onRow: async ({ id }) => {
      events.push(`begins ${id}`);
      await sleep(10);
      events.push(`ends ${id}`);
    },
    onEnd: (end) => {
      events.push('end');
      ends.push(end);
    },
  });
  expect(events).toEqual([
    ...['q1', 'q1', 'q2'].flatMap((id) => [`begins ${id}`, `ends ${id}`]),
    'end',
  ]);
  expect(ends[0]).toMatchObject({
    run: 'run',
    summary: { suites: [{ suite: 'gaia' }] },
  });
});

test('a run without figures has no end', async () => {
  const ends: unknown[] = [];
  await follow({ onEnd: (end) => ends.push(end) }, { ended: false });
  expect(ends).toEqual([]);
});

test.each([
  [{ CI: 'true' }, null],
  [{ CI: 'true', EVAL_SHOW_GATED: '1' }, 'text'],
])('a hidden dataset has no texts with %j', async (env, output) => {
  const given: Given[] = [];
  const rows = [
    {
      ...toResult('incorrect', { confidence: 'I say secret' }),
      explanation: 'secret is not truth',
    },
    toResult('errored', { id: 'q2' }),
  ];
  await follow({ onRow: (row) => given.push(row) }, { rows, env });
  expect(given[0]).toMatchObject({ id: 'q1', state: 'incorrect', output });
  expect(given[0]?.hidden).toBe(output === null ? true : undefined);
  expect(/secret|truth|Where|"text"|there/.test(JSON.stringify(given))).toBe(output !== null);
});

const FAILED = 'It changes no figure, and all rows are in samples.jsonl.';
const fetchFailed = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
});

test.each<[string, NonNullable<Sinks['onRow']>, string]>([
  [
    'throws',
    () => {
      throw new Error('no project');
    },
    'no project',
  ],
  [
    'rejects',
    async () => {
      throw fetchFailed;
    },
    'fetch failed (ECONNREFUSED)',
  ],
  [
    'names a key',
    async () => {
      throw new Error('401 for s3cret-key');
    },
    '401 for [key]',
  ],
  [
    'steers the terminal',
    () => {
      throw new Error('\u001b[2J\n::error::x');
    },
    '\\u001b[2J\\n::error::x',
  ],
  [
    'throws nothing',
    () => {
      throw undefined;
    },
    'undefined',
  ],
  [
    'throws what cannot be read',
    () => {
      throw new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      );
    },
    '{}',
  ],
  [
    'has a then that throws',
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: it is what is tested.
      get then() {
        throw new Error('no then');
      },
    }),
    'no then',
  ],
])('a function that %s is named once, with how often', async (_, onRow, message) => {
  let ends = 0;
  const { said } = await follow({ onRow, onEnd: () => ends++ });
  expect(said).toEqual([
    `onRow failed 3 times in 3 rows, first for gaia q1 (replay, trial 1): ${message}. ${FAILED}`,
  ]);
  expect(ends).toBe(1);
});

test('a failed end is named', async () => {
  const { said } = await follow({ onEnd: () => Promise.reject(new Error('no channel')) });
  expect(said).toEqual([`onEnd failed: no channel. ${FAILED}`]);
});

test('what a promise that nobody awaits throws ends no process, and is named, also after the end', async () => {
  const [fired, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onRow = ({ trial }: Given) => {
    void Promise.reject(new Error('nobody awaits it'));
    if (trial === 2)
      setTimeout(() => {
        fired.resolve();
        throw new Error('of a timer');
      }, 1);
  };
  const onEnd = async () => {
    void late.promise.then(() => {
      throw new Error('late');
    });
    await fired.promise;
  };
  const { said } = await follow({ onRow, onEnd });
  expect(said).toEqual([
    `onRow failed 4 times in 3 rows, first for gaia q1 (replay, trial 1): nobody awaits it. ${FAILED}`,
  ]);
  late.resolve();
  await vi.waitFor(() => expect(said.slice(1)).toEqual([`onEnd failed: late. ${FAILED}`]));
});

const at = (place: string, message: string) =>
  Object.assign(new Error(message), {
    stack: `Error: ${message}\n    at Queue.flush (${place}:7:3)`,
  });

test('what a client that was made before throws ends no process, and is named with its place', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const flush = () => {
    void Promise.reject(at('/x/client.mjs', 'flush 401'));
    setTimeout(() => {
      resolve();
      throw at('file:///x/other.mjs', 'closed');
    }, 1);
  };
  const made = AsyncLocalStorage.snapshot();
  const { said } = await follow({
    onRow: ({ trial }) => (trial === 2 ? made(flush) : undefined),
    onEnd: () => promise,
  });
  expect(said).toEqual([
    `What runs beside onRow and onEnd failed 2 times, first: /x/client.mjs:7: flush 401. ${FAILED}`,
  ]);
});

test.each([
  '/x/node_modules/vitest/dist/cli.js',
  '/x/node_modules/@vitest/runner/dist/a.js',
  `${import.meta.dirname}/remarks.ts`,
])('an error of %s is left to Vitest', async (file) => {
  const heard: unknown[] = [];
  const { said } = await follow({
    onEnd: () => {},
  });
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => heard.push(error.message));
  process.emit('uncaughtException', at(file, 'ours'));
  process.removeAllListeners('uncaughtException');
  for (const listener of listeners) process.on('uncaughtException', listener);
  expect([said, heard]).toEqual([[], ['ours']]);
});

test('a function that never settles takes its time, and neither the end nor the others', async () => {
  const ids: string[] = [];
  let ends = 0;
  const onRow = ({ id, trial }: Given) => {
    ids.push(`${id}.${trial}`);
    return trial === 1 && id === 'q1' ? never() : undefined;
  };
  const waits = { ...SHORT, call: 60 };
  const { said } = await follow({ onRow, onEnd: () => ends++ }, { waits });
  expect([ids, ends]).toEqual([['q1.1', 'q1.2', 'q2.1'], 1]);
  expect(said.at(-1)).toBe(
    `onRow failed once in 3 rows, first for gaia q1 (replay, trial 1): it did not settle in time. ${FAILED}`,
  );
});

test('rows that are left when the time is over are counted, and the end still comes', async () => {
  let ends = 0;
  const rows = Array.from({ length: 1000 }, (_, index) => toResult('correct', { id: `q${index}` }));
  const waits = { poll: 5, call: 1000, rows: 60, all: 200 };
  const began = performance.now();
  const { said } = await follow(
    {
      onRow: never,
      onEnd: () => {
        ends++;
        return never();
      },
    },
    { rows, waits },
  );
  expect(performance.now() - began).toBeLessThan(5000);
  expect(ends).toBe(1);
  expect(said.filter((line) => !line.startsWith('Waiting'))).toEqual([
    `onRow failed once in 1 row, first for gaia q0 (replay, trial 1): it did not settle in time. ${FAILED}`,
    `onEnd failed: it did not settle in time. ${FAILED}`,
    'onRow did not get 999 of 1000 rows: viva waits 0.06 s after the last answer. Send several rows in one request. They are in samples.jsonl.',
  ]);
});

test('a function that takes long without a promise ends with the time, too', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => toResult('correct', { id: `q${index}` }));
  const onRow = () => {
    const began = performance.now();
    while (performance.now() - began < 5);
  };
  const { said } = await follow({ onRow }, { rows, waits: { ...SHORT, rows: 50, all: 100 } });
  expect(said.at(-1)).toMatch(/^onRow did not get \d+ of 300 rows: /);
});

test('each watch run is followed, and a dry run is not', async () => {
  const runs: string[] = [];
  const session = { folder: makeRun(FEW, { name: 'one' }), config: readConfig({}), secrets: [] };
  const sink = new RowSink({ onRow: (_, { run }) => runs.push(run) }, session, {}, () => {}, SHORT);
  for (const name of ['one', 'two']) {
    session.folder = makeRun(FEW, { name });
    sink.begin();
    sink.begin();
    await sink.end();
  }
  session.config = readConfig({ EVAL_DRY_RUN: '1' });
  session.folder = makeRun(FEW, { name: 'dry' });
  sink.begin();
  await sink.end();
  expect(runs).toEqual(['one', 'one', 'one', 'two', 'two', 'two']);
});
