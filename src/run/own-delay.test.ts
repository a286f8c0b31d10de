import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Agent } from '../words/answer.ts';
import { toAsked, UNLIMITED } from '../words/types.fixture.ts';
import { OwnDelay, watchDelay } from './own-delay.ts';

const OWN = { kind: 'own', text: 'its own remark' } as const;

/** An agent whose answers come after 30 ms and keep the event loop busy for 20 ms each. */
const busy: Agent = {
  name: 'busy',
  remarks: () => [OWN],
  answer: async () => {
    await sleep(30);
    const end = performance.now() + 20;
    while (performance.now() < end);
    return { output: 'x' };
  },
};

const ask = (agent: Agent) => agent.answer(toAsked('why?'), UNLIMITED);

test('says how long answers waited while others kept the event loop busy', async () => {
  const agent = watchDelay(busy);
  await Promise.all(Array.from({ length: 20 }, () => ask(agent)));
  const [said, own] = agent.remarks?.() ?? [];
  const [, ms = ''] =
    /^the latency includes about (\d+) ms .* with up to 20 calls at once\. Lower EVAL_CONCURRENCY/.exec(
      said?.text ?? '',
    ) ?? [];
  // The calls wait 0 to 380 ms for each other.
  expect(Number(ms)).toBeGreaterThan(100);
  expect(Number(ms)).toBeLessThan(8000);
  expect(own).toBe(OWN);
});

test('says nothing about calls that come one by one', async () => {
  const agent = watchDelay(busy);
  for (let call = 0; call < 3; call++) await ask(agent);
  expect(agent.remarks?.()).toEqual([OWN]);
});

/** What is said of calls that take these milliseconds of clock time and processor time. */
async function describeLoad(
  calls: number,
  clockMs: number,
  cpuMs: number,
): Promise<readonly string[]> {
  let now = { clock: 5000, cpu: 700 };
  const load = new OwnDelay(() => now);
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = Array.from({ length: calls }, () => load.watch(() => promise));
  now = { clock: now.clock + clockMs, cpu: now.cpu + cpuMs };
  resolve();
  await Promise.all(running);
  return load.listNotes().map(({ text }) => text);
}

const all = availableParallelism() * 1000;

test.each([
  ['is busy with calls beside each other', 20, 1000, 0.9 * all, true],
  ['is half idle', 20, 1000, 0.5 * all, false],
  ['says nothing', 20, 1000, 0, false],
])('a machine that %s', async (_, calls, clockMs, cpuMs, isSaid) => {
  const said = await describeLoad(calls, clockMs, cpuMs);
  expect(said).toHaveLength(isSaid ? 1 : 0);
  if (isSaid)
    expect(said[0]).toMatch(/^the latency measures this machine: .* Lower EVAL_CONCURRENCY/);
});
