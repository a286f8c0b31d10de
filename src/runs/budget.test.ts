import { describe, expect, test } from 'vitest';
import { Budget } from './budget.ts';

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

  test('ends with an answer that had no cost', () => {
    const budget = new Budget(3, 0);
    budget.begin();
    budget.settle(null, 'module:a.ts');
    expect(budget.stopped).toBe(
      'EVAL_MAX_COST=3 cannot hold: an answer of module:a.ts came without a cost, or without token counts to price. ' +
        'Return one of them with each answer, or unset EVAL_MAX_COST.',
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
