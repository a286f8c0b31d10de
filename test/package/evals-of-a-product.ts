import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { followPage } from '../docs/follow-page.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { installViva, type Manager, runLines } from './install.ts';

type Row = { readonly manager: Manager; readonly vitest: string; readonly sdk: string };

const FOLDER = join(ROOT, 'examples/evals');

/** Versions of the AI SDK; the other packages are those of the example. */
const SDKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  5: { ai: '5', '@ai-sdk/openai': '2' },
  7: {},
};

export const EVALS: readonly Row[] = [
  { manager: 'npm', vitest: '4.1', sdk: '5' },
  { manager: 'pnpm', vitest: '5.1', sdk: '7' },
];

/** Installs the example beside a packed viva, and does what its page says. */
export async function expectEvals(tarball: string, row: Row, tsc: string): Promise<void> {
  const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(FOLDER, 'package.json'), 'utf8'),
  );
  const packages = Object.entries({ ...dependencies, ...SDKS[row.sdk] });
  const others = packages.map(([name, version]) => `${name}@${version}`).join(' ');
  const { makeProject } = await installViva(tarball, row.manager, { ...row, others });
  const project = makeProject();
  const filter = (path: string) => !/\/(?:node_modules|\.evals)$/.test(path);
  cpSync(FOLDER, project, { recursive: true, filter });
  await runLines(tsc, project);
  const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  for (const [, path = '', lines] of page.matchAll(/^\| \[\w+\]\((\S+)\) .* (\d+) \|/gm))
    expect(`${path}: ${countLines(path)}`).toBe(`${path}: ${lines}`);
  expect(await followPage(page, project)).toEqual({ runs: 2, untrue: [] });
}

function countLines(path: string): number {
  return readFileSync(join(FOLDER, path), 'utf8').trimEnd().split('\n').length;
}
