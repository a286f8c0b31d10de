import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AnswerCache } from '../runs/answer-cache.ts';
import { type Agent, AgentError, type Question } from '../types.ts';
import { CachedAnswers } from './cached-ask.ts';
import { obtain, type Station } from './obtain.ts';
import { ProviderGate } from './provider-gate.ts';
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
        onProgress?.({ putOff: { kind, status, requestId, server: 'h:1' }, steps: 2 });
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
      onProgress?.({ putOff: { kind: 'rate_limit', status: 429, requestId: null } });
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
    const { asked, station } = makeKeeping('/proc/nope');
    const ids = ['a', 'b', 'c'];
    const obtained = await Promise.all(ids.map((id) => obtain(station, { ...question, id }, parts, options)));
    expect(obtained[0]).toMatchObject({ outcome: 'answered', answer: { text: 'x' }, attempts: 1 });
    expect(obtained.slice(1)).toEqual([1, 2].map(() => ({ outcome: 'not_asked', reason: 'disk' })));
    expect(asked).toEqual(['a']);
    expect(station.gate.whyStopped('fake')).toMatch(
      /^An answer cannot be kept in \/proc\/nope \(.+\)\. Make it a folder/,
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
