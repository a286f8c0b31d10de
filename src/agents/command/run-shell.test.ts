import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';

/** A program that runs one command, then takes all files but `spare` that it may open, and runs another. */
const RUN_WITHOUT_FILES = `
import { closeSync, openSync } from 'node:fs';
import { runShell } from '${new URL('./run-shell.ts', import.meta.url).href}';
const [workdir, isFirst, spare] = process.argv.slice(1);
const options = { input: '', workdir, root: workdir, signal: new AbortController().signal };
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
])('the %s command with %i files to spare fails by the machine, and the next one runs', (which, spare) => {
  const words = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e'];
  const output = execFileSync('/bin/sh', [...words, RUN_WITHOUT_FILES, makeFolder(), which, String(spare)], {
    encoding: 'utf8',
  });
  const { kind, message, later } = JSON.parse(output);
  expect({ kind, later }).toEqual({ kind: 'machine', later: '18\n' });
  expect(message).toMatch(
    /^The machine cannot start the command \(spawn \/bin\/sh EMFILE\)\. Lower EVAL_CONCURRENCY, or allow/,
  );
});
