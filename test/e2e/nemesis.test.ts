import { expect, test } from 'vitest';
import { planRound, playRound } from '../../bench/nemesis/round.ts';

// The first two faults of this seed are a jump of the clock and a kill. A pause is in stops.test.ts,
// a full disk in test/faults/disk.test.ts, and everything at once in bench/nemesis.ts.
test('two runs over one cache end despite faults as if nothing had happened', async () => {
  const { happened, violations } = await playRound(planRound(2, 2));
  expect(violations).toEqual([]);
  expect(happened.length).toBeGreaterThan(2);
  expect(happened.join()).toMatch(/kill/);
});
