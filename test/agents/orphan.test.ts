import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { survivors } from '../processes.ts';

const CALCULATING = `
const { calculate } = await import(process.argv[1]);
const context = { signal: new AbortController().signal, attachments: [] };
await calculate.run(new Map([['code', process.argv[2]]]), context);
`;

// A built-in function asks nobody whether it may go on: these run for hours, and only the parent has a clock.
test.each([
  ['a loop', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  ['a search that takes the square of its text', '"a".repeat(1e7).lastIndexOf("a".repeat(5e6) + "b")'],
])('a calculation ends with the process that asked for it, however that ends: %s', async (_, code) => {
  const module = join(ROOT, 'src/tools/calculate.ts');
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', CALCULATING, module, code], {
    stdio: 'ignore',
  });
  const child = await waitForChild(parent.pid);
  while (usedSeconds(child) < 1) await sleep(20);
  parent.kill('SIGKILL');
  expect(await survivors([child], 10_000)).toEqual([]);
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

/** Of the processor, as "00:00:01" or "0:01.23"; no start takes a second of it, so that then the code runs. */
function usedSeconds(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(time.trim().split(':').at(-1));
}

/** A zombie, which its new parent has yet to collect, has ended too. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}
