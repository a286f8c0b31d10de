import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { field, listField, textField } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';

// What a project's own Prettier and TypeScript want of files that are added to it.

/** The text of a new file as the project's Prettier formats it; unchanged without Prettier. */
export async function formatAs(folder: string, name: string, text: string): Promise<string> {
  const main = resolveIn(folder, 'prettier');
  if (main === undefined) return text;
  const filepath = join(folder, name);
  try {
    const { default: prettier } = await import(/* @vite-ignore */ pathToFileURL(main).href);
    const config = await prettier.resolveConfig(filepath, { editorconfig: true });
    return String(await prettier.format(text, { ...config, filepath }));
  } catch {
    // A plugin of its configuration may be missing, which the user's own formatter will say.
    return text;
  }
}

/** A tsconfig.json as tsc reads it. */
export type TsProject = Readonly<{
  /** The name of its file, or of the first that it refers to where it has no files itself. */
  base: string;
  /** Whether imports name `.ts`, not the file that tsc would write. */
  importsTs: boolean;
  /** Whether it resolves the entries of packages, and allows `await` outside functions. */
  takesEvals: boolean;
  /** What it leaves out, also where it does not say so. */
  excludes: readonly string[];
  /** Whether it or one that it refers to has a file of the folder. */
  has(name: string): boolean;
}>;

/** Null without TypeScript, or without a tsconfig.json that it can read. */
export function readTsProject(folder: string): TsProject | null {
  const manifest = resolveIn(folder, 'typescript/package.json');
  if (manifest === undefined) return null;
  const tsc = join(dirname(manifest), 'bin/tsc');
  const read = (file: string): unknown =>
    tryOrUndefined(() => {
      const args = [tsc, '--showConfig', '-p', join(folder, file)];
      // It prints what it cannot read instead of a configuration.
      return JSON.parse(execFileSync(process.execPath, args, { stdio: 'pipe', encoding: 'utf8' }));
    });
  const root = read(ROOT);
  if (root === undefined) return null;
  const others = listField(root, 'references').flatMap((each) => textField(each, 'path') ?? []);
  const all = [root, ...others.map(read)];
  const [base, config] =
    listField(root, 'files').length > 0 || others[0] === undefined
      ? [ROOT, root]
      : [others[0].replace(/^\.\//, ''), all[1]];
  const files = all.flatMap((each, index) => {
    const of = dirname(join(folder, index === 0 ? ROOT : (others[index - 1] ?? ROOT)));
    return listField(each, 'files').map((file) => resolve(of, String(file)));
  });
  return {
    base,
    importsTs: field(field(config, 'compilerOptions'), 'allowImportingTsExtensions') === true,
    takesEvals: takesEvals(field(config, 'compilerOptions'), readVersion(manifest)),
    excludes: readExcludes(config, dirname(join(folder, base))),
    has: (name) => files.includes(join(folder, name)),
  };
}

const ROOT = 'tsconfig.json';

/** Where it says nothing, tsc leaves out these packages, and names the whole path of its output. */
function readExcludes(config: unknown, folder: string): readonly string[] {
  const named = listField(config, 'exclude').map(String);
  if (!named.every(isAbsolute)) return named;
  const output = named.map((path) => relative(folder, path));
  return ['node_modules', ...(output.length === 0 ? ['dist'] : output)];
}

/** By the options that a configuration states; TypeScript 6 has other defaults than 5. */
function takesEvals(options: unknown, version: number): boolean {
  const read = (name: string) => textField(options, name)?.toLowerCase();
  const [module, resolution] = [read('module'), read('moduleResolution')];
  if (module !== undefined && OLD_MODULES.includes(module)) return false;
  if (resolution !== undefined) return !OLD_RESOLUTIONS.includes(resolution);
  return version >= 6 || /^(?:node|preserve)/.test(module ?? '');
}

const OLD_MODULES = ['none', 'commonjs', 'amd', 'umd', 'es6', 'es2015', 'es2020'];
const OLD_RESOLUTIONS = ['classic', 'node', 'node10'];

function readVersion(manifest: string): number {
  const text = tryOrUndefined(() => readFileSync(manifest, 'utf8')) ?? '{}';
  return Number.parseInt(textField(JSON.parse(text), 'version') ?? '', 10);
}

function resolveIn(folder: string, name: string): string | undefined {
  return tryOrUndefined(() => createRequire(join(folder, 'package.json')).resolve(name));
}
