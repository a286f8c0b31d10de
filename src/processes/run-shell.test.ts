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
 * A program that runs commands, each first with all files but `spare` taken that it may open, and
 * then with enough of them.
 */
const RUN_WITHOUT_FILES = `
import { closeSync, openSync } from 'node:fs';
import { runShell } from '${new URL('./run-shell.ts', import.meta.url).href}';
const [workdir, ...spares] = process.argv.slice(1);
const options = { input: '', workdir, signal: new AbortController().signal };
for (const spare of spares) {
  const taken = [];
  try { for (;;) taken.push(openSync('/dev/null')); } catch {}
  for (const file of taken.splice(0, Number(spare))) closeSync(file);
  const { kind, message } = await runShell('echo 17', options).catch((error) => error);
  for (const file of taken) closeSync(file);
  const { stdout } = await runShell('echo 18', options);
  console.log(kind, stdout.trim(), message);
}
`;

test.each([
  ['0', '0'],
  ['6', '3'],
])(
  'a command with %s files to spare, and a later one with %s, fail by the machine, and the next ones run',
  (...spares) => {
    const shell = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath];
    const program = ['--input-type=module', '-e', RUN_WITHOUT_FILES, makeFolder()];
    const output = execFileSync('/bin/sh', [...shell, ...program, ...spares], { encoding: 'utf8' });
    const failed =
      /^machine 18 .* cannot start the command \((?:spawn [\w/]+ EMFILE|EMFILE: .*)\)\. /;
    const matching = expect.stringMatching(failed);
    expect(output.trim().split('\n')).toEqual([matching, matching]);
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
