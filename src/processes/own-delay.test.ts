import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { countWork, OwnDelay, takeTurn } from './own-delay.ts';

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** The delays of calls that begin together and take `sleepMs`, then `busyMs` of computing. */
function watchCalls(calls: number, sleepMs: number, busyMs: number): Promise<readonly number[]> {
  const call = async () => {
    const delay = new OwnDelay();
    await delay.watch(async () => {
      await sleep(sleepMs);
      block(busyMs);
    });
    return delay.ms;
  };
  return Promise.all(Array.from({ length: calls }, call));
}

test('counts how long a call waited while others kept the event loop busy', async () => {
  const delays = await watchCalls(20, 30, 20);
  // They wait 0 to 380 ms for each other, and for themselves never.
  expect(Math.min(...delays)).toBeLessThan(15);
  expect(Math.max(...delays)).toBeGreaterThan(150);
  expect(Math.max(...delays)).toBeLessThan(2400);
});

test('counts nothing of a call that is alone, whatever it computes', async () => {
  expect(await watchCalls(1, 30, 40)).toEqual([0]);
});

test('counts half of the turn in which a reply came while others computed', async () => {
  const delay = new OwnDelay();
  const isOver = Promise.withResolvers<void>();
  const other = new OwnDelay().watch(() => isOver.promise);
  await takeTurn();
  // It comes at once, and is taken in the turn after this one.
  const reply = delay.watch(() => stat('.'));
  block(200);
  await reply;
  isOver.resolve();
  await other;
  expect(delay.ms).toBeGreaterThan(40);
  expect(delay.ms).toBeLessThan(2200);
});

test('counts the work of viva, also for the last reply', async () => {
  const [first, last] = [new OwnDelay(), new OwnDelay()];
  const replies = [first, last].map((delay) => delay.watch(() => sleep(20)));
  await takeTurn();
  block(200);
  countWork();
  await Promise.all(replies);
  for (const { ms } of [first, last]) expect(ms).toBeGreaterThan(80);
});

test('gives everybody a turn, in the order of coming', async () => {
  const order: number[] = [];
  const take = async (index: number) => {
    await takeTurn();
    order.push(index);
  };
  const all = Array.from({ length: 300 }, (_, index) => index);
  await Promise.all(all.map(take));
  expect(order).toEqual(all);
});
