import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSampleLog } from '../../src/store/sample-log.ts';
import { cleanEnvironment } from '../../test/e2e/run-vitest.ts';
import { type Cost, measureTree } from '../measure/process-tree.ts';
import { makeClone, makePackaged, makePlain, type Project } from './projects.ts';
import type { Case } from './records.ts';

/**
 * A way to run the same records. `plain` is Vitest alone. The others are viva, in the clone or as
 * installed from its package: `replay` with recorded answers; `module` with an agent and an empty
 * cache; `resume` the same from the cache. Cold sides have no caches of Vite, Vitest and viva, as
 * the first run in CI.
 */
export type SideName =
  | 'plain'
  | 'plain-cold'
  | 'replay'
  | 'package-replay'
  | 'package-cold'
  | 'package-module'
  | 'package-resume';

/**
 * Runs a side and measures it. A run that did not do what is measured must not become a figure: it
 * throws.
 */
type Sides = Readonly<Record<SideName, () => Promise<Cost>>>;

/** The sides of a case, in three projects in the folder. */
export function makeVariants(folder: string, wanted: Case, modules: string): Sides {
  const plain = makePlain(join(folder, 'plain'), wanted);
  const clone = makeClone(join(folder, 'clone'), wanted);
  const packaged = makePackaged(join(folder, 'packaged'), wanted, modules);
  const asked = join(packaged.cwd, '.evals-asked');
  const asking = {
    ...packaged,
    env: { ...packaged.env, EVAL_AGENT: 'module:./agent.ts', EVAL_DIR: asked },
  };
  const askAll = () => {
    rmSync(asked, { recursive: true, force: true });
    return runOurs(asking, asked, wanted, false);
  };
  const replay = (project: Project) => runOurs(project, join(project.cwd, '.evals'), wanted, false);
  return {
    plain: () => runProject(plain, wanted),
    'plain-cold': () => runProject(withoutCaches(plain), wanted),
    replay: () => replay(clone),
    'package-replay': () => replay(packaged),
    'package-cold': () => replay(withoutCaches(packaged)),
    'package-module': askAll,
    'package-resume': async () => {
      if (!existsSync(asked)) await askAll();
      return runOurs(asking, asked, wanted, true);
    },
  };
}

/** Vite and Vitest keep their caches in the project, and Node what it compiles in a folder of its own. */
function withoutCaches(project: Project): Project {
  for (const name of ['.vite', '.vite-temp', '.vitest', '.compiled'])
    rmSync(join(project.cwd, 'node_modules', name), { recursive: true, force: true });
  const compiled = join(project.cwd, 'node_modules/.compiled');
  return { ...project, env: { ...project.env, NODE_COMPILE_CACHE: compiled } };
}

async function runOurs(
  project: Project,
  evals: string,
  { count, wrong }: Case,
  cached: boolean,
): Promise<Cost> {
  const cost = await runProject(project, { count, wrong });
  const { results } = readSampleLog(join(evals, 'latest'));
  const rows = results.filter((row) => row.cached === cached).length;
  if (rows !== count || results.length !== count) {
    throw new Error(
      `Expected ${count} rows with "cached": ${cached}, got ${rows} of ${results.length} rows.`,
    );
  }
  rmSync(join(evals, 'runs'), { recursive: true });
  return cost;
}

async function runProject({ cwd, args, env }: Project, { count, wrong }: Case): Promise<Cost> {
  const { output, ...cost } = await measureTree(args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
  });
  const passed = wrong === 'none' ? count : Math.ceil(count / 2);
  const expected =
    passed === count ? `${count} passed` : `${count - passed} failed | ${passed} passed`;
  if (output.includes(`Tests  ${expected} (${count})`)) return cost;
  throw new Error(
    `Expected "Tests  ${expected} (${count})", got (exit code ${cost.code}):\n${output.slice(-3000)}`,
  );
}
