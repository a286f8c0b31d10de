import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AnswerCache } from '../store/cache.ts';
import { type Agent, AgentError, type Answer, type Question } from '../types.ts';
import { ask, Interrupted, obtain, type Station, withDeadline } from './ask.ts';
import { CachedAnswers } from './lane.ts';
import { Budget, ProviderGate } from './limits.ts';
import { Workdir } from './workdir.ts';

const question: Question = { id: 'q', suite: 'gaia', input: 'why?', prompt: 'why?', group: 'level 1', attachments: [] };
const options = {
  trial: 1,
  deadlineMs: 30,
  maxSteps: null,
  workdir: new Workdir([]),
  cancelled: new AbortController().signal,
};

/** A station whose agent never answers; `meanwhile` is what its provider does. */
function makeStation(meanwhile: (gate: ProviderGate) => void): Station {
  const gate = new ProviderGate({ concurrency: 2, budget: null, pilot: false });
  const answer = () => {
    meanwhile(gate);
    return new Promise<never>(() => {});
  };
  return { agent: { name: 'fake', answer }, gate, budget: null, answers: null };
}

describe('a deadline that runs out', () => {
  test('is a time-out of the agent', async () => {
    const obtained = await obtain(
      makeStation(() => {}),
      question,
      null,
      options,
    );
    expect(obtained).toMatchObject({ outcome: 'failed', error: { kind: 'timed_out' }, latencyMs: 30 });
  });

  test.each([
    ['server', 503, 'the server had answered 503 (server h:1, request r1) and the call was to be repeated'],
    ['network', null, 'the connection had failed (server h:1) and the call was to be repeated'],
  ] as const)(
    'while its own call was put off for a %s error is that error, and no latency',
    async (kind, status, said) => {
      const requestId = status === null ? null : 'r1';
      const station = makeStation(() => {});
      const answer: Agent['answer'] = (_, { onProgress }) => {
        onProgress?.({ backOff: { kind, status, requestId, server: 'h:1' }, steps: 2 });
        return new Promise<never>(() => {});
      };
      const obtained = await obtain({ ...station, agent: { name: 'fake', answer } }, question, null, options);
      const error = { kind, status, requestId, message: expect.stringContaining(said), progress: { steps: 2 } };
      expect(obtained).toMatchObject({ outcome: 'failed', latencyMs: null, error });
    },
  );

  test('while its own call was refused for its rate is that, and says what to lower', async () => {
    const station = makeStation((gate) => gate.slowDown());
    const answer: Agent['answer'] = (_, { onProgress }) => {
      onProgress?.({ backOff: { kind: 'rate_limit', status: 429, requestId: null } });
      return new Promise<never>(() => {});
    };
    const obtained = await obtain({ ...station, agent: { name: 'fake', answer } }, question, null, options);
    const message = expect.stringContaining('the call was to be repeated. Lower EVAL_CONCURRENCY, or run it again');
    expect(obtained).toMatchObject({ outcome: 'failed', latencyMs: null, error: { kind: 'rate_limit', message } });
  });

  test('while calls beside it are refused is a time-out all the same', async () => {
    const station = makeStation((gate) => gate.slowDown());
    const obtained = await obtain(station, question, null, options);
    expect(obtained).toMatchObject({ outcome: 'failed', error: { kind: 'timed_out' }, latencyMs: 30 });
  });
});

test.each([
  ['a model', { provider: 'openai' }, 'Use a server that reports usage'],
  ['a module', {}, 'Return one of them with each answer'],
])('a budget that ends with an answer of %s without a cost says what to do', async (_, extra, remedy) => {
  const budget = new Budget(1, 0);
  const agent: Agent = { name: 'a', fingerprint: 'f', ...extra, answer: async () => ({ text: '17', latencyMs: 1 }) };
  await obtain({ ...makeStation(() => {}), agent, budget }, question, null, options);
  expect(budget.stopped).toContain(remedy);
});

describe('a refused key or an empty account', () => {
  test.each([
    ['auth', 401, '401, auth', 'Check the API key'],
    ['quota', null, 'quota', 'Top up the account'],
  ] as const)('%s is told in words of ours where records are gated', async (kind, status, what, remedy) => {
    const answer = () => Promise.reject(new AgentError(kind, 'cannot pay for: why?', { status }));
    const station = { ...makeStation(() => {}), agent: { name: 'fake', answer } };
    await obtain(station, question, null, options);
    expect(station.gate.whyStopped('fake')).toBe('fake was refused: cannot pay for: why?');
    const gated = { ...makeStation(() => {}), agent: { name: 'fake', answer }, gated: true };
    await obtain(gated, question, null, options);
    const why = gated.gate.whyStopped('fake') ?? '';
    expect(why).toContain(`fake was refused (${what}). ${remedy}`);
    expect(why).toContain('Set EVAL_SHOW_GATED=1 to see the message; samples.jsonl has it.');
    expect(why).not.toContain('why?');
  });
});

describe('a disk that takes no answer', () => {
  const parts = { agent: 'a', prompt: 'p', question: 'q', limits: 'l', trial: 1 };

  /** An agent that answers at once, and whose answers would be kept in `folder`. */
  function makeKeeping(folder: string) {
    const asked: string[] = [];
    const agent: Agent = {
      name: 'fake',
      fingerprint: 'f',
      answer: async ({ id }) => {
        asked.push(id);
        return { text: 'x' };
      },
    };
    const gate = new ProviderGate({ concurrency: 1, budget: null, pilot: false });
    const answers = new CachedAnswers(new AnswerCache(folder), 'on', (why) => gate.stop('disk', why));
    return { asked, station: { agent, gate, budget: null, answers } };
  }

  test('stops the asking in words; the answer in hand is there to be graded', async () => {
    const { asked, station } = makeKeeping(join(makeFolder({ file: '' }), 'file', 'cache'));
    const ids = ['a', 'b', 'c'];
    const obtained = await Promise.all(ids.map((id) => obtain(station, { ...question, id }, parts, options)));
    expect(obtained[0]).toMatchObject({ outcome: 'answered', answer: { text: 'x' }, attempts: 1 });
    expect(obtained.slice(1)).toEqual([1, 2].map(() => ({ outcome: 'not_asked', reason: 'disk' })));
    expect(asked).toEqual(['a']);
    expect(station.gate.whyStopped('fake')).toMatch(
      /^An answer cannot be kept in \S+file\/cache \(.+\)\. Make it a folder/,
    );
  });

  test('is the only one that stops it', async () => {
    const { asked, station } = makeKeeping(makeFolder());
    await Promise.all(
      ['a', 'b'].map((id) => obtain(station, { ...question, id }, { ...parts, question: id }, options)),
    );
    expect(asked).toEqual(['a', 'b']);
    expect(station.answers.find({ ...parts, question: 'b' })).toMatchObject({ cached: true });
  });
});

const askOptions = {
  trial: 1,
  deadlineMs: 1000,
  maxSteps: null,
  workdir: new Workdir([]),
  cancelled: new AbortController().signal,
};

function agent(answer: () => Promise<Answer>): Agent {
  return { name: 'fake', answer };
}

describe('ask', () => {
  test('times the agent', async () => {
    const slow = agent(() => new Promise((resolve) => setTimeout(() => resolve({ text: 'x' }), 30)));
    const asked = await ask(slow, question, askOptions);
    expect(asked).toMatchObject({ outcome: 'answered', answer: { text: 'x' } });
    expect(asked.latencyMs).toBeGreaterThan(20);
  });

  test('leaves out the time that the agent waited for its provider', async () => {
    const waiting = agent(async () => ({ text: 'x', waitedMs: 1_000_000 }));
    expect((await ask(waiting, question, askOptions)).latencyMs).toBe(0);
  });

  test('keeps a recorded latency, an unknown one included', async () => {
    expect(
      (
        await ask(
          agent(async () => ({ text: 'x', latencyMs: 7 })),
          question,
          askOptions,
        )
      ).latencyMs,
    ).toBe(7);
    expect(
      (
        await ask(
          agent(async () => ({ text: 'x', latencyMs: null })),
          question,
          askOptions,
        )
      ).latencyMs,
    ).toBeNull();
  });

  test('censors a time-out at its deadline', async () => {
    const asked = await ask(
      agent(() => new Promise(() => {})),
      question,
      { ...askOptions, deadlineMs: 25 },
    );
    expect(asked).toMatchObject({ outcome: 'failed', error: { kind: 'timed_out' }, latencyMs: 25 });
  });

  test('keeps what a call had used up when it was cut off', async () => {
    const usage = { input_tokens: 9, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 };
    const stuck: Agent = {
      name: 'stuck',
      answer: (_, { onProgress }) => {
        onProgress?.({ usage, cost: 0.5 });
        return new Promise(() => {});
      },
    };
    const asked = await ask(stuck, question, { ...askOptions, deadlineMs: 25 });
    expect(asked).toMatchObject({ error: { kind: 'timed_out', progress: { usage, cost: 0.5 } }, latencyMs: 25 });
  });

  test('keeps the deadline of a recorded time-out', async () => {
    const recorded = agent(async () => Promise.reject(new AgentError('timed_out', 'late', { latencyMs: 180_000 })));
    expect(await ask(recorded, question, askOptions)).toMatchObject({ outcome: 'failed', latencyMs: 180_000 });
  });

  test.each([
    ['an error', new TypeError('x is not a function'), 'TypeError: x is not a function'],
    ['a text', 'broken', "'broken'"],
    ['nothing', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
  ])('calls it a crash when an agent throws %s', async (_, thrown, message) => {
    const asked = await ask(
      agent(() => Promise.reject(thrown)),
      question,
      askOptions,
    );
    expect(asked).toMatchObject({ outcome: 'failed', error: { kind: 'agent_crash', message } });
  });

  test.each([
    ['passes on', (error: unknown) => error],
    ['words anew', () => new Error('no folder for me')],
  ])('blames the machine for a work folder that cannot be made, which the agent %s', async (_, toThrown) => {
    const workdir = new Workdir([{ name: 'a.csv', path: '/nope/a.csv' }]);
    const reading: Agent = {
      name: 'reading',
      answer: async (_, context) => {
        try {
          return { text: context.workdir };
        } catch (error) {
          throw toThrown(error);
        }
      },
    };
    const message = expect.stringMatching(/^The work folder of this question cannot be made \(ENOENT/);
    expect(await ask(reading, question, { ...askOptions, workdir })).toMatchObject({
      error: { kind: 'machine', message },
    });
  });

  test('tells a cancelled run from a failure', async () => {
    const never = agent(() => new Promise(() => {}));
    const asked = ask(never, question, { ...askOptions, cancelled: AbortSignal.abort() });
    await expect(asked).rejects.toBeInstanceOf(Interrupted);
  });
});

const never = new AbortController().signal;

describe('withDeadline', () => {
  test('gives what the work gives', async () => {
    await expect(withDeadline(1000, never, async () => 'done')).resolves.toBe('done');
  });

  test('passes on what the work throws, also when it throws at once', async () => {
    const thrown = withDeadline(1000, never, () => {
      throw new Error('broken');
    });
    await expect(thrown).rejects.toThrow('broken');
  });

  test('aborts the signal at the deadline', async () => {
    let seen: unknown;
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          seen = signal.reason;
          reject(signal.reason);
        });
      });
    await expect(withDeadline(20, never, work)).rejects.toMatchObject({ kind: 'timed_out' });
    expect(seen).toBeInstanceOf(AgentError);
  });

  test('settles although the work ignores its signal and never settles', async () => {
    await expect(withDeadline(20, never, () => new Promise<never>(() => {}))).rejects.toThrow(
      'No answer within 0.02 s',
    );
  });

  test('drops what the work settles to late, an error included', async () => {
    const late = withDeadline(10, never, async () => {
      await sleep(30);
      throw new Error('too late');
    });
    await expect(late).rejects.toMatchObject({ kind: 'timed_out' });
    // An unhandled rejection of the late work would fail this file.
    await sleep(40);
  });

  test('ends at once when the run is cancelled', async () => {
    const cancel = new AbortController();
    const pending = withDeadline(10_000, cancel.signal, () => new Promise<never>(() => {}));
    cancel.abort();
    await expect(pending).rejects.toBeInstanceOf(Interrupted);
  });

  test('does not wait in a run that was cancelled before', async () => {
    const pending = withDeadline(10_000, AbortSignal.abort(), () => new Promise<never>(() => {}));
    await expect(pending).rejects.toBeInstanceOf(Interrupted);
  });
});
