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

const READING = `
const { readDocument } = await import(process.argv[1]);
const { makeZip } = await import(process.argv[2]);
const nested = '<a>' + '<b>'.repeat(1_000_000);
const main = '<Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>';
const files = { '[Content_Types].xml': '<Types/>', '_rels/.rels': '<Relationships>' + main + '</Relationships>', 'word/document.xml': nested };
await readDocument(makeZip(files), 'a.docx');
`;

// A built-in function asks nobody whether it may go on, and only the parent has a clock.
test.each([
  [
    'a loop',
    CALCULATING,
    'src/tools/calculate.ts',
    'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  ],
  [
    'the reading of a document',
    READING,
    'src/tools/readers/index.ts',
    join(ROOT, 'test/make-zip.ts'),
  ],
])(
  'a calculation or reading ends with the process that asked for it: %s',
  async (_, script, module, argument) => {
    const args = ['--input-type=module', '--eval', script, join(ROOT, module), argument];
    const parent = spawn(process.execPath, args, { stdio: 'ignore' });
    const child = await waitForChild(parent.pid);
    while (usedSeconds(child) < 1) await sleep(20);
    parent.kill('SIGKILL');
    expect(await survivors([child])).toEqual([]);
  },
);

async function waitForChild(parent: number | undefined): Promise<number> {
  for (;;) {
    const processes = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const rows = processes.map((row) => row.trim().split(/\s+/).map(Number));
    const [found] = rows.find(([, ppid]) => ppid === parent) ?? [];
    if (found !== undefined) return found;
    await sleep(20);
  }
}

/**
 * Of the processor, as "00:00:01" or "0:01.23"; no start takes a second of it, so that then the
 * code runs.
 */
function usedSeconds(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(time.trim().split(':').at(-1));
}
