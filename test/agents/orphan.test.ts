import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';

const SCRIPT = `
const { calculate } = await import(process.argv[1]);
const context = { signal: new AbortController().signal, attachments: [] };
await calculate.run(new Map([['code', 'while (true) {}']]), context);
`;

test('a calculation ends with the process that asked for it, however that ends', { retry: 3 }, async () => {
  const options = ['--input-type=module', '--eval', SCRIPT, join(ROOT, 'src/tools/calculate.ts')];
  const parent = spawn(process.execPath, options, { stdio: 'ignore' });
  const child = await waitForChild(parent.pid);
  // Well before the 2 s after which the calculation would end by itself.
  await sleep(300);
  const killedAt = performance.now();
  parent.kill('SIGKILL');
  while (isAlive(child)) await sleep(10);
  expect(performance.now() - killedAt).toBeLessThan(1_200);
});

const READING = `
const { readDocument } = await import(process.argv[1]);
const { makeZip } = await import(process.argv[2]);
const nested = '<a>' + '<b>'.repeat(1_000_000);
const main = '<Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>';
const files = { '[Content_Types].xml': '<Types/>', '_rels/.rels': '<Relationships>' + main + '</Relationships>', 'word/document.xml': nested };
await readDocument(makeZip(files), 'a.docx');
`;

test('so does the reading of a document, which here would take more than a minute', { retry: 3 }, async () => {
  const modules = ['src/tools/readers/index.ts', 'test/make-zip.ts'].map((path) => join(ROOT, path));
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', READING, ...modules], { stdio: 'ignore' });
  const child = await waitForChild(parent.pid);
  await sleep(1_000);
  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');
  const killedAt = performance.now();
  while (isAlive(child)) await sleep(10);
  expect(performance.now() - killedAt).toBeLessThan(2_000);
});

async function waitForChild(parent: number | undefined): Promise<number> {
  for (;;) {
    const processes = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const rows = processes.map((row) => row.trim().split(/\s+/).map(Number));
    const [found] = rows.find(([, ppid]) => ppid === parent) ?? [];
    if (found !== undefined) return found;
    await sleep(20);
  }
}

/** A zombie, which its new parent has yet to collect, has ended too. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}
