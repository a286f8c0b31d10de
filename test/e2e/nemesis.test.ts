import { expect, test } from 'vitest';
import { planRound, playRound } from '../../bench/nemesis/round.ts';

// A pause is in stops.test.ts, a full disk in test/faults/disk.test.ts, and everything at once, also with Vitest 4.1, in
// bench/nemesis.ts.
test.for([
  { seed: 2, suite: 'conversations', faults: ['clock', 'kill', 'code'] },
  { seed: 42, suite: 'gaia', faults: ['kill', 'prompt'] },
  { seed: 25, suite: 'typed', faults: ['clock', 'kill', 'prompt'] },
])(
  'two runs over one cache end despite faults as if nothing had happened: $suite, $faults',
  async ({ seed, suite, faults }) => {
    const plan = planRound(seed, faults.length);
    expect([plan.suite, plan.faults.map(({ kind }) => kind)]).toEqual([suite, faults]);
    const { happened, violations } = await playRound(plan);
    expect(violations).toEqual([]);
    expect(happened.length).toBeGreaterThan(2);
    expect(faults.filter((fault) => !happened.join().includes(fault))).toEqual([]);
  },
);
