import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toMachineError } from './machine-error.ts';
import { runShell } from './run-shell.ts';

const failed = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

describe('toMachineError', () => {
  test.each([
    [
      'EMFILE',
      'open',
      'Lower EVAL_CONCURRENCY or allow more open files and processes (ulimit -n, ulimit -u), then run again.',
    ],
    ['ENOMEM', 'spawn', 'Lower EVAL_CONCURRENCY or free memory, then run again.'],
    ['EAGAIN', 'spawn /bin/sh', 'Lower EVAL_CONCURRENCY or allow'],
    ['EACCES', 'spawn /bin/sh', 'Check that'],
  ])('recognises %s of %s, also as the cause of another error', (code, syscall, remedy) => {
    const error = new Error('no page', { cause: failed(code, syscall) });
    const message = expect.stringContaining(
      `The machine cannot go on (${syscall} ${code}). ${remedy}`,
    );
    expect(toMachineError(error, 'go on')).toMatchObject({
      kind: 'machine',
      message,
      cause: error,
    });
  });

  test.each([
    ['E2BIG', 'spawn /bin/sh'],
    ['EAGAIN', 'read'],
    ['ENOENT', 'open'],
    ['ECONNREFUSED', 'connect'],
  ])('leaves %s of %s to others', (code, syscall) => {
    expect(toMachineError(failed(code, syscall), 'go on')).toBeNull();
  });
});

test('a missing work folder is a fault of the machine, however many run at once', async () => {
  const options = {
    input: '',
    workdir: join(makeFolder(), 'gone'),
    signal: new AbortController().signal,
  };
  const running = runShell('echo 17', options);
  const message =
    'The machine cannot start the command (spawn /bin/sh ENOENT). ' +
    'Check that "/bin/sh" and its working folder exist and may be used, then run again.';
  await expect(running).rejects.toMatchObject({ kind: 'machine', message });
});
