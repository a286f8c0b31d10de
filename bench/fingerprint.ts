import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createViteServer } from 'vitest/node';
import { findAgentSources } from '../src/plugin/agent-sources.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { median } from './measure/median.ts';

/**
 * `node bench/fingerprint.ts`: what the fingerprint of an agent of 100 files costs beside Vite's
 * own compilation of these files, which Vitest needs to import them. Medians of 7 rounds in turn,
 * each with a new Vite server.
 */
const FILES = 100;
const FILE_BYTES = 5000;
const ROUNDS = 7;

const root = mkdtempSync(join(tmpdir(), 'viva-fingerprint-'));
const evalFile = join(root, 'a.eval.ts');
try {
  writeProject();
  const rounds: Costs[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await measureRound());
  // The first round warms up.
  const measured = rounds.slice(1);
  report({
    compileMs: median(measured.map(({ compileMs }) => compileMs)),
    fingerprintMs: median(measured.map(({ fingerprintMs }) => fingerprintMs)),
  });
} finally {
  rmSync(root, { recursive: true });
}

function report({ compileMs, fingerprintMs }: Costs): void {
  const header = ['files', 'Vite compiles, ms of CPU', 'fingerprint, ms of CPU', 'ratio'];
  const row = [
    `${FILES} of ${FILE_BYTES} bytes`,
    compileMs.toFixed(0),
    fingerprintMs.toFixed(0),
    (fingerprintMs / compileMs).toFixed(2),
  ];
  console.log(`${describeMachine()}:\n\n${toMarkdownTable(header, [row])}`);
}

/** Each file imports the next two; all read a variable and a text. */
function writeProject(): void {
  mkdirSync(join(root, 'src'));
  for (let index = 0; index < FILES; index += 1) {
    const others = [index + 1, index + 2].filter((other) => other < FILES);
    const lines = [
      ...others.map((other) => `import { f${other} } from './file-${other}.ts';`),
      `const text: string = readFileSync(new URL('./prompt.md', import.meta.url), 'utf8');`,
      `export const uses = [${others.map((other) => `f${other}`).join(', ')}];`,
      `export const f${index} = (): string => text + process.env['MODEL_${index}'];`,
    ];
    const line = (at: number) =>
      `export function step${at}(value: number): number { return value * ${at} + ${index}; }`;
    for (let at = 0; lines.join('\n').length < FILE_BYTES; at += 1) lines.push(line(at));
    writeFileSync(join(root, `src/file-${index}.ts`), lines.join('\n'));
  }
  writeFileSync(join(root, 'src/prompt.md'), 'Answer.');
  writeFileSync(evalFile, `import { f0 } from './src/file-0.ts';\nexport const agent = f0;\n`);
}

/** One round with a Vite server of its own. */
async function measureRound(): Promise<Costs> {
  const vite = await createViteServer({
    configFile: false,
    root,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, watch: null },
  });
  const files = Array.from({ length: FILES }, (_, index) => join(root, `src/file-${index}.ts`));
  const { ssr } = vite.environments;
  const compileMs = await measureCpu(() =>
    Promise.all([evalFile, ...files].map((file) => ssr.transformRequest(file))),
  );
  const project = { vite, config: { env: {} } };
  const fingerprintMs = await measureCpu(() =>
    findAgentSources(project, [evalFile], [], process.env),
  );
  await vite.close();
  return { compileMs, fingerprintMs };
}

async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds of CPU. */
type Costs = { readonly compileMs: number; readonly fingerprintMs: number };
