import { describe, expect, test } from 'vitest';
import { Budget } from './budget.ts';

/** Runs calls of one cost, so many beside each other, until the budget admits no more; gives how many ran. */
function spend(budget: Budget, cost: number, beside: number): number {
  let count = 0;
  for (;;) {
    let begun = 0;
    while (begun < (count === 0 ? 1 : beside) && budget.admits()) {
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
    [10, 3, 4, 3],
    [1, 0.3, 20, 3],
    [0.5, 1, 4, 1],
  ])('of %d admits calls of %d, %d at once: %d', (limit, cost, beside, calls) => {
    expect(spend(new Budget(limit, 0), cost, beside)).toBe(calls);
  });

  test('counts what the run spent before', () => {
    expect(spend(new Budget(10, 8), 1, 4)).toBe(2);
    expect(new Budget(10, 10).admits()).toBe(false);
  });

  test('takes a call that did not say its cost to have cost as much as the others', () => {
    const budget = new Budget(3, 0);
    for (const cost of [1, null]) {
      budget.begin();
      budget.settle(cost);
    }
    expect(budget.admits()).toBe(true);
    budget.begin();
    expect(budget.admits()).toBe(false);
  });
});
