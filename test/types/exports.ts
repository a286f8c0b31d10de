import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../e2e/run-vitest.ts';

/** What users import: its name, from where, and its docstring ("" without one). */
export type Exported = Readonly<{ name: string; from: string; doc: string }>;

/** The files behind `viva`, `viva/vitest` and so on, as package.json has them. */
export const ENTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<string>(JSON.parse(read('package.json')).exports).map(([path, file]) => [
    path.replace('.', 'viva'),
    join(ROOT, file),
  ]),
);

const DECLARATION = /^export (?:async |declare )?(?:function|const|type|class|interface) (\w+)/gm;

/** Each name that an entry declares, or has from another file. */
export function listExports(): readonly Exported[] {
  return Object.entries(ENTRIES).flatMap(([from, file]) => {
    const text = readFileSync(file, 'utf8');
    const own = [...text.matchAll(DECLARATION)].map(([, name = '']) => ({ name, file }));
    const others = [...text.matchAll(/^export (?:type )?\{([^}]+)\} from '(.+)'/gm)].flatMap(
      ([, names = '', path = '']) =>
        [...names.matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = '']) => ({
          name,
          file: join(file, '..', path),
        })),
    );
    const found = [...new Map([...own, ...others].map((each) => [each.name, each])).values()];
    return found.map((each) => ({ name: each.name, from, doc: findDoc(each.name, each.file) }));
  });
}

/** The docstring above a declaration; of an overloaded function the first one. */
function findDoc(name: string, file: string): string {
  const [before = ''] = readFileSync(file, 'utf8').split(
    new RegExp(`^export .*\\b(?:function|const|type|class|interface) ${name}\\b`, 'm'),
  );
  const [, doc = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\/\/.*\n)*$/.exec(before) ?? [];
  return doc.replaceAll(/^ ?\* ?/gm, '').trim();
}

/** The code below `@example`; "" without one. */
export function findExample({ doc }: Exported): string {
  return doc.split('@example\n')[1] ?? '';
}

/** What examples take from the user's own files, and from packages that a reader knows. */
const STUBS: Readonly<Record<string, string>> = {
  readFileSync: "import { readFileSync } from 'node:fs';",
  join: "import { join } from 'node:path';",
  expect: "import { expect } from 'vitest';",
  defineConfig: "import { defineConfig } from 'vitest/config';",
  askMyAgent: 'declare const askMyAgent: (...asked: unknown[]) => Promise<string>;',
  generateText: `type Call = { model: string; abortSignal: AbortSignal } & ({ prompt: string } | { messages: { role: 'user' | 'assistant'; content: string }[] });
declare const generateText: (call: Call & { system?: string }) => Promise<{ text: string }>;`,
  model: 'declare const model: string;',
  exporter: 'declare const exporter: { reset(): void; getFinishedSpans(): unknown[] };',
  Factuality:
    'declare const Factuality: (args: { output: string; model?: string }) => Promise<{ name: string; score: number | null }>;',
};

/** A module for each example, with the imports that an editor adds. */
export function writeExamples(exported: readonly Exported[]): Readonly<Record<string, string>> {
  const written = exported.filter((each) => findExample(each) !== '');
  return Object.fromEntries(
    written.map((each, index) => {
      const code = findExample(each);
      const uses = (name: string) => new RegExp(`(?<![.\\w])${name}\\b`).test(code);
      const imports = Object.keys(ENTRIES).map((from) => {
        const names = exported.filter((other) => other.from === from && uses(other.name));
        return names.length === 0
          ? ''
          : `import { ${names.map(({ name }) => name).join(', ')} } from '${from}';`;
      });
      const stubs = Object.keys(STUBS).filter((name) => uses(name));
      const lines = [...imports, ...stubs.map((name) => STUBS[name]), code];
      return [`${index + 1}-${each.name}.ts`, `${lines.join('\n')}\nexport {};\n`];
    }),
  );
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
