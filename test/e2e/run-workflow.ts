import { cpSync, existsSync, globSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runShell } from '../run-shell.ts';
import { cleanEnvironment } from './run-vitest.ts';

/** What matters here of a workflow file; the rest is GitHub's. */
export type Workflow = {
  readonly permissions: unknown;
  readonly env?: Env;
  readonly jobs: Readonly<Record<string, Job>>;
};

export type Job = {
  readonly permissions?: unknown;
  readonly env?: Env;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
};

type Step = {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Env;
  readonly run?: string;
};

type Env = Readonly<Record<string, string>>;

/** What a step printed, and its exit code. */
export type StepRun = {
  readonly name: string;
  readonly code: number | null;
  readonly output: string;
};

export type JobPlace = {
  /** A checkout. */
  readonly cwd: string;
  /** Where artifacts are kept between jobs, a folder for each. */
  readonly artifacts: string;
  /** The same for caches, between attempts. */
  readonly caches: string;
  /** The values of `${{ ... }}` by expression. */
  readonly values: Readonly<Record<string, string>>;
  /** Further variables of the surroundings. */
  readonly env: Env;
};

/**
 * Runs a job's commands as its runner would, but for the step "Install"; artifacts are copied to
 * and from a folder.
 */
export async function runJob(
  workflow: Workflow,
  job: Job,
  place: JobPlace,
): Promise<readonly StepRun[]> {
  const runs: StepRun[] = [];
  for (const step of job.steps) {
    const name = step.name ?? step.uses ?? '';
    if (step.uses?.startsWith('actions/upload-artifact@')) upload(step, place);
    if (step.uses?.startsWith('actions/download-artifact@')) download(step, place);
    if (step.uses?.startsWith('actions/cache/save@')) save(step, place);
    if (step.uses?.startsWith('actions/cache/restore@')) restore(step, place);
    if (step.run !== undefined && name !== 'Install') {
      runs.push({ name, ...(await runStep({ ...workflow.env, ...job.env }, step, place)) });
    }
  }
  return runs;
}

/** A text with its expressions filled in; an expression without a value is an error. */
function fillIn(text: string, values: JobPlace['values']): string {
  return text.replace(/\$\{\{([^}]*)\}\}/g, (_, expression: string) => {
    const value = values[expression.trim()];
    if (value === undefined)
      throw new Error(`The workflow uses \${{${expression}}}, which this test does not know.`);
    return value;
  });
}

function runStep(common: Env, { run = '', env = {} }: Step, { cwd, values, env: outer }: JobPlace) {
  const variables = Object.entries({ ...common, ...env }).map(([name, text]) => [
    name,
    fillIn(`${text}`, values),
  ]);
  // The copy shares the installed packages: pnpm must not install into them.
  const surroundings = {
    ...cleanEnvironment(),
    CI: 'true',
    pnpm_config_verify_deps_before_run: 'false',
    ...outer,
  };
  return runShell(run, { cwd, env: { ...surroundings, ...Object.fromEntries(variables) } });
}

/** An artifact has what is in the folder, without its path. */
function upload({ with: options = {} }: Step, { cwd, artifacts, values }: JobPlace): void {
  const path = `${options['path']}`;
  if (!existsSync(join(cwd, path))) throw new Error(`Nothing to upload at ${path}.`);
  const target = join(artifacts, fillIn(`${options['name']}`, values));
  cpSync(join(cwd, path), target, { recursive: true, dereference: true });
}

function download({ with: options = {} }: Step, { cwd, artifacts }: JobPlace): void {
  const target = join(cwd, `${options['path']}`);
  mkdirSync(target, { recursive: true });
  for (const name of globSync(`${options['pattern']}`, { cwd: artifacts })) {
    cpSync(join(artifacts, name), target, { recursive: true });
  }
}

/** A key is written once; a job that made nothing to keep has a condition on this step. */
function save({ with: options = {} }: Step, { cwd, caches, values }: JobPlace): void {
  const [from, to] = [
    join(cwd, `${options['path']}`),
    join(caches, fillIn(`${options['key']}`, values)),
  ];
  if (existsSync(to)) throw new Error(`There is a cache of this key already: ${to}.`);
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}

/** The cache of the key, or else the last of those that begin as one of the others. */
function restore({ with: options = {} }: Step, { cwd, caches, values }: JobPlace): void {
  const [key, ...prefixes] = [options['key'], options['restore-keys']].map((text) =>
    fillIn(`${text}`, values),
  );
  const names = readdirSync(caches).toSorted();
  const found =
    names.find((name) => name === key) ??
    names.findLast((name) => prefixes.some((p) => name.startsWith(p)));
  if (found !== undefined)
    cpSync(join(caches, found), join(cwd, `${options['path']}`), { recursive: true });
}
