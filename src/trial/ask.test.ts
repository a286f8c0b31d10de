import { describe, expect, test } from 'vitest';
import { type Agent, AgentError, type Answer, type Question } from '../types.ts';
import { ask } from './ask.ts';
import { Interrupted } from './deadline.ts';
import { Workdir } from './workdir.ts';

const question: Question = { id: 'q', suite: 'gaia', input: 'why?', prompt: 'why?', group: 'level 1', attachments: [] };
const options = {
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
    const asked = await ask(slow, question, options);
    expect(asked).toMatchObject({ outcome: 'answered', answer: { text: 'x' } });
    expect(asked.latencyMs).toBeGreaterThan(20);
  });

  test('leaves out the time that the agent waited for its provider', async () => {
    const waiting = agent(async () => ({ text: 'x', waitedMs: 1_000_000 }));
    expect((await ask(waiting, question, options)).latencyMs).toBe(0);
  });

  test('keeps a recorded latency, an unknown one included', async () => {
    expect(
      (
        await ask(
          agent(async () => ({ text: 'x', latencyMs: 7 })),
          question,
          options,
        )
      ).latencyMs,
    ).toBe(7);
    expect(
      (
        await ask(
          agent(async () => ({ text: 'x', latencyMs: null })),
          question,
          options,
        )
      ).latencyMs,
    ).toBeNull();
  });

  test('censors a time-out at its deadline', async () => {
    const asked = await ask(
      agent(() => new Promise(() => {})),
      question,
      { ...options, deadlineMs: 25 },
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
    const asked = await ask(stuck, question, { ...options, deadlineMs: 25 });
    expect(asked).toMatchObject({ error: { kind: 'timed_out', progress: { usage, cost: 0.5 } }, latencyMs: 25 });
  });

  test('keeps the deadline of a recorded time-out', async () => {
    const recorded = agent(async () => Promise.reject(new AgentError('timed_out', 'late', { latencyMs: 180_000 })));
    expect(await ask(recorded, question, options)).toMatchObject({ outcome: 'failed', latencyMs: 180_000 });
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
      options,
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
    expect(await ask(reading, question, { ...options, workdir })).toMatchObject({
      error: { kind: 'machine', message },
    });
  });

  test('tells a cancelled run from a failure', async () => {
    const never = agent(() => new Promise(() => {}));
    const asked = ask(never, question, { ...options, cancelled: AbortSignal.abort() });
    await expect(asked).rejects.toBeInstanceOf(Interrupted);
  });
});
