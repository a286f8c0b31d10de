import { readOptions } from './measure/options.ts';
import { type Fault, planRound, playRound } from './nemesis/round.ts';

const USAGE = `node bench/nemesis.ts [--rounds 30] [--seed 1]

Disturbs live runs of 200 made-up questions at random moments: two runs over one cache, kills, a stopped process group, jumps
of the clock and a full disk. Then it resumes until the run is complete, and looks at the agent's own log of calls, the rows
and the cache: nothing asked twice but what was in flight, no row lost, no wrong verdict, the figures of an undisturbed run.
Round n has the seed "--seed" + n - 1; the same seed plans the same round. A round takes about 20 s.`;

const { rounds, seed } = readOptions(USAGE, { rounds: '30', seed: '1' });
await playAll(Number(rounds), Number(seed));

async function playAll(rounds: number, first: number): Promise<void> {
  let failed = 0;
  for (let seed = first; seed < first + rounds; seed++) {
    const { plan, happened, calls, violations } = await playRound(planRound(seed));
    const result = violations.length === 0 ? 'ok' : 'FAILED';
    console.log(
      `seed ${seed}: ${result}, ${calls} calls in ${happened.length} runs: ${happened.join(', ')}`,
    );
    console.log(
      `  ${[`second run after ${plan.secondAfterMs} ms`, ...plan.faults.map(describeFault)].join('; ')}`,
    );
    for (const violation of violations) console.log(`  - ${violation}`);
    failed += violations.length === 0 ? 0 : 1;
  }
  console.log(`${rounds - failed} of ${rounds} rounds without a violation`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function describeFault({ kind, calls, ms, ...facts }: Fault): string {
  const details = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return `${[kind, ...details].join(', ')} (call ${calls} + ${ms} ms)`;
}
