import { describe, expect, test } from 'vitest';
import { Budget } from './budget.ts';

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
    for (let call = 0; call < begun; call++) budget.end({ cost });
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
      budget.end({ cost });
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
      budget.end({ agent, cost });
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
      budget.end({ cost: null });
    }
    expect([calls, budget.findStop()]).toEqual([
      10,
      expect.stringContaining('10 calls failed, and no cost is known yet'),
    ]);
  });
});
