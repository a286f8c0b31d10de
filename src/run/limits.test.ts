import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Budget, ProviderQueue } from './limits.ts';

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
      const ends = ['a', 'b', 'c'].map((id) => queue.run('agent', call(id), cancel.signal));
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

/**
 * Runs calls of one cost, so many at a time, until the budget admits no more. Returns how many
 * ran.
 */
function spend(budget: Budget, cost: number, beside: number): number {
  let count = 0;
  for (;;) {
    let begun = 0;
    while (begun < (count === 0 ? 1 : beside) && budget.findStop() === null) {
      budget.begin();
      begun++;
    }
    if (begun === 0) return count;
    for (let call = 0; call < begun; call++) budget.end(cost);
    count += begun;
  }
}

describe('Budget', () => {
  test.each([
    [10, 1, 4, 10],
    [1, 0.1, 4, 10],
    [0.3, 0.1, 3, 3],
    [0.5, 1, 4, 1],
  ])('of %d USD admits calls of %d USD, %d at once: %d calls', (limit, cost, beside, calls) => {
    expect(spend(new Budget(limit, 0), cost, beside)).toBe(calls);
  });

  test('assumes the average cost for a call that did not report one', () => {
    const budget = new Budget(3, 0);
    for (const cost of [1, null]) {
      budget.begin();
      budget.end(cost);
    }
    expect(budget.findStop()).toBeNull();
    budget.begin();
    expect(budget.findStop()).toBe(
      'EVAL_MAX_COST=3 does not allow another call: the calls so far cost $2.00 (1 failed call by estimate), ' +
        'and 1 running call may cost $1.00 more',
    );
  });

  test("expects a call to cost what its agent's calls cost: judges cost less", () => {
    const budget = new Budget(10, 0);
    for (const [agent, cost] of [
      ['agent', 4],
      ['judge', 0.1],
    ] as const) {
      budget.begin(agent);
      budget.end(cost, null, agent);
    }
    budget.begin('agent');
    expect(budget.findStop('judge')).toBeNull();
    expect(budget.findStop('agent')).toContain(
      'the calls so far cost $4.10, and 1 running call may cost $4.00 more',
    );
  });

  test('ends when calls keep failing before any reports a cost', () => {
    const budget = new Budget(3, 0);
    let calls = 0;
    for (; budget.findStop() === null; calls++) {
      budget.begin();
      budget.end(null);
    }
    expect([calls, budget.findStop()]).toEqual([
      10,
      expect.stringContaining('10 calls failed, and no cost is known yet'),
    ]);
  });
});
