import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { toMachineError } from '../../processes/machine-error.ts';

/** Where a program writes its stdout or stderr, and what reads that. */
export type OutputPipe = { readonly reader: Readable; readonly writer: number };

/**
 * Pipes for a program's stdout and stderr. What Node calls a pipe is a socket, which a program cannot open as
 * /dev/stdout. Node makes no real one but opens one that has a name, which is gone again before the program starts.
 * None where there is no mkfifo, or `folder` takes no pipe.
 */
export async function openOutputPipes(folder: string): Promise<readonly OutputPipe[]> {
  const paths = [1, 2].map(() => join(folder, `.${randomUUID()}`));
  const opened: number[] = [];
  try {
    // Where it fails, there is nothing to open.
    await once(spawn('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' }), 'exit');
    // The reader comes first and waits for no writer; a writer would wait for a reader.
    for (const path of paths) {
      opened.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      opened.push(openSync(path, constants.O_WRONLY));
    }
    const [outReader = 0, stdout = 0, errReader = 0, stderr = 0] = opened;
    return [
      { reader: toReader(outReader), writer: stdout },
      { reader: toReader(errReader), writer: stderr },
    ];
  } catch (error) {
    opened.forEach(closeSync);
    if (!isMissing(error) && toMachineError(error, '') !== null) throw error;
    return [];
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

function toReader(fd: number): Readable {
  return new Socket({ fd, readable: true, writable: false });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
