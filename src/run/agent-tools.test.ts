import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tool } from 'ai';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { makeFolder } from '../../test/make-folder.ts';
import { parseSteps } from '../agents/returned-answer.ts';
import type { Outcome } from '../words/answer.ts';
import type { Json } from '../words/sample.ts';
import { AgentTools, noteUnreached, type ToolsSetting } from './agent-tools.ts';
import { mockTools, recordTools, refuseOutside } from './record-tools.ts';

const NAME = { name: 'shop' };
const TIMES = {
  started_at: '',
  answered_at: '',
  latency_ms: 1,
  attempts: 1,
  cached: false,
} as const;

/** One folder with recordings, and agents that are asked over it. */
class Studio {
  readonly evalFile = join(makeFolder(), 'evals/a.eval.ts');
  readonly file = join(this.evalFile, '../__recordings__/shop.jsonl');
  losses: string[] = [];

  open(mode: ToolsSetting['mode'], setting: Partial<ToolsSetting> = {}): AgentTools {
    const usual = { suite: 's', agent: 'm', evalFile: this.evalFile, isHidden: false, secrets: [] };
    return new AgentTools({ mode, ...usual, ...setting });
  }

  /** What an agent answers to a case, "ERROR: ..." for an error of the case. */
  async ask(
    tools: AgentTools,
    agent: () => unknown,
    { id = 'a', trial = 1 } = {},
  ): Promise<unknown> {
    const outcome = await this.outcomeOf(tools, agent, { id, trial });
    return outcome.outcome === 'answered'
      ? outcome.answer.output
      : `ERROR: ${outcome.error.message}`;
  }

  outcomeOf(tools: AgentTools, agent: () => unknown, of = { id: 'a', trial: 1 }): Promise<Outcome> {
    const ask = async (): Promise<Outcome> => {
      const output = (await agent()) as Json;
      return { outcome: 'answered', answer: { output }, ...TIMES };
    };
    return tools.ask(of, ask, (why) => this.losses.push(why)).finally(() => tools.settle());
  }

  read(): readonly Record<string, unknown>[] {
    const lines = existsSync(this.file)
      ? readFileSync(this.file, 'utf8').trimEnd().split('\n')
      : [];
    return lines.map((line) => JSON.parse(line));
  }
}

class Missing extends Error {
  override readonly name = 'Missing';
  readonly status = 404;
  readonly config = { headers: { authorization: 'Bearer abcdefghijkl' } };
}

async function* progress(): AsyncGenerator<unknown> {
  yield { state: 'loading' };
  await sleep(1);
  yield { state: 'ready' };
}

async function listEach(values: AsyncGenerator<unknown>): Promise<readonly unknown[]> {
  const each = [];
  for await (const value of values) each.push(value);
  return each;
}

/** What a tool returns or throws, as an agent sees it. */
async function seen(call: () => unknown): Promise<unknown> {
  try {
    const value = call();
    const isAtOnce = !(value instanceof Promise);
    if (Object.prototype.toString.call(value) === '[object AsyncGenerator]')
      return { each: await listEach(value as AsyncGenerator<unknown>) };
    const settled = await value;
    return { isAtOnce, ...(settled === undefined ? {} : { settled }) };
  } catch (error) {
    const { name, message, status } = error as Missing;
    return {
      name,
      message,
      status,
      isError: error instanceof Error,
      isType: error instanceof TypeError,
    };
  }
}

class Tool {
  readonly name = 'search';
  readonly lc = 1;
  count = 0;
  func(input: { q: string }) {
    return Promise.resolve({ found: input.q, count: ++this.count });
  }
  invoke(input: { q: string }) {
    return this.func(input);
  }
}

const throws = (error: unknown) => async () => {
  throw error;
};

type Call = () => unknown;

const FORMS: Readonly<Record<string, () => Call>> = {
  'a function': () =>
    recordTools(async function find() {
      return [1];
    }, NAME),
  'a function that returns at once': () => recordTools({ find: () => ({ a: 1 }) }, NAME).find,
  'a function that returns nothing': () => recordTools({ find: async () => {} }, NAME).find,
  'a function of several arguments': () => {
    const { find } = recordTools({ find: async (a: string, b?: number) => [a, b ?? null] }, NAME);
    return () => find('x');
  },
  'a method that uses this': () => {
    const shop = {
      stock: 4,
      async find() {
        return this.stock;
      },
    };
    const tools = recordTools(shop, NAME);
    return () => tools.find();
  },
  'a function that throws at once': () =>
    recordTools(
      {
        find: (): never => {
          throw new TypeError('no');
        },
      },
      NAME,
    ).find,
  'a function that rejects': () => recordTools({ find: throws(new Missing('gone')) }, NAME).find,
  'a function that rejects with a text': () => recordTools({ find: throws('gone') }, NAME).find,
  'a thenable': () =>
    recordTools(
      {
        find: () =>
          Object.defineProperty({}, 'then', {
            value: (done: Call) => Reflect.apply(done, null, [3]),
          }),
      },
      NAME,
    ).find,
  'a tool of the AI SDK': () => {
    const inputSchema = z.object({ q: z.string() });
    const tools = recordTools(
      { search: tool({ inputSchema, execute: async ({ q }) => ({ found: q }) }) },
      NAME,
    );
    return () =>
      Reflect.apply(tools.search.execute as Call, tools.search, [
        { q: 'x' },
        { toolCallId: '1', messages: [] },
      ]);
  },
  'a tool that yields': () => recordTools({ search: { execute: progress } }, NAME).search.execute,
  'a tool of OpenAI Agents': () => {
    const invoke = async (_context: unknown, input: string) => JSON.parse(input).q;
    const [search] = recordTools([{ type: 'function', name: 'search', invoke }], NAME);
    return () => search?.invoke({ usage: new Map() }, '{ "q": "x" }');
  },
  'a tool of LangChain': () => {
    const [search] = recordTools([new Tool()], NAME);
    return () => search?.invoke({ q: 'x' });
  },
};

test.each(Object.entries(FORMS))('records %s, and replays it without a call', async (_, make) => {
  const studio = new Studio();
  const live = await studio.ask(studio.open('off'), () => seen(make()));
  expect(await studio.ask(studio.open('record'), () => seen(make()))).toEqual(live);
  expect(studio.read()).toHaveLength(1);
  expect(await studio.ask(studio.open('replay'), () => seen(make()))).toEqual(live);
  // Recorded again with the same results, the file is the same.
  const text = readFileSync(studio.file, 'utf8');
  await studio.ask(studio.open('record'), () => seen(make()));
  expect(readFileSync(studio.file, 'utf8')).toBe(text);
});

test('a wrapped tool keeps its class, its name and its other fields', () => {
  const source = new Tool();
  const [wrapped] = recordTools([source], NAME);
  expect(wrapped).toBeInstanceOf(Tool);
  expect({ ...wrapped, func: 0 }).toEqual({ ...source, func: 0 });
  const find = Object.assign(
    async function find(_a: string) {
      return 1;
    },
    { schema: 3 },
  );
  const set = recordTools({ find, hosted: { type: 'provider' }, LIMIT: 5 }, NAME);
  expect([set.find.name, set.find.length, set.find.schema]).toEqual(['find', 1, 3]);
  expect([set.hosted, set.LIMIT]).toEqual([{ type: 'provider' }, 5]);
});

test.each<[string, () => unknown, string]>([
  [
    'a name',
    () => recordTools({ a: () => 1 }, { name: '../a' }),
    'recordTools: "name" names the file of recordings, so it must have letters, digits, "_", "-" and "." alone, got "../a".',
  ],
  ['no name', () => recordTools({ a: () => 1 }, undefined as never), 'alone, got nothing.'],
  [
    'no tool',
    () => recordTools({ a: 1 }, NAME),
    'recordTools takes functions by name, the tools of the AI SDK, or a list of tools, got {"a":1}. A tool on its own needs a name.',
  ],
  [
    'a client',
    () =>
      recordTools(
        new (class Shop {
          find() {}
        })(),
        NAME,
      ),
    'got an object of Shop. Name its methods: { search: (text) => client.search(text) }.',
  ],
  ['an arrow alone', () => recordTools(() => 1, NAME), 'A tool on its own needs a name.'],
  ['nothing', () => recordTools(undefined as never, NAME), 'or a list of tools, got nothing.'],
  [
    'no mocks',
    () => mockTools({ find: () => 1 }, undefined as never),
    'mockTools takes tools, and an object with a function for each that may be called, got nothing.',
  ],
  [
    'a mock of no tool',
    () => mockTools({ find: () => 1 }, { fnd: () => 2 } as never),
    'mockTools: there is no tool "fnd". Did you mean find?',
  ],
  [
    'a mock that is no function',
    () => mockTools({ find: () => 1 }, { find: 2 } as never),
    'mockTools: the mock of "find" must be a function, got 2.',
  ],
])('refuses %s', (_, make, problem) => {
  expect(make).toThrow(problem);
});

test('the n-th equal call of a case gets the n-th result, whatever the order of its fields', async () => {
  const studio = new Studio();
  let count = 0;
  const next = async (_given: object) => ++count;
  const agent = async () => {
    const tools = recordTools({ next }, NAME);
    const given = [{ a: 1, b: 2 }, { b: 2, a: 1, c: undefined }, { a: 2 }, { a: 1, b: 2 }];
    return Promise.all(given.map((each) => tools.next(each)));
  };
  const recording = studio.open('record');
  const [a, b] = await Promise.all([
    studio.ask(recording, agent),
    studio.ask(recording, agent, { id: 'b' }),
  ]);
  const replaying = studio.open('replay');
  count = 100;
  expect(await studio.ask(replaying, agent, { id: 'b' })).toEqual(b);
  expect(await studio.ask(replaying, agent)).toEqual(a);
  // A case that is asked again, and a trial that was not recorded.
  expect(await studio.ask(replaying, agent)).toEqual(a);
  expect(await studio.ask(replaying, agent, { id: 'b', trial: 2 })).toEqual(b);
  expect(a).not.toEqual(b);
});

test('a call without a recording is an error of the case, though its agent goes on', async () => {
  const studio = new Studio();
  const get = async ({ id }: { id: number }) => id;
  const askFor =
    (...ids: number[]) =>
    async () => {
      const tools = recordTools({ get, other: get }, NAME);
      const results = [];
      for (const id of ids) results.push(await tools.get({ id }).catch(() => null));
      return results;
    };
  expect(await studio.ask(studio.open('replay'), askFor(1))).toMatch(
    /^ERROR: get\(\{"id":1\}\) is not recorded: there is no file .*shop\.jsonl\. EVAL_TOOLS=record makes it\.$/,
  );
  await studio.ask(studio.open('record'), askFor(1, 12, 345));
  const text = readFileSync(studio.file, 'utf8');
  expect(await studio.ask(studio.open('replay'), askFor(1, 13, 12))).toMatch(
    /^ERROR: get\(\{"id":13\}\) is not recorded in .*shop\.jsonl\. EVAL_TOOLS=auto records what is missing\. Nearest: get\(\{"id":12\}\); get\(\{"id":1\}\); get\(\{"id":345\}\)\.$/,
  );
  expect(await studio.ask(studio.open('replay'), askFor(12, 12))).toMatch(
    /^ERROR: get\(\{"id":12\}\) is recorded 1 time in .*, and this is call 2 of a case\./,
  );
  const other = () =>
    recordTools({ other: get }, NAME)
      .other({ id: 1 })
      .catch(() => 'fine');
  expect(await studio.ask(studio.open('replay'), other)).toContain('Recorded tools: get.');
  expect(readFileSync(studio.file, 'utf8')).toBe(text);
  const { error } = (await studio.outcomeOf(studio.open('replay'), askFor(1, 13))) as Outcome & {
    outcome: 'failed';
  };
  expect(error.kind).toBe('tool_not_recorded');
  expect(error.progress.trace?.flatMap(({ tool_calls }) => tool_calls)).toMatchObject([
    { name: 'get', result: '1', failed: false },
    { name: 'get', failed: true },
  ]);
});

test('auto replays what is recorded, and records what is not', async () => {
  const studio = new Studio();
  let live = 0;
  const get = async (_id: number) => ++live;
  const askFor =
    (...ids: number[]) =>
    async () => {
      const tools = recordTools({ get }, NAME);
      return Promise.all(ids.map((id) => tools.get(id)));
    };
  expect(await studio.ask(studio.open('auto'), askFor(1, 1))).toEqual([1, 2]);
  expect(await studio.ask(studio.open('auto'), askFor(1, 1, 1, 2))).toEqual([1, 2, 3, 4]);
  // Another case begins with what is known.
  expect(await studio.ask(studio.open('auto'), askFor(2, 2), { id: 'b' })).toEqual([4, 5]);
  expect(await studio.ask(studio.open('replay'), askFor(2, 2), { id: 'b' })).toEqual([4, 5]);
  expect(await studio.ask(studio.open('replay'), askFor(1, 1, 1, 2))).toEqual([1, 2, 3, 4]);
  expect(live).toBe(5);
});

test.each<[string, unknown, string]>([
  ['a date', { rows: [{ at: new Date(0) }] }, '"rows[0].at" is an object of Date'],
  ['a map', { a: new Map() }, '"a" is a Map'],
  ['a number that is none', { a: [Number.NaN] }, '"a[0]" is NaN'],
  ['a gap', { a: [undefined] }, '"a[0]" is undefined'],
  ['bytes', Buffer.from('x'), 'it is an object of Buffer'],
  ['a reply', new Response('x'), 'it is an object of Response'],
  ['a function', { a: { next: () => 1 } }, '"a.next" is a function'],
])('a result that JSON does not keep is an error of its case: %s', async (_, value, problem) => {
  const studio = new Studio();
  const agent = () =>
    recordTools({ get: async () => value }, NAME)
      .get()
      .catch(() => 'fine');
  const why = `The result of get([]) cannot be recorded: ${problem}.`;
  for (const mode of ['record', 'auto'] as const)
    expect(await studio.ask(studio.open(mode), agent)).toContain(`ERROR: ${why}`);
  expect(studio.read()).toEqual([]);
  expect(await studio.ask(studio.open('off'), agent)).toBe(value);
});

test('signals and callbacks are no part of the arguments, and other values are refused', async () => {
  const studio = new Studio();
  const get = async (..._given: unknown[]) => 1;
  const askWith =
    (...given: unknown[]) =>
    () =>
      recordTools({ get }, NAME)
        .get(...given)
        .catch(() => 'fine');
  const { signal } = new AbortController();
  await studio.ask(studio.open('record'), askWith('x', { signal, onEnd: () => {} }, undefined));
  expect(studio.read()).toMatchObject([{ arguments: ['x', {}] }]);
  expect(await studio.ask(studio.open('replay'), askWith('x', { signal }))).toBe(1);
  expect(await studio.ask(studio.open('replay'), askWith(new Map()))).toContain(
    'The arguments of the tool "get" cannot be recorded: "[0]" is a Map',
  );
});

test('no key reaches the file, and calls with another key find their results', async () => {
  const studio = new Studio();
  const secrets = ['hunter2-hunter2-hunter2'];
  const get = async (_given: object) => {
    return {
      url: 'https://me:pw@shop.example/a',
      text: 'use sk-proj-ABCDEF0123456789 or hunter2-hunter2-hunter2',
      headers: { Authorization: 'Bearer abc.def.ghijkl', 'x-api-key': 'Zx81Zx81Zx81' },
      nextPageToken: 'page-two-0002',
      key: 'customer-1234',
    };
  };
  const fails = throws(
    Object.assign(new Missing('GET /?token=abcdef123456 failed'), { apiKey: 'Zx81Zx81Zx81' }),
  );
  const askWith = (apiKey: string) => async () => {
    const tools = recordTools({ get, fails }, NAME);
    await tools.fails().catch(() => {});
    return tools.get({ apiKey, q: 'x' });
  };
  await studio.ask(studio.open('record', { secrets }), askWith('Qw81Qw81Qw81'));
  const text = readFileSync(studio.file, 'utf8');
  for (const key of [
    'hunter2',
    'sk-proj',
    'pw@',
    'abc.def',
    'Zx81',
    'Qw81',
    'abcdef123456',
    'Bearer abcdef',
  ])
    expect(text).not.toContain(key);
  expect(text).toContain('page-two-0002');
  expect(text).toContain('customer-1234');
  expect(await studio.ask(studio.open('replay'), askWith('Rt45Rt45Rt45'))).toMatchObject({
    key: 'customer-1234',
  });
});

test('a stream that its reader left is replayed to that place', async () => {
  const studio = new Studio();
  const agent = (most: number) => async () => {
    const seen = [];
    for await (const each of recordTools({ list: progress }, NAME).list()) {
      seen.push(each);
      if (seen.length === most) break;
    }
    return seen;
  };
  await studio.ask(studio.open('record'), agent(1));
  expect(studio.read()).toMatchObject([{ yields: [{ state: 'loading' }], partial: true }]);
  expect(await studio.ask(studio.open('replay'), agent(1))).toEqual([{ state: 'loading' }]);
  expect(await studio.ask(studio.open('replay'), () => agent(2)().catch(() => 'fine'))).toBe(
    'ERROR: list([]) is recorded up to value 1, where its reader left it. EVAL_TOOLS=record records it again.',
  );
  await studio.ask(studio.open('record'), agent(3));
  expect(studio.read()).toMatchObject([{ yields: [{}, {}] }]);
});

test('a key is no part of what finds a recording, and calls that differ in keys alone are named', async () => {
  const studio = new Studio();
  const share = async ({ token = '' }: { token?: string | null }) => (token ?? '').slice(-1);
  const askWith =
    (...given: readonly { token?: string | null; page?: string }[]) =>
    () =>
      Promise.all(given.map((each) => recordTools({ share }, NAME).share(each)));
  await studio.ask(studio.open('record'), askWith({ token: 'sharetoken-1', page: 'a' }));
  for (const token of ['sharetoken-2', '', null])
    expect(await studio.ask(studio.open('replay'), askWith({ token, page: 'a' }))).toEqual(['1']);
  expect(await studio.ask(studio.open('replay'), askWith({ page: 'a' }))).toEqual(['1']);
  const tools = studio.open('record');
  await studio.ask(tools, askWith({ token: 'sharetoken-1' }, { token: 'sharetoken-2' }));
  const remarks = tools.adapt({ name: 'a', answer: async () => ({ output: '' }) }).remarks?.();
  expect(remarks?.map(({ text }) => text)).toContain(
    'calls of share differ in keys alone, which are not recorded: the n-th of a case gets the n-th result',
  );
});

test('tools of a hidden dataset are not recorded', async () => {
  const studio = new Studio();
  let live = 0;
  const agent = () => recordTools({ get: async () => ++live }, NAME).get();
  const hidden = { isHidden: true };
  expect(await studio.ask(studio.open('record', hidden), agent)).toBe(1);
  expect(await studio.ask(studio.open('auto', hidden), agent)).toBe(2);
  expect(existsSync(join(studio.file, '..'))).toBe(false);
  await studio.ask(studio.open('record'), agent);
  expect(await studio.ask(studio.open('auto', hidden), agent)).toBe(3);
  expect(await studio.ask(studio.open('replay', hidden), agent)).toBe(3);
});

test('what a tool calls itself is part of its result', async () => {
  const studio = new Studio();
  const inner = recordTools({ get: async () => 1 }, NAME);
  const outer = recordTools({ sum: async () => (await inner.get()) + (await inner.get()) }, NAME);
  const agent = async () => [await outer.sum(), await inner.get()];
  await studio.ask(studio.open('record'), agent);
  expect(studio.read().map((line) => line['tool'])).toEqual(['get', 'sum']);
  expect(await studio.ask(studio.open('replay'), agent)).toEqual([2, 1]);
});

test('what is called off, or ends after its case, is not recorded', async () => {
  const studio = new Studio();
  const abort = Object.assign(new Error('stopped'), { name: 'AbortError' });
  const tools = recordTools({ slow: () => sleep(5), off: throws(abort), get: async () => 1 }, NAME);
  await studio.ask(studio.open('record'), async () => {
    void tools.slow();
    await tools.off().catch(() => {});
    return tools.get();
  });
  await sleep(10);
  expect(studio.read().map((line) => line['tool'])).toEqual(['get']);
});

test.each<[string, (signal: AbortSignal) => unknown]>([
  ['called off', (signal) => sleep(1000, null, { signal })],
  ['given up', () => sleep(1000, null, { ref: false })],
])('a call that is %s loses no equal call after it', async (_, wait) => {
  const studio = new Studio();
  let calls = 0;
  const slow = async ({ signal }: { signal: AbortSignal }) => {
    if (++calls === 1) await wait(signal);
    return calls;
  };
  const agent = async () => {
    const tools = recordTools({ slow }, NAME);
    const ending = new AbortController();
    const first = tools.slow({ signal: ending.signal }).catch(() => null);
    const late = sleep(5, null).then(() => ending.abort());
    return (await Promise.race([first, late])) ?? tools.slow({ signal: ending.signal });
  };
  const recording = studio.open('record');
  expect(await studio.ask(recording, agent)).toBe(2);
  expect(studio.read()).toMatchObject([{ tool: 'slow', result: 2 }]);
  const remarks = recording.adapt({ name: 'a', answer: async () => ({ output: '' }) }).remarks?.();
  expect(remarks?.map(({ text }) => text)).toContain(
    '1 call of slow not recorded: called off, or not ended before the answer',
  );
  expect(await studio.ask(studio.open('replay'), agent)).toBe(2);
});

test('outside of a case a tool is what it was, but a replay calls none', async () => {
  const studio = new Studio();
  const tools = recordTools({ get: async () => 1 }, NAME);
  expect(await tools.get()).toBe(1);
  onTestFinished(() => refuseOutside(false));
  refuseOutside(true);
  expect(() => tools.get()).toThrow(
    'EVAL_TOOLS=replay: the tool "get" was called outside of the answer to a case, so nothing is replayed.',
  );
  expect(mockTools({ get: () => 1 }, { get: () => 2 }).get()).toBe(2);
  expect(await studio.ask(studio.open('record'), tools.get)).toBe(1);
  expect(studio.read()).toHaveLength(1);
});

test('a framework that calls a tool out of the context of its case replays it all the same', async () => {
  const studio = new Studio();
  const { promise, resolve: start } = Promise.withResolvers<() => Promise<unknown>>();
  const later = promise.then((call) => call());
  await studio.ask(studio.open('record'), recordTools({ get: async () => 1 }, NAME).get);
  const agent = () => {
    start(recordTools({ get: async () => 2 }, NAME).get);
    return later;
  };
  expect(await studio.ask(studio.open('replay'), agent)).toBe(1);
});

/** One call at a time, each in the async context of the one before, as p-queue 8 and fastq call. */
function makeQueue() {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  const next = () => {
    const job = waiting.shift();
    isBusy = job !== undefined;
    job?.();
  };
  return <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((done, fail) => {
      waiting.push(() => void call().then(done, fail).finally(next));
      if (!isBusy) next();
    });
}

/** Takes jobs in the async context of the first, for ever. */
function makeWorker() {
  const jobs: (() => unknown)[] = [];
  let wake = () => {};
  let isStarted = false;
  const work = async () => {
    for (;;) {
      if (jobs.length === 0) await new Promise<void>((done) => (wake = done));
      await jobs.shift()?.();
    }
  };
  return <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((done, fail) => {
      jobs.push(() => (async () => call())().then(done, fail));
      if (!isStarted) void work();
      isStarted = true;
      wake();
    });
}

const IDS = ['a', 'b', 'c'];

test('a queue of the agent moves no call to another case', async () => {
  const studio = new Studio();
  const askAll = (mode: ToolsSetting['mode'], wrapOnce: boolean) => {
    const tools = studio.open(mode);
    const queue = makeQueue();
    let memo: { get(): Promise<string> } | null = null;
    const agent = (id: string) => () => {
      const wrap = () => recordTools({ get: () => sleep(2, `of ${mode} ${id}`) }, NAME);
      memo = wrapOnce ? (memo ?? wrap()) : wrap();
      const { get } = memo;
      return wrapOnce ? get() : queue(get);
    };
    return Promise.all(IDS.map((id) => studio.ask(tools, agent(id), { id, trial: 1 })));
  };
  await askAll('record', false);
  expect(studio.read().map(({ id, result }) => [id, result])).toEqual(
    IDS.map((id) => [id, `of record ${id}`]),
  );
  expect(await askAll('replay', false)).toEqual(IDS.map((id) => `of record ${id}`));
  // Tools that the first case wraps for all: each call is one of the case around it.
  expect(await askAll('replay', true)).toEqual(IDS.map((id) => `of record ${id}`));
});

test('calls that belong to no case are counted, and errors of the cases that may have made them', async () => {
  const studio = new Studio();
  const tools = recordTools({ get: async (id: string) => id }, NAME);
  const askAll = async (mode: ToolsSetting['mode']) => {
    const asked = studio.open(mode);
    const inWorker = makeWorker();
    const answers = [];
    for (const id of IDS)
      answers.push(
        await studio.ask(asked, () => inWorker(() => tools.get(id)).catch(() => 'fine'), {
          id,
          trial: 1,
        }),
      );
    const { remarks } = asked.adapt({ name: 'a', answer: async () => ({ output: '' }) });
    return { answers, texts: remarks?.().map(({ text }) => text) };
  };
  expect(await askAll('record')).toMatchObject({
    answers: IDS,
    texts: [
      expect.stringContaining('1 call recorded'),
      '2 calls of get belonged to no case, so nothing of them is recorded: wrap the tools inside the agent',
    ],
  });
  onTestFinished(() => refuseOutside(false));
  refuseOutside(true);
  const { answers, texts } = await askAll('replay');
  const refused = expect.stringContaining('ERROR: EVAL_TOOLS=replay: the tool "get" was called');
  expect(answers).toEqual(['a', refused, refused]);
  expect(texts).toEqual([expect.stringContaining('2 calls of get belonged to no case')]);
});

test('mocks answer for tools, and a tool without a mock is an error of the case', async () => {
  const studio = new Studio();
  const real = { get: async ({ id }: { id: number }) => ({ id, by: 'tool' }), drop: async () => 1 };
  const agent = async () => {
    const tools = recordTools(mockTools(real, { get: ({ id }) => ({ id, by: 'mock' }) }), NAME);
    return [await tools.get({ id: 3 }), await tools.drop().catch(() => null)];
  };
  const outcome = await studio.outcomeOf(studio.open('record'), agent);
  if (outcome.outcome !== 'failed') throw new Error('it must fail');
  expect(outcome.error.message).toBe(
    'The tool "drop" was called, and mockTools has no mock of it.',
  );
  expect(outcome.error.progress).toMatchObject({
    toolCalls: { live: 0, replayed: 0, mocked: 2 },
    trace: [
      { tool_calls: [{ name: 'get', arguments: '{"id":3}', result: '{"id":3,"by":"mock"}' }] },
      { tool_calls: [{ name: 'drop', failed: true }] },
    ],
  });
  expect(studio.read()).toEqual([]);
  const [search] = mockTools(
    [{ type: 'function', name: 'search', invoke: async (_: unknown, _text: string) => 'tool' }],
    {
      search: ({ q }) => `mock ${q}`,
    },
  );
  expect(await studio.ask(studio.open('off'), () => search?.invoke({}, '{"q":"x"}'))).toBe(
    'mock x',
  );
});

test.each([
  ['none was called', () => void mockTools({ get: async () => 1 }, {}), []],
  ['no tool is wrapped', () => 'x', undefined],
])('a trace says that %s', async (_, agent, trace) => {
  const outcome = await new Studio().outcomeOf(new Studio().open('off'), () => agent() ?? 'x');
  expect(outcome.outcome === 'answered' && outcome.answer.trace).toEqual(trace);
  expect(outcome).not.toHaveProperty('answer.toolCalls');
});

test.each<[string, readonly string[]]>([
  ['an agent that reports texts alone', ['get', 'said']],
  ['an agent that reports its calls', ['own', 'said']],
])('the trace of %s', async (name, shown) => {
  const isOwn = name.endsWith('calls');
  const trace = parseSteps([
    ...(isOwn ? [{ tool_calls: [{ name: 'own' }] }] : []),
    { text: 'said' },
  ]);
  const tools = new Studio().open('off');
  const outcome = await tools.ask(
    { id: 'a', trial: 1 },
    async () => {
      await recordTools({ get: async () => 1 }, NAME).get();
      return { outcome: 'answered', answer: { output: '', trace: trace ?? [] }, ...TIMES };
    },
    () => {},
  );
  const steps = outcome.outcome === 'answered' ? outcome.answer.trace : [];
  expect(steps?.map(({ text, tool_calls }) => text ?? tool_calls[0]?.name)).toEqual(shown);
});

test('the key of an answer has the mode and the recordings, if they are replayed', async () => {
  const studio = new Studio();
  const agent = {
    name: 'a',
    fingerprint: 'f',
    parts: { 'a.ts': '1' },
    answer: async () => ({ output: '' }),
  };
  const keyOf = (mode: ToolsSetting['mode']) => studio.open(mode).adapt(agent).fingerprint;
  const before = keyOf('replay');
  await studio.ask(studio.open('record'), () => recordTools({ get: async () => 1 }, NAME).get());
  const keys = [agent.fingerprint, before, keyOf('replay'), keyOf('auto')];
  expect(new Set(keys).size).toBe(4);
  expect([keyOf('off'), keyOf('record')]).toEqual(['f', 'f']);
  expect(Object.keys(studio.open('replay').adapt(agent).parts ?? {})).toEqual([
    'a.ts',
    'EVAL_TOOLS',
    expect.stringContaining('__recordings__/shop.jsonl'),
  ]);
  // Of an agent whose code names others, they are no part.
  for (const [name, changes] of [
    ['shop', true],
    ['other', false],
  ] as const)
    expect(
      studio.open('replay').adapt({ ...agent, recordings: [name] }).fingerprint !== before,
    ).toBe(changes);
  writeFileSync(studio.file, 'damaged\n');
  expect(keyOf('off')).toBe('f');
  for (const mode of ['record', 'replay', 'auto'] as const)
    expect(() => keyOf(mode)).toThrow('shop.jsonl:1: this line is not JSON.');
});

test('recordings that cannot be written stop the run, and the answer stays', async () => {
  const studio = new Studio();
  writeFileSync(join(studio.evalFile, '../..', 'evals'), '');
  const agent = () => recordTools({ get: async () => 1 }, NAME).get();
  expect(await studio.ask(studio.open('record'), agent)).toBe(1);
  expect(studio.losses).toEqual([expect.stringContaining('evals')]);
});

test.each<[ToolsSetting['mode'], () => unknown, readonly string[]]>([
  ['off', () => 1, []],
  ['replay', () => 1, ['EVAL_TOOLS=replay, but no tool of recordTools was called']],
  ['record', () => recordTools({ get: async () => 1 }, NAME).get(), ['1 call recorded in ']],
])('after %s the report says what became of the tools', async (mode, agent, texts) => {
  const studio = new Studio();
  const tools = studio.open(mode);
  await studio.ask(tools, agent);
  const remarks =
    tools.adapt({ name: 'a', answer: async () => ({ output: '' }) }).remarks?.() ?? [];
  expect(remarks.map(({ text }) => text)).toEqual(
    texts.map((text) => expect.stringContaining(text)),
  );
});

test('agents that cannot wrap tools say that the setting does not reach these', () => {
  const agent = { name: 'a', answer: async () => ({ output: '' }) };
  expect(noteUnreached(agent, 'off')).toBe(agent);
  expect(noteUnreached(agent, 'replay').notes).toMatchObject([
    {
      kind: 'recorded tools',
      text: expect.stringContaining('EVAL_TOOLS=replay does not reach its tools'),
    },
  ]);
});
