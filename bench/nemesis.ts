import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installViva, packViva } from '../test/package/install.ts';
import { readOptions } from './measure/options.ts';
import { type Fault, planRound, playRound } from './nemesis/round.ts';

const USAGE = `node bench/nemesis.ts [--rounds 30] [--seed 1] [--vitest 4.1.0]

Disturbs live runs of 200 made-up questions at random moments, two at a time over one cache: kills, a stopped process group,
jumps of the clock, a full disk, and edits of the agent's code, of a comment in it and of a file that it reads. The questions
are files in GAIA's layout, values typed into the eval file, or conversations. Then it resumes until the run is complete, and
looks at the agent's own log of calls, the rows and the cache: nothing asked twice but what was in flight, no row lost, no
answer of another version, no wrong verdict, the figures of an undisturbed run.
Round n has the seed "--seed" + n - 1; the same seed plans the same round. A round takes about 20 s.
With --vitest viva is packed and installed with that Vitest, otherwise the clone's own runs.`;

const { rounds, seed, vitest } = readOptions(USAGE, { rounds: '30', seed: '1', vitest: '' });
const folder = mkdtempSync(join(tmpdir(), 'nemesis-packages-'));
try {
  const modules = vitest === '' ? null : await install(vitest);
  await playAll(Number(rounds), Number(seed), modules);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function install(version: string): Promise<string> {
  const { modules } = await installViva(await packViva(folder), 'pnpm', { vitest: version });
  return modules;
}

async function playAll(rounds: number, first: number, modules: string | null): Promise<void> {
  let failed = 0;
  for (let seed = first; seed < first + rounds; seed++) {
    const { plan, happened, calls, violations } = await playRound(planRound(seed), modules);
    const result = violations.length === 0 ? 'ok' : 'FAILED';
    console.log(
      `seed ${seed}, ${plan.suite}: ${result}, ${calls} calls in ${happened.length} runs: ${happened.join(', ')}`,
    );
    console.log(
      `  ${[`second run after ${plan.secondAfterMs} ms`, ...plan.faults.map(describeFault)].join('; ')}`,
    );
    for (const violation of violations.slice(0, 10)) console.log(`  - ${violation}`);
    if (violations.length > 10)
      console.log(`  - and ${violations.length - 10} more, ${violations.at(-1)}`);
    failed += violations.length === 0 ? 0 : 1;
  }
  console.log(`${rounds - failed} of ${rounds} rounds without a violation`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function describeFault({ kind, calls, ms, ...facts }: Fault): string {
  const details = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return `${[kind, ...details].join(', ')} (call ${calls} + ${ms} ms)`;
}
