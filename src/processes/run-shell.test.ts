import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readPids } from '../../test/processes.ts';
import { isRunning } from './groups.ts';
import { OutputTail, runShell } from './run-shell.ts';

/**
 * A program that runs one command, then takes all files but `spare` that it may open, and runs
 * another.
 */
const RUN_WITHOUT_FILES = `
import { closeSync, openSync } from 'node:fs';
import { runShell } from '${new URL('./run-shell.ts', import.meta.url).href}';
const [workdir, isFirst, spare] = process.argv.slice(1);
const options = { input: '', workdir, signal: new AbortController().signal };
if (isFirst === 'second') await runShell('true', options);
const taken = [];
try { for (;;) taken.push(openSync('/dev/null')); } catch {}
for (const file of taken.splice(0, Number(spare))) closeSync(file);
const error = await runShell('echo 17', options).catch((error) => error);
for (const file of taken) closeSync(file);
const { stdout } = await runShell('echo 18', options);
console.log(JSON.stringify({ kind: error.kind, message: error.message, later: stdout }));
`;

test.each([
  ['first', 0],
  ['second', 0],
  ['first', 6],
  ['second', 3],
])(
  'the %s command with %i files to spare fails by the machine, and the next one runs',
  (which, spare) => {
    const words = [
      '-c',
      'ulimit -n 100; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
    ];
    const output = execFileSync(
      '/bin/sh',
      [...words, RUN_WITHOUT_FILES, makeFolder(), which, String(spare)],
      {
        encoding: 'utf8',
      },
    );
    const { kind, message, later } = JSON.parse(output);
    expect({ kind, later }).toEqual({ kind: 'machine', later: '18\n' });
    expect(message).toMatch(
      /^The machine cannot start the command \((?:spawn [\w/]+ EMFILE|EMFILE: .*)\)\. Lower EVAL_CONCURRENCY or allow/,
    );
  },
);

/** Blocks this whole process, like a very busy machine. */
function blockWhile(isOpen: () => boolean): void {
  while (isOpen()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}

// On a very busy machine the first read comes late, and nothing is left to read in time.
test('reads what was written in time, also in a busy process', {
  retry: 3,
}, async () => {
  const workdir = makeFolder();
  const script =
    '(until [ -e go ]; do sleep 0.01; done; echo 17; touch written; sleep 60) & echo $$ >pid';
  const running = runShell(script, { input: '', workdir, signal: new AbortController().signal });
  const [leader = 0] = await readPids(join(workdir, 'pid'), 1);
  // The id is gone once this process knows that the command has ended. The event loop then runs
  // timers first and reads after them.
  do await nextPass();
  while (isRunning(leader));
  writeFileSync(join(workdir, 'go'), '');
  blockWhile(() => !existsSync(join(workdir, 'written')));
  const graceIsOver = Date.now() + 600;
  blockWhile(() => Date.now() < graceIsOver);
  expect(await running).toMatchObject({ stdout: '17\n', code: 0 });
});

test.each([
  ['what is short', ['abc', 'de'], 'abcde'],
  ['what just fits', ['abcdefgh'], 'abcdefgh'],
  ['what is longer', ['abcdefghi'], '…bcdefghi'],
  ['what comes in pieces', ['abcdef', 'ghijk', 'l'], '…efghijkl'],
  ['what was cut within a character', ['€bcdefg'], '…bcdefg'],
])('the end of %s has a mark where something was before it', async (_, pieces, text) => {
  const stream = new PassThrough();
  const tail = new OutputTail(stream, 8);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await stream.toArray().catch(() => []);
  expect(tail.text).toBe(text);
});
