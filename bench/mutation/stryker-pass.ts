import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../measure/clean-environment.ts';
import type { Mutant } from './mutants.ts';
import type { Room } from './rooms.ts';

type Report = {
  readonly files: Readonly<
    Record<string, { readonly mutants: readonly (Pick<Mutant, 'location' | 'replacement'> & Verdict)[] }>
  >;
};
type Verdict = { readonly mutatorName: string; readonly status: string };

/** Has Stryker try some mutants, each in a run of Vitest of its own; gives those that no test kills. */
export function runStryker(
  copy: string,
  room: Room,
  mutants: readonly Mutant[],
  concurrency: number,
): readonly Mutant[] {
  if (mutants.length === 0) return [];
  const report = `.mutation/${room.name}.json`;
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'bench/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency,
    mutate: [...new Set(mutants.map(toRange))],
    // Copying would rewrite tsconfig.json with a TypeScript that has no such interface any more.
    inPlace: true,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    logLevel: 'error',
  };
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(config));
  const env = { ...cleanEnvironment(), MUTATION_TESTS: room.folder };
  const { status } = spawnSync('pnpm', ['exec', 'stryker', 'run'], { cwd: copy, env, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`Stryker ended with ${status}. What it says above tells why.`);
  return listSurvivors(JSON.parse(readFileSync(join(copy, report), 'utf8')), mutants);
}

/** Lines count from 1 here, columns from 0. */
function toRange({ file, location: { start, end } }: Mutant): string {
  return `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

function listSurvivors({ files }: Report, mutants: readonly Mutant[]): readonly Mutant[] {
  const survived = new Set(
    Object.entries(files).flatMap(([file, found]) =>
      found.mutants
        .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
        .map(({ mutatorName, replacement, location: { start, end } }) =>
          JSON.stringify([
            file,
            mutatorName,
            replacement,
            start.line - 1,
            start.column - 1,
            end.line - 1,
            end.column - 1,
          ]),
        ),
    ),
  );
  return mutants.filter(({ file, mutator, replacement, location: { start, end } }) =>
    survived.has(JSON.stringify([file, mutator, replacement, start.line, start.column, end.line, end.column])),
  );
}
