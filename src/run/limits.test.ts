import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Budget, ProviderGate } from './limits.ts';

const plain = { budget: null, pilot: false };

/** Runs so many calls through a gate; gives how many were under way at once, at most. */
async function measurePeak(gate: ProviderGate, calls: number, ms = 5): Promise<number> {
  let [running, peak] = [0, 0];
  const call = async () => {
    peak = Math.max(peak, ++running);
    await sleep(ms);
    running--;
  };
  await Promise.all(Array.from({ length: calls }, () => gate.run('a', call)));
  return peak;
}

describe('ProviderGate', () => {
  test('holds calls to its limit and uses all of it', async () => {
    expect(await measurePeak(new ProviderGate({ ...plain, concurrency: 4 }), 40)).toBe(4);
  });

  test('halves its limit once for refusals that come together, and never below one', async () => {
    const gate = new ProviderGate({ ...plain, concurrency: 8 });
    gate.slowDown();
    gate.slowDown();
    expect(gate.concurrency).toBe(4);
    const single = new ProviderGate({ ...plain, concurrency: 1 });
    single.slowDown();
    expect(single.concurrency).toBe(1);
  });

  test('grows by one for each round of successes, up to what it was', () => {
    const gate = new ProviderGate({ ...plain, concurrency: 4 });
    gate.slowDown();
    const sizes = Array.from({ length: 8 }, () => {
      gate.speedUp();
      return gate.concurrency;
    });
    expect(sizes).toEqual([2, 3, 3, 3, 4, 4, 4, 4]);
  });

  test('lets nothing through once it is stopped, and says why', async () => {
    const gate = new ProviderGate({ ...plain, concurrency: 2 });
    gate.stop('quota', 'used up');
    gate.stop('auth', 'no key');
    expect(gate.whyStopped('a')).toBe('used up');
    expect(await gate.run('a', async () => 'asked')).toBe('quota');
  });

  test('sends a pilot alone, and the others when it is back', async () => {
    const gate = new ProviderGate({ ...plain, pilot: true, concurrency: 3 });
    const order: string[] = [];
    const call = (name: string) => async () => {
      order.push(`${name} begins`);
      await sleep(20);
      order.push(`${name} ends`);
    };
    await Promise.all([gate.run('a', call('a')), gate.run('a', call('b')), gate.run('a', call('c'))]);
    expect(order.slice(0, 4)).toEqual(['a begins', 'a ends', 'b begins', 'c begins']);
  });

  test('spares the others when the pilot finds that nothing can work', async () => {
    const gate = new ProviderGate({ ...plain, pilot: true, concurrency: 3 });
    let asked = 0;
    const call = async () => {
      asked++;
      await sleep(5);
      gate.stop('auth', 'no key');
    };
    const ends = await Promise.all(Array.from({ length: 5 }, () => gate.run('a', call)));
    expect(asked).toBe(1);
    expect(ends).toEqual([undefined, 'auth', 'auth', 'auth', 'auth']);
  });

  test('lets the others follow a pilot that failed', async () => {
    const gate = new ProviderGate({ ...plain, pilot: true, concurrency: 2 });
    const failed = gate.run('a', () => Promise.reject(new Error('broken')));
    const other = gate.run('a', async () => 'asked');
    await expect(failed).rejects.toThrow('broken');
    expect(await other).toBe('asked');
  });

  test('stops one agent alone, and sends each its own pilot', async () => {
    const gate = new ProviderGate({ ...plain, pilot: true, concurrency: 4 });
    const asked: string[] = [];
    const call = (agent: string) => async () => {
      asked.push(agent);
      await sleep(5);
      if (agent === 'a') gate.stop('auth', 'a may not be used', 'a');
      return 'asked';
    };
    const ends = await Promise.all(['a', 'b', 'a', 'b', 'a'].map((agent) => gate.run(agent, call(agent))));
    expect(ends).toEqual(['asked', 'asked', 'auth', 'asked', 'auth']);
    expect(asked).toEqual(['a', 'b', 'b']);
    expect([gate.whyStopped('a'), gate.whyStopped('b')]).toEqual(['a may not be used', null]);
  });

  test('leaves nobody waiting behind a pilot that was not admitted', async () => {
    const budget = new Budget(2, 2);
    const gate = new ProviderGate({ budget, pilot: true, concurrency: 2 });
    const calls = Array.from({ length: 4 }, () => gate.run('a', async () => 'asked'));
    expect(await Promise.all(calls)).toEqual(['budget', 'budget', 'budget', 'budget']);
    expect(gate.whyStopped('a')).toBe('EVAL_MAX_COST=2 leaves no room for another call: $2.00 were spent');
  });
});

/** Runs calls of one cost, so many beside each other, until the budget admits no more; gives how many ran. */
function spend(budget: Budget, cost: number, beside: number): number {
  let count = 0;
  for (;;) {
    let begun = 0;
    while (begun < (count === 0 ? 1 : beside) && budget.stopped === null) {
      budget.begin();
      begun++;
    }
    if (begun === 0) return count;
    for (let call = 0; call < begun; call++) budget.settle(cost);
    count += begun;
  }
}

describe('Budget', () => {
  test.each([
    [10, 1, 4, 10],
    [1, 0.1, 1, 10],
    [1, 0.1, 4, 10],
    [0.3, 0.1, 3, 3],
    [0.7, 0.1, 2, 7],
    [10, 3, 4, 3],
    [1, 0.3, 20, 3],
    [0.5, 1, 4, 1],
  ])('of %d admits calls of %d, %d at once: %d', (limit, cost, beside, calls) => {
    expect(spend(new Budget(limit, 0), cost, beside)).toBe(calls);
  });

  test('counts what the run spent before', () => {
    expect(spend(new Budget(10, 8), 1, 4)).toBe(2);
    expect(new Budget(10, 10).stopped).not.toBeNull();
  });

  test('takes a call that did not say its cost to have cost as much as the others', () => {
    const budget = new Budget(3, 0);
    for (const cost of [1, null]) {
      budget.begin();
      budget.settle(cost);
    }
    expect(budget.stopped).toBeNull();
    budget.begin();
    expect(budget.stopped).toBe(
      'EVAL_MAX_COST=3 leaves no room for another call: $2.00 were spent (1 failed call by estimate), and 1 call was ' +
        'running, expected to cost $1.00',
    );
  });

  test('says once and for all when it stopped, whatever the running calls cost then', () => {
    const budget = new Budget(3, 0);
    for (const _ of [1, 2, 3]) budget.begin();
    budget.settle(1);
    const { stopped } = budget;
    expect(stopped).toContain('$1.00 were spent, and 2 calls were running, expected to cost $2.00');
    budget.settle(0.1);
    budget.settle(0.1);
    expect(budget.stopped).toBe(stopped);
  });

  test.each([
    [
      { name: 'module:a.ts', isModel: false },
      'a cost, or without token counts to price. Return one of them with each answer',
    ],
    [{ name: 'openai:m', isModel: true }, 'token counts to price. Use a server that reports usage'],
  ])('ends with an answer of $name that had no cost', (payee, said) => {
    const budget = new Budget(3, 0);
    budget.begin();
    budget.settle(null, payee);
    expect(budget.stopped).toBe(
      `EVAL_MAX_COST=3 cannot hold: an answer of ${payee.name} came without ${said}, or unset EVAL_MAX_COST.`,
    );
  });

  test('ends when calls go on failing before any said its cost', () => {
    const budget = new Budget(3, 0);
    let calls = 0;
    for (; budget.stopped === null; calls++) {
      budget.begin();
      budget.settle(null);
    }
    expect([calls, budget.stopped]).toEqual([10, expect.stringContaining('10 calls failed, and none has said yet')]);
  });
});
