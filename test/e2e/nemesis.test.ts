import { expect, test } from 'vitest';
import { planRound, playRound } from '../../bench/nemesis/round.ts';

// Seeds whose first two faults are a jump of the clock and a kill, a pause and a kill, and a full
// disk and a pause.
test.each([2, 15, 36])(
  'two runs over one cache that faults strike end as if nothing had happened: seed %i',
  async (seed) => {
    const { happened, violations } = await playRound(planRound(seed, 2));
    expect(violations).toEqual([]);
    expect(happened.length).toBeGreaterThan(2);
    expect(happened.join()).toMatch(/kill|pause|disk/);
  },
);
