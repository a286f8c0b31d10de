import { describe, expect, test } from 'vitest';
import type { Agent, Question } from '../types.ts';
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
    ['server', 503, 'the server had answered 503 (request r1) and the call was to be repeated'],
    ['network', null, 'the connection had failed and the call was to be repeated'],
  ] as const)(
    'while its own call was put off for a %s error is that error, and no latency',
    async (kind, status, said) => {
      const requestId = status === null ? null : 'r1';
      const station = makeStation(() => {});
      const answer: Agent['answer'] = (_, { onProgress }) => {
        onProgress?.({ putOff: { kind, status, requestId }, steps: 2 });
        return new Promise<never>(() => {});
      };
      const obtained = await obtain({ ...station, agent: { name: 'fake', answer } }, question, null, options);
      const error = { kind, status, requestId, message: expect.stringContaining(said), progress: { steps: 2 } };
      expect(obtained).toMatchObject({ outcome: 'failed', latencyMs: null, error });
    },
  );

  test('while the provider refuses calls for their rate is no time-out, and no latency', async () => {
    const obtained = await obtain(
      makeStation((gate) => gate.slowDown()),
      question,
      null,
      options,
    );
    expect(obtained).toMatchObject({ outcome: 'failed', error: { kind: 'rate_limit', status: 429 }, latencyMs: null });
  });
});
