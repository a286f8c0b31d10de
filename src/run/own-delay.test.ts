import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withMessages } from '../text/conversation.ts';
import type { Agent, Question } from '../types.ts';
import { watchDelay } from './own-delay.ts';

const head = { id: 'q', suite: 's', input: 'why?', group: 'all', attachments: [] };
const question: Question = { ...head, ...withMessages('why?') };

/** An agent whose answers come after 30 ms and keep the event loop busy for 20 ms each. */
const busy: Agent = {
  name: 'busy',
  remarks: () => ['its own remark'],
  answer: async () => {
    await sleep(30);
    const end = performance.now() + 20;
    while (performance.now() < end);
    return { output: 'x' };
  },
};

const context = { signal: new AbortController().signal, workdir: '', trial: 1, maxSteps: null };

test('says how long answers waited while others kept the event loop busy', async () => {
  const agent = watchDelay(busy);
  await Promise.all(Array.from({ length: 20 }, () => agent.answer(question, context)));
  const [said = '', own] = agent.remarks?.() ?? [];
  const [, ms = ''] =
    /^the latency includes about (\d+) ms .* with up to 20 calls at once\. Lower EVAL_CONCURRENCY/.exec(
      said,
    ) ?? [];
  // The calls wait 0 to 380 ms for each other.
  expect(Number(ms)).toBeGreaterThan(100);
  expect(Number(ms)).toBeLessThan(8000);
  expect(own).toBe('its own remark');
});

test('says nothing of calls that come one by one', async () => {
  const agent = watchDelay(busy);
  for (let call = 0; call < 3; call++) await agent.answer(question, context);
  expect(agent.remarks?.()).toEqual(['its own remark']);
});
