import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type Agent,
  AgentError,
  type Answer,
  type AnswerContext,
  type Progress,
  UserFailed,
} from '../words/answer.ts';
import { withMessages } from '../words/conversation.ts';
import type { Message } from '../words/sample.ts';
import { STEP, toAsked } from '../words/types.fixture.ts';
import { ask } from './ask.ts';
import { CALL } from './lanes.fixture.ts';
import type { UserReply, UserSide } from './play-conversation.ts';

type Said = Partial<Answer> | AgentError;

/** Plays a script and then these replies of a simulated user with an agent that answers so. */
async function play(
  script: readonly string[],
  answers: readonly ((
    context: AnswerContext,
    messages: readonly Message[],
  ) => Said | Promise<Said>)[],
  replies: readonly (Partial<UserReply> | AgentError)[] | null = null,
  deadlineMs = 60_000,
  openConversation?: Agent['openConversation'],
) {
  let asked = 0;
  let spoken = 0;
  const seen: Progress[] = [];
  const agent: Agent = {
    name: 'a',
    answer: async ({ messages }, context) => {
      const said = await answers[asked++]?.(context, messages);
      if (said instanceof AgentError) throw said;
      return { output: 'ok', ...said };
    },
    ...(openConversation && { openConversation }),
  };
  const simulated: UserSide['simulated'] = replies && {
    name: 'u',
    maxTurns: 3,
    speak: async () => {
      const said = replies[spoken++] ?? { said: null };
      if (said instanceof AgentError) throw said;
      return { said: null, costUsd: 0.1, answersItself: false, ...said };
    },
  };
  const first = toAsked(script[0] ?? '');
  const user: UserSide = {
    script,
    simulated,
    toQuestion: (messages) => ({
      ...first,
      ...withMessages(messages.at(-1)?.content ?? ''),
      messages,
    }),
  };
  const listener = {
    onAsked: () => {},
    onProgress: (progress: Progress) => void seen.push(progress),
  };
  const limits = { ...CALL, deadlineMs, user, listener };
  const outcome = await ask(agent, first, limits).catch((error) => error);
  return { outcome, seen, asked };
}

const usage = { input_tokens: 10, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 };
const step = { ...STEP, text: 'ok', at_ms: 1 };

test('adds up what all replies used, and keeps the last one as the output', async () => {
  const { outcome } = await play(
    ['Hi', 'More'],
    [
      () => ({ output: 'one', costUsd: 1, usage, steps: 2, trace: [step] }),
      () => ({
        output: { two: 2 },
        costUsd: 2,
        usage,
        steps: 1,
        trace: [step],
        cutShort: 'max_tokens',
      }),
    ],
  );
  expect(outcome.answer).toMatchObject({
    output: { two: 2 },
    cutShort: 'max_tokens',
    costUsd: 3,
    steps: 3,
    usage: { input_tokens: 20 },
    conversation: { turns: 2, ended: 'turns' },
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'More' },
      { role: 'assistant', content: '{\n  "two": 2\n}' },
    ],
  });
  expect(outcome.answer.trace).toHaveLength(3);
});

test('ends with the user, adds the costs of both sides, and has no cost where one is unknown', async () => {
  const known = await play(
    ['Hi'],
    [() => ({ costUsd: 1 }), () => ({ costUsd: 1 })],
    [{ said: 'More' }],
  );
  expect(known.outcome.answer).toMatchObject({
    costUsd: 2.2,
    conversation: { turns: 2, ended: 'user', user: { cost_usd: 0.2, faults: [] } },
  });
  expect(known.outcome.answer.costEstimated).toBeUndefined();
  const priced = await play(['Hi'], [() => ({ costUsd: 1 })], [{ costEstimated: true }]);
  expect(priced.outcome.answer.costEstimated).toBe(true);
  const open = await play(['Hi'], [() => ({ costUsd: 1 })], [{ costUsd: undefined }]);
  expect(open.outcome.answer.costUsd).toBeUndefined();
  expect(open.outcome.answer.conversation.user.faults).toEqual(['says nothing']);
  expect(open.outcome.answer.conversation.user.cost_usd).toBeNull();
});

test('ends after a turn without an answer', async () => {
  const silent = await play(['Hi', 'More'], [() => ({ output: null, reason: 'refusal' })]);
  expect(silent.asked).toBe(1);
  expect(silent.outcome.answer).toMatchObject({
    output: null,
    reason: 'refusal',
    conversation: { ended: 'agent' },
  });
});

test('says that a conversation reached maxTurns, and that the user repeated itself', async () => {
  const same = { said: 'где заказ 17' };
  const answers = [() => ({}), () => ({}), () => ({})];
  const { outcome } = await play(['Где заказ 17?'], answers, [same, same, same]);
  expect(outcome.answer.conversation).toMatchObject({
    turns: 3,
    ended: 'max_turns',
    user: { faults: ['repeats itself'] },
  });
});

test('an error of a later turn keeps what the earlier ones cost', async () => {
  const { outcome, seen } = await play(
    ['Hi', 'More'],
    [
      () => ({ costUsd: 1, usage, trace: [step] }),
      (context) => {
        context.onProgress?.({ costUsd: 2, usage });
        return new AgentError('server', 'down');
      },
    ],
  );
  expect(outcome.error).toMatchObject({
    kind: 'server',
    message: 'down',
    progress: { costUsd: 3, conversation: { turns: 1, ended: 'agent' } },
  });
  expect(seen.at(-1)).toMatchObject({ costUsd: 3, usage: { input_tokens: 20 } });
});

test('the deadline counts the time of the agent alone, in all turns', async () => {
  const slow = async () => {
    await sleep(300);
    return {};
  };
  const { outcome } = await play(['Hi', 'More'], [slow, slow], null, 400);
  expect(outcome).toMatchObject({
    outcome: 'failed',
    error: { kind: 'timed_out' },
    latency_ms: 400,
  });
  expect(outcome.error.progress).toMatchObject({ conversation: { turns: 1 } });
});

test('the latency leaves out the time in which the agent closes its conversation', async () => {
  const close = () => sleep(3000);
  const open = () => ({ answer: async () => ({ output: 'ok' }), close });
  const { outcome } = await play(['Hi'], [], null, 60_000, open);
  // Null after a pause, as of a busy machine.
  expect(outcome.latency_ms ?? 0).toBeLessThan(2900);
});

test.each([
  [
    'fails',
    [new AgentError('quota', 'empty account', { progress: { costUsd: 0.5 } })],
    ['Hi'],
    1.5,
  ],
  ['ends before it says anything', [{ said: null }], [], 0.1],
])('a user who %s is not a failure of the agent', async (_, replies, script, cost) => {
  const { outcome } = await play(script, [() => ({ costUsd: 1 })], replies);
  expect(outcome).toBeInstanceOf(UserFailed);
  expect(outcome.cause.progress.costUsd).toBeCloseTo(cost);
});

test('other words with the same number are not a repetition, in any alphabet', async () => {
  const replies = [{ said: 'Верните деньги за 17' }, { said: null }];
  const { outcome } = await play(['Где заказ 17?'], [() => ({}), () => ({})], replies);
  expect(outcome.answer.conversation.user.faults).toEqual([]);
});

test('sends back what the agent said, and not what it thought', async () => {
  const seen: (readonly Message[])[] = [];
  const { outcome } = await play(
    ['Hi', 'More'],
    [
      () => ({ output: '<think>Who is it?</think>\nHello.' }),
      (_, messages) => {
        seen.push(messages);
        return { output: '<think>More?</think>Bye.' };
      },
    ],
  );
  expect(seen[0]?.[1]).toEqual({ role: 'assistant', content: 'Hello.' });
  expect(outcome.answer.output).toBe('<think>More?</think>Bye.');
  expect(outcome.answer.messages.at(-1)).toEqual({ role: 'assistant', content: 'Bye.' });
});

test('a reply of thoughts alone ends the conversation', async () => {
  const { outcome, asked } = await play(['Hi', 'More'], [() => ({ output: '<think>Who is it' })]);
  expect(asked).toBe(1);
  expect(outcome.answer).toMatchObject({
    output: '<think>Who is it',
    conversation: { turns: 1, ended: 'agent' },
  });
});
