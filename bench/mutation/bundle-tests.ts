import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Room } from './rooms.ts';

type Plugin = {
  readonly name: string;
  resolveId(id: string): string | null;
  load(id: string): { readonly code: string; readonly moduleType: 'ts' } | null;
};
type Bundle = { generate(options: object): Promise<{ readonly output: readonly [{ readonly code: string }] }> };
type Rolldown = {
  rolldown(options: { readonly plugins: readonly Plugin[] } & Readonly<Record<string, unknown>>): Promise<Bundle>;
};

const ENTRY = '\0entry';
const VITEST = '\0vitest';
/** Growth tests measure time, and properties take too long for thousands of mutants: Stryker's runs have the latter. */
const LEFT_OUT = /\.(?:growth|properties)\.test\.ts$/;
const FROM_PACKAGE = /^[^./\0]/;

/**
 * The tests of a room and all they import as one script, the body of a function of `require`, `module` and `exports`:
 * each call loads every module anew, which shows the mutants that act while a module is loaded.
 * @param contents instrumented sources, by path
 */
export async function bundleTests(copy: string, room: Room, contents: ReadonlyMap<string, string>): Promise<string> {
  const entry = createRequire(join(copy, 'package.json')).resolve('rolldown');
  const { rolldown }: Rolldown = await import(pathToFileURL(entry).href);
  const tests = globSync(`${room.folder}/**/*.test.ts`, { cwd: copy }).filter((file) => !LEFT_OUT.test(file));
  const plugin: Plugin = {
    name: 'instrumented',
    resolveId: (id) => (id === ENTRY ? ENTRY : id === 'vitest' ? VITEST : null),
    load(id) {
      if (id === ENTRY) return toModule(tests.map((test) => `import ${JSON.stringify(join(copy, test))};`).join('\n'));
      if (id === VITEST) return toModule('export const { describe, it, test, expect } = globalThis.mutationTests;');
      if (!id.endsWith('.ts')) return null;
      const code = contents.get(id) ?? readFileSync(id, 'utf8');
      return toModule(
        code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
      );
    },
  };
  const bundle = await rolldown({
    input: ENTRY,
    cwd: copy,
    platform: 'node',
    treeshake: false,
    logLevel: 'silent',
    external: (id: string) => id !== 'vitest' && FROM_PACKAGE.test(id),
    plugins: [plugin],
  });
  const { output } = await bundle.generate({ format: 'cjs' });
  return `(function (require, module, exports) {${output[0].code}\n})`;
}

function toModule(code: string): { readonly code: string; readonly moduleType: 'ts' } {
  return { code, moduleType: 'ts' };
}
