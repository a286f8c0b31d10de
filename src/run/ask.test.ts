import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AnswerCache } from '../store/cache.ts';
import { type Agent, AgentError, type Answer, type Progress } from '../words/answer.ts';
import { STEP, toAsked } from '../words/types.fixture.ts';
import { ask, askWhenFree, findKnown } from './ask.ts';
import { Budget } from './budget.ts';
import { CALL, makeLane } from './lanes.fixture.ts';
import { ProviderQueue } from './queue.ts';

const question = toAsked('why?');
describe('a deadline that passes', () => {
  const short = { ...CALL, deadlineMs: 30 };
  const askWaiting = (progress: Progress) => {
    const answer: Agent['answer'] = (_, { onProgress }) => {
      onProgress?.(progress);
      return new Promise<never>(() => {});
    };
    return askWhenFree(makeLane({ agent: { answer } }), question, null, short);
  };

  test('is a timeout of the agent, also while other calls are refused', async () => {
    const lane = makeLane();
    lane.queue.slowDown();
    const outcome = await askWhenFree(lane, question, null, short);
    expect(outcome).toMatchObject({ error: { kind: 'timed_out' }, latency_ms: 30 });
  });

  test('keeps what a call had used up', async () => {
    expect(await askWaiting({ costUsd: 0.5 })).toMatchObject({
      error: { kind: 'timed_out', progress: { costUsd: 0.5 } },
      latency_ms: 30,
    });
  });

  test.each([
    [
      'server',
      503,
      'the server had answered 503 (server h:1, request r1), and the call waited for its retry',
    ],
    ['network', null, 'the connection had failed (server h:1), and the call waited for its retry'],
    ['rate_limit', 429, 'Lower EVAL_CONCURRENCY or ask for a higher limit'],
  ] as const)(
    'while its call waits for its retry after a %s error is that error',
    async (kind, status, said) => {
      const requestId = status === null ? null : 'r1';
      const outcome = await askWaiting({
        backOff: { kind, status, requestId, server: 'h:1' },
        steps: 2,
      });
      const error = {
        kind,
        status,
        requestId,
        message: expect.stringContaining(said),
        progress: { steps: 2 },
      };
      expect(outcome).toMatchObject({ outcome: 'failed', latency_ms: null, error });
    },
  );
});

test('a question that a replayed run did not ask is not asked now', async () => {
  const answer = () => Promise.reject(new Error('asked'));
  const lane = makeLane({ agent: { replayAnswer: () => null, answer } });
  expect(findKnown(lane, 'a', 1, null)).toBeNull();
  expect(await askWhenFree(lane, question, null, CALL)).toEqual({
    outcome: 'not_asked',
    reason: 'not_recorded',
  });
});

test('an answer without a cost ends the budget', async () => {
  const budget = new Budget(1, 0);
  const answer = async () => ({ output: '17', latencyMs: 1 });
  await askWhenFree(
    makeLane({ agent: { fingerprint: 'f', answer }, budget }),
    question,
    null,
    CALL,
  );
  expect(budget.findStop()).toContain('an answer of fake came without cost and token counts');
});

const CHECK = 'Check the API key and what it may use.';

test.each([
  ['auth', 401, `(401, auth). ${CHECK}`],
  ['auth', 403, `(403, auth). ${CHECK}`],
  ['quota', null, '(quota). Top up the account or raise its limit.'],
] as const)(
  'an error %s with status %j stops its server, 403 its own agent alone, and a gated report hides the message',
  async (kind, status, said) => {
    const answer = () => Promise.reject(new AgentError(kind, 'cannot pay for: why?', { status }));
    const stop = async (isHidden: boolean) => {
      const lane = makeLane({ agent: { answer }, isHidden });
      await askWhenFree(lane, question, null, CALL);
      return ['fake', 'another'].map((name) => lane.queue.whyStopped(name));
    };
    const [why, other] = await stop(false);
    expect(why).toBe('fake was refused: cannot pay for: why?');
    expect(other).toBe(status === 403 ? null : why);
    expect((await stop(true))[0]).toBe(
      `fake was refused ${said} Set EVAL_SHOW_GATED=1 to see the message; samples.jsonl has it.`,
    );
  },
);

const key = { agent: 'a', prompt: 'p', question: 'q', steps: null, deadline: 0, trial: 1 };

/** An agent that answers at once, and whose answers are cached in `folder`. */
function makeKeeping(folder: string) {
  const asked: string[] = [];
  const answer: Agent['answer'] = async ({ id }) => {
    asked.push(id);
    return { output: 'x' };
  };
  const queue = new ProviderQueue({ concurrency: 1, budget: null, pilot: false });
  const cache = new AnswerCache(folder);
  return { asked, lane: makeLane({ agent: { fingerprint: 'f', answer }, queue, cache }) };
}

test('stops asking when no answer can be cached, and grades the one that it has', async () => {
  const { asked, lane } = makeKeeping(join(makeFolder({ file: '' }), 'file/cache'));
  const outcomes = await Promise.all(
    ['a', 'b', 'c'].map((id) => askWhenFree(lane, { ...question, id }, key, CALL)),
  );
  expect(outcomes[0]).toMatchObject({
    outcome: 'answered',
    answer: { output: 'x' },
    attempts: 1,
  });
  expect(outcomes.slice(1)).toEqual([1, 2].map(() => ({ outcome: 'not_asked', reason: 'disk' })));
  expect(asked).toEqual(['a']);
  expect(lane.queue.whyStopped('fake')).toMatch(
    /^An answer cannot be cached in .+file\/cache: a file .+ \(ENOTDIR\)\. Move that file away, and run/,
  );
});

describe('keys in what an agent says', () => {
  const SECRET = 'local-key-12345';
  const secrets = [SECRET];

  test('are hidden in an answer and its trace, asked or recorded', async () => {
    const sent = {
      messages: [{ role: 'user' as const, text: `…${SECRET.slice(0, 9)}…` }],
      tools: [SECRET],
    };
    const said: Answer = { output: `It is ${SECRET}`, trace: [{ ...STEP, text: SECRET }], sent };
    const shown = { messages: [{ text: '…[key]…' }], tools: ['[key]'] };
    const hidden = { answer: { output: 'It is [key]', trace: [{ text: '[key]' }], sent: shown } };
    const lane = makeLane({ agent: { answer: async () => said }, secrets });
    expect(await askWhenFree(lane, question, null, CALL)).toMatchObject(hidden);
    const replay = makeLane({ agent: { replayAnswer: () => said }, secrets });
    expect(findKnown(replay, 'q', 1, null)).toMatchObject(hidden);
  });

  test('are hidden in the message, request id, progress, causes and stacks of a failure', async () => {
    const cause = new Error(`wrong ${SECRET}`, { cause: new TypeError(SECRET) });
    const facts = {
      cause,
      progress: { steps: 2, model: SECRET },
      status: 7,
      requestId: `r ${SECRET}`,
    };
    const answer = () => Promise.reject(new AgentError('agent_crash', `no: ${SECRET}`, facts));
    const outcome = await askWhenFree(
      makeLane({ agent: { answer }, secrets }),
      question,
      null,
      CALL,
    );
    expect(outcome).toMatchObject({
      error: {
        ...{ kind: 'agent_crash', message: 'no: [key]', status: 7, requestId: 'r [key]' },
        progress: { steps: 2, model: '[key]' },
        cause: {
          message: 'wrong [key]',
          stack: expect.stringContaining('wrong [key]'),
          cause: { message: '[key]' },
        },
      },
    });
  });
});

test('a suite that stops asking gives its reason to each question that waits for a slot', async () => {
  let asked = 0;
  let why: string | null = null;
  const answer = async () => {
    asked++;
    why = 'No judge is named.';
    return { output: 'x' };
  };
  const findStop = () => {
    return why === null ? null : ({ outcome: 'not_asked', reason: 'score', why } as const);
  };
  const lane = makeLane({ agent: { answer } });
  const ask = () => askWhenFree(lane, question, null, { ...CALL, findStop });
  const stopped = { outcome: 'not_asked', reason: 'score', why: 'No judge is named.' };
  const [first, ...others] = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(first).toMatchObject({ outcome: 'answered' });
  expect(others.slice(-2)).toEqual([stopped, stopped]);
  expect(asked).toBeLessThanOrEqual(2);
});

describe('ask', () => {
  test('leaves out the time that the agent waited for its provider', async () => {
    const answer = () => sleep(2500, { output: 'x', waitedMs: 2490 });
    const asked = await ask({ name: 'fake', answer }, question, CALL);
    expect(asked).toMatchObject({ answer: { waitedMs: 2490 } });
    expect(asked.latency_ms ?? 0).toBeLessThan(2400);
  });

  test('calls it a crash when an agent throws', async () => {
    const answer = () => Promise.reject(new TypeError('x is not a function'));
    const error = { kind: 'agent_crash', message: 'TypeError: x is not a function' };
    const asked = await ask({ name: 'fake', answer }, question, CALL);
    expect(asked).toMatchObject({ outcome: 'failed', error });
  });
});
