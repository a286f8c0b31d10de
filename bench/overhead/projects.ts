import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version as vitestVersion } from 'vitest/node';
import { installViva, packViva, writeFiles } from '../../test/package/install.ts';
import { type BenchRecord, type Case, makeRecords } from './records.ts';

/** A folder in which Node runs Vitest by these arguments, and the settings that it needs. */
export type Project = Readonly<{
  cwd: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}>;

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

/**
 * A project that uses viva as it is installed from its package: the gaia suite, a dataset,
 * predictions, and an agent that returns them. `modules` is the node_modules of an installation.
 */
export function makePackaged(folder: string, wanted: Case, modules: string): Project {
  const files = {
    'package.json': '{ "type": "module" }',
    'vitest.config.ts': `import { viva } from 'viva/vitest';
import { defineConfig } from 'vitest/config';
export default defineConfig({ plugins: [viva()] });
`,
    'evals/gaia.eval.ts': "import 'viva/gaia';\n",
  };
  writeFiles(folder, files);
  copyInto(folder, import.meta.dirname, ['agent.ts']);
  linkPackages(folder, modules);
  writeData(folder, makeRecords(wanted));
  return toProject(folder, 'evals');
}

/**
 * A copy of this suite as it is checked out, with a dataset, predictions, and an agent that returns
 * them.
 */
export function makeClone(folder: string, wanted: Case): Project {
  copyInto(folder, ROOT, [
    'src',
    'reporters',
    'evals',
    'vitest.config.ts',
    'test/only-posix.ts',
    'package.json',
    'tsconfig.json',
  ]);
  copyInto(folder, import.meta.dirname, ['agent.ts']);
  linkPackages(folder, MODULES);
  writeData(folder, makeRecords(wanted));
  return toProject(folder, 'evals/gaia');
}

/** The node_modules of a project with the packed viva beside a Vitest; without a version the clone's. */
export async function installPackage(folder: string, vitest = vitestVersion): Promise<string> {
  const versions = { vitest, others: 'openai' };
  return (await installViva(await packViva(folder), 'npm', versions)).modules;
}

/** The program of Vitest in a project. */
export const toVitest = (folder: string) => join(folder, 'node_modules/vitest/vitest.mjs');

function toProject(folder: string, file: string): Project {
  return {
    cwd: folder,
    args: [toVitest(folder), 'run', file, '--reporter=default'],
    env: {
      EVAL_GAIA: 'data',
      EVAL_AGENT: 'replay:predictions.jsonl',
      EVAL_DIR: join(folder, '.evals'),
    },
  };
}

/**
 * A plain Vitest project with tests of the same titles from the same files, written as one would by
 * hand.
 */
export function makePlain(folder: string, wanted: Case): Project {
  copyInto(folder, join(import.meta.dirname, 'plain'), ['gaia.eval.ts', 'vitest.config.ts']);
  copyInto(folder, ROOT, ['package.json']);
  linkPackages(folder, MODULES);
  writeData(folder, makeRecords(wanted));
  return { cwd: folder, args: [toVitest(folder), 'run', '--reporter=default'], env: {} };
}

/** Both projects read the same two files: the dataset in GAIA's layout, and what the agent said. */
export function writeData(folder: string, records: readonly BenchRecord[]): void {
  const split = join(folder, 'data/2023/validation');
  mkdirSync(split, { recursive: true });
  writeFileSync(join(split, 'metadata.jsonl'), toLines(records.map(toMetadata)));
  writeFileSync(join(folder, 'predictions.jsonl'), toLines(records.map(toPrediction)));
}

function copyInto(folder: string, from: string, parts: readonly string[]): void {
  for (const part of parts) cpSync(join(from, part), join(folder, part), { recursive: true });
}

/** Links the installed packages one by one, so that Vitest's caches stay in the folder. */
export function linkPackages(folder: string, modules: string): void {
  mkdirSync(join(folder, 'node_modules'));
  const packages = readdirSync(modules).filter((name) => !name.startsWith('.'));
  for (const name of packages) symlinkSync(join(modules, name), join(folder, 'node_modules', name));
}

function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function toMetadata({ id, question, level, truth, steps }: BenchRecord) {
  const annotator = {
    Steps: steps,
    'Number of steps': '4',
    'How long did this take?': '5 minutes',
    Tools: 'None',
  };
  return {
    task_id: id,
    Question: question,
    Level: level,
    'Final answer': truth,
    file_name: '',
    'Annotator Metadata': { ...annotator, 'Number of tools': '0' },
  };
}

function toPrediction({ id, output }: BenchRecord, index: number) {
  const usage = {
    input_tokens: 900 + (index % 100),
    output_tokens: 150,
    cached_tokens: 0,
    reasoning_tokens: 0,
  };
  return {
    task_id: id,
    output,
    latency_ms: 5000 + (index % 1000),
    usage,
    model: 'made-up-model',
    steps: 1,
  };
}
