import { join } from 'node:path';
import { cleanEnvironment } from '../../test/e2e/run-vitest.ts';
import { writeFiles } from '../../test/package/install.ts';
import { median } from '../measure/median.ts';
import { type Cost, measureTree } from '../measure/process-tree.ts';
import { linkPackages, toVitest } from './projects.ts';

const ROUNDS = 25;

/** What viva() in the configuration costs a run of one test that is not of evals. */
export async function measureOwnTests(folder: string, modules: string) {
  const [without, beside] = [join(folder, 'without'), join(folder, 'beside')];
  write(without, '', modules);
  write(beside, 'viva()', modules);
  const rounds: (readonly [without: Cost, beside: Cost])[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const turns = round % 2 === 0 ? [without, beside] : [beside, without];
    const costs = new Map<string, Cost>();
    for (const turn of turns) costs.set(turn, await run(turn));
    const [first, second] = [costs.get(without), costs.get(beside)];
    // The first round warms up and is dropped.
    if (round > 0 && first && second) rounds.push([first, second]);
  }
  const wall = median(rounds.map(([first, second]) => second.wallMs / first.wallMs));
  // Linux counts the time of a process in steps of 10 ms.
  const sum = (side: 0 | 1) => rounds.reduce((all, costs) => all + costs[side].cpuMs, 0);
  const cpu = sum(1) / sum(0);
  return { figure: `${wall.toFixed(3)}, ${cpu.toFixed(3)}`, holds: Math.max(wall, cpu) <= 1.02 };
}

function write(folder: string, plugin: string, modules: string): void {
  const imported = plugin === '' ? '' : "import { viva } from 'viva/vitest';\n";
  writeFiles(folder, {
    'package.json': '{ "type": "module" }',
    'vitest.config.ts': `${imported}import { defineConfig } from 'vitest/config';
export default defineConfig({ plugins: [${plugin}] });
`,
    'own.test.ts': `import { expect, test } from 'vitest';
test('adds', () => {
  expect(1 + 1).toBe(2);
});
`,
  });
  linkPackages(folder, modules);
}

async function run(folder: string): Promise<Cost> {
  const { output, ...cost } = await measureTree([toVitest(folder), 'run'], {
    cwd: folder,
    env: cleanEnvironment(),
  });
  if (output.includes('1 passed (1)')) return cost;
  throw new Error(`The test did not pass:\n${output.slice(-3000)}`);
}
