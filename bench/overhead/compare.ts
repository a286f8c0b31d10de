import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment } from '../measure/clean-environment.ts';
import { type Cost, measureTree } from '../measure/process-tree.ts';
import { makeProjects, type Project } from './projects.ts';
import type { Case } from './records.ts';

/** What each run of a case cost. */
export type Comparison = Case & { readonly ours: readonly Cost[]; readonly plain: readonly Cost[] };

/** Runs both projects in turn, so that other load on the machine falls on both; the first turn warms up and is dropped. */
export async function compareCosts(wanted: Case, runs: number): Promise<Comparison> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-overhead-'));
  try {
    const projects = makeProjects(folder, wanted);
    const turns: Turn[] = [];
    for (let turn = 0; turn <= runs; turn++) turns.push(await runTurn(projects, wanted, turn % 2 === 0));
    const counted = turns.slice(1);
    return { ...wanted, ours: counted.map(({ ours }) => ours), plain: counted.map(({ plain }) => plain) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Turn = { readonly ours: Cost; readonly plain: Cost };

async function runTurn(
  projects: Readonly<Record<keyof Turn, Project>>,
  wanted: Case,
  plainFirst: boolean,
): Promise<Turn> {
  if (plainFirst) {
    const plain = await runProject(projects.plain, wanted);
    return { ours: await runOurs(projects.ours, wanted), plain };
  }
  const ours = await runOurs(projects.ours, wanted);
  return { ours, plain: await runProject(projects.plain, wanted) };
}

async function runOurs(project: Project, wanted: Case): Promise<Cost> {
  const cost = await runProject(project, wanted);
  const runs = join(project.cwd, '.evals/runs');
  const folders = readdirSync(runs).map((name) => join(runs, name));
  const rows = folders.map((folder) => readFileSync(join(folder, 'samples.jsonl'), 'utf8').split('\n').length - 1);
  if (rows.join() !== String(wanted.count)) throw new Error(`Expected ${wanted.count} rows in one run, got ${rows}.`);
  rmSync(runs, { recursive: true });
  return cost;
}

/** Runs a project and measures it. A run that did not do what is measured must not become a figure: it throws. */
export async function runProject({ cwd, args, env }: Project, { count, wrong }: Case): Promise<Cost> {
  const command = [join(cwd, 'node_modules/vitest/vitest.mjs'), ...args];
  const { output, ...cost } = await measureTree(command, { cwd, env: { ...cleanEnvironment(), ...env } });
  const passed = wrong === 'none' ? count : Math.ceil(count / 2);
  const expected = passed === count ? `${count} passed` : `${count - passed} failed | ${passed} passed`;
  if (output.includes(`Tests  ${expected} (${count})`)) return cost;
  throw new Error(`Expected "Tests  ${expected} (${count})", got (exit code ${cost.code}):\n${output.slice(-3000)}`);
}
