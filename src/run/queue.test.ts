import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Budget } from './budget.ts';
import { ProviderQueue } from './queue.ts';

const plain = { budget: null, pilot: false };

/** Runs so many calls through a queue, and returns the most that ran at once. */
async function measurePeak(queue: ProviderQueue, calls: number, ms = 5): Promise<number> {
  let [running, peak] = [0, 0];
  const call = async () => {
    peak = Math.max(peak, ++running);
    await sleep(ms);
    running--;
  };
  await Promise.all(Array.from({ length: calls }, () => queue.run('a', call)));
  return peak;
}

describe('ProviderQueue', () => {
  test('runs as many calls at once as its limit allows, and no more', async () => {
    expect(await measurePeak(new ProviderQueue({ ...plain, concurrency: 4 }), 40)).toBe(4);
  });

  test('halves its limit once for refusals that come together, and never below one', async () => {
    const queue = new ProviderQueue({ ...plain, concurrency: 8 });
    queue.slowDown();
    queue.slowDown();
    expect(queue.concurrency).toBe(4);
    const single = new ProviderQueue({ ...plain, concurrency: 1 });
    single.slowDown();
    expect(single.concurrency).toBe(1);
  });

  test('grows by one for each round of successes, up to what it was', () => {
    const queue = new ProviderQueue({ ...plain, concurrency: 4 });
    queue.slowDown();
    const sizes = Array.from({ length: 8 }, () => {
      queue.speedUp();
      return queue.concurrency;
    });
    expect(sizes).toEqual([2, 3, 3, 3, 4, 4, 4, 4]);
  });

  test('lets nothing through once it is stopped, and says why', async () => {
    const queue = new ProviderQueue({ ...plain, concurrency: 2 });
    queue.stop('quota', 'used up');
    queue.stop('auth', 'no key');
    expect(queue.whyStopped('a')).toBe('used up');
    expect(await queue.run('a', async () => 'asked')).toBe('quota');
  });

  test.each([true, false])(
    'starts no waiting call of a cancelled run, with a pilot: %s',
    async (pilot) => {
      const budget = new Budget(9, 0);
      const queue = new ProviderQueue({ budget, pilot, concurrency: 1 });
      const cancel = new AbortController();
      const asked: string[] = [];
      const call = (id: string) => async () => {
        asked.push(id);
        cancel.abort();
        return id;
      };
      const ends = ['a', 'b', 'c'].map((id) =>
        queue.run('agent', call(id), { cancelled: cancel.signal }),
      );
      expect(await Promise.all(ends)).toEqual(['a', 'interrupted', 'interrupted']);
      expect(asked).toEqual(['a']);
    },
  );

  test('stops one agent alone, and sends each its own pilot', async () => {
    const queue = new ProviderQueue({ ...plain, pilot: true, concurrency: 4 });
    const asked: string[] = [];
    const call = (agent: string) => async () => {
      asked.push(agent);
      await sleep(5);
      if (agent === 'a') queue.stop('auth', 'a may not be used', 'a');
      return 'asked';
    };
    const ends = await Promise.all(
      ['a', 'b', 'a', 'b', 'a'].map((agent) => queue.run(agent, call(agent))),
    );
    expect(ends).toEqual(['asked', 'asked', 'auth', 'asked', 'auth']);
    expect(asked).toEqual(['a', 'b', 'b']);
    expect([queue.whyStopped('a'), queue.whyStopped('b')]).toEqual(['a may not be used', null]);
  });
});

test('what is known by then is not asked, needs no budget and is no first call', async () => {
  const budget = new Budget(1, 1);
  const queue = new ProviderQueue({ concurrency: 2, budget, pilot: true });
  const call = () => Promise.reject(new Error('asked'));
  const found = ['a', 'b'].map((id) => queue.run<string>('agent', call, { find: () => id }));
  expect(await Promise.all(found)).toEqual(['a', 'b']);
  expect(await queue.run('agent', call)).toBe('budget');
});

test('a queue beside one other run serves first what came last', async () => {
  const queue = new ProviderQueue({ ...plain, concurrency: 1 });
  const served: number[] = [];
  const calls = [1, 2, 3, 4].map((id) => queue.run('a', async () => void served.push(id)));
  queue.giveWay(1);
  await Promise.all(calls);
  expect(served).toEqual([4, 3, 2, 1]);
});

test('three queues over the same questions ask few of them at the same time', async () => {
  const answered = new Set<number>();
  const asked: number[] = [];
  const ids = Array.from({ length: 240 }, (_, id) => id);
  const queues = [0, 1, 2].map(() => new ProviderQueue({ ...plain, concurrency: 4 }));
  const ends = queues.map((queue, rank) => {
    const calls = ids.map((id) => {
      const call = async () => {
        asked.push(id);
        await sleep(1 + ((id * 7 + rank) % 5));
        return answered.add(id);
      };
      return queue.run<unknown>('agent', call, { find: () => answered.has(id) || null });
    });
    queue.giveWay(rank);
    return calls;
  });
  await Promise.all(ends.flat());
  expect(answered.size).toBe(240);
  // In two orders alone, two of them would ask the same all the way: about 120 twice.
  expect(asked.length - 240).toBeLessThan(80);
});
