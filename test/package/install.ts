import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { cleanEnvironment, ROOT } from '../e2e/run-vitest.ts';
import { runShell } from '../run-shell.ts';

export type Manager = 'npm' | 'pnpm';

const ADD: Readonly<Record<Manager, string>> = {
  npm: 'npm install --prefer-offline --no-audit --no-fund -D',
  pnpm: 'pnpm add --prefer-offline -D',
};

/** A proxy's certificates are those of the system, which Node does not trust by itself. */
const CERTIFICATES = { NODE_OPTIONS: '--use-system-ca' };

/**
 * A new folder with Vitest and viva. A project is a folder inside, which finds them and costs
 * nothing.
 */
export type Installed = {
  readonly modules: string;
  /** What viva and its dependencies take beside Vitest; null where it was not measured. */
  readonly addedMb: number | null;
  /** Makes a project of these files (content by path), and gives its folder. */
  makeProject(files?: Files): string;
};

type Files = Readonly<Record<string, string | Uint8Array>>;

const CONFIGS = ['package.json', 'pnpm-workspace.yaml', 'tsconfig.json', 'tsconfig.build.json'];
const { files }: { readonly files: readonly string[] } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const PACKED = files.filter((name) => existsSync(join(ROOT, name)) && name !== 'dist');
const PARTS = [
  'src',
  'reporters',
  'evals',
  'scripts',
  'README.md',
  'LICENSE',
  ...CONFIGS,
  ...PACKED,
];

/**
 * Packs the checkout as a release is packed and checked; gives the tarball, in this folder. A copy is
 * packed, since each build begins with an empty dist.
 */
export async function packViva(folder: string): Promise<string> {
  const tarball = join(folder, 'viva-0.0.0.tgz');
  const copy = join(folder, 'checkout');
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'));
  const { run } = jobs.check.steps.find(({ name }: { readonly name?: string }) => name === 'Pack');
  await runLines(run, copy, { env: toRelease() });
  renameSync(join(copy, 'viva.tgz'), tarball);
  return tarball;
}

/** What the release workflow of the repository You/viva knows of its tag. */
function toRelease(): Readonly<Record<string, string>> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { GITHUB_REF_NAME: `v${version}`, GITHUB_REPOSITORY: 'You/viva', SCOPE: 'You' };
}

/** Which Vitest and Node are installed; without `node` it is that of the clone. */
export type Versions = {
  readonly vitest: string;
  readonly node?: string;
  /** Other packages. */
  readonly others?: string;
};

/** Installs a tarball under the name viva, as the docs say, in a new folder inside this one. */
export async function installViva(
  tarball: string,
  manager: Manager,
  { vitest, node, others = '' }: Versions,
): Promise<Installed> {
  const root = mkdtempSync(join(dirname(tarball), `${manager}-`));
  const modules = join(root, 'node_modules');
  // The package "node" puts that Node first in what `npx` starts.
  const program = node === undefined ? '' : `node@npm:node@${node}`;
  const builds = 'allowBuilds:\n  node: true\n  esbuild: false\n';
  writeFileSync(join(root, 'pnpm-workspace.yaml'), builds);
  writeFileSync(join(root, 'package.json'), '{}');
  const add = (packages: string) =>
    runLines(`${ADD[manager]} ${packages}`, root, { env: CERTIFICATES });
  const tools = `vitest@${vitest} @types/node@24 ${program} ${others}`;
  let addedMb: number | null = null;
  if (manager === 'npm') {
    await add(tools);
    const before = await measure(modules);
    await add(`viva@file:${tarball}`);
    addedMb = (await measure(modules)) - before;
  } else await add(`${tools} viva@file:${tarball}`);
  let projects = 0;
  const makeProject: Installed['makeProject'] = (files = {}) => {
    const folder = join(root, `project-${++projects}`);
    writeFiles(folder, { 'package.json': '{ "type": "module" }', ...files });
    return folder;
  };
  return { modules, addedMb, makeProject };
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

async function measure(folder: string): Promise<number> {
  return Number.parseInt(await runLines(`du -sk ${folder}`, folder), 10) / 1024;
}

/** What lines of a shell print; throws with it when one fails, unless a failure is wanted. */
export async function runLines(
  script: string,
  cwd: string,
  {
    env = {},
    fails = false,
  }: { readonly env?: Readonly<Record<string, string>>; readonly fails?: boolean } = {},
): Promise<string> {
  const clean = cleanEnvironment();
  const PATH = `${dirname(process.execPath)}:${clean['PATH']}`;
  const { code, output } = await runShell(script, { cwd, env: { ...clean, PATH, ...env } });
  if ((code !== 0) === fails) return output;
  throw new Error(`${script}\nended with exit code ${code}:\n${output}`);
}
