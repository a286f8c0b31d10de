import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { tryOrUndefined } from '../text/thrown.ts';

/**
 * Holds a lock that dies with this process and outlives a pause of it: a socket in a folder, which
 * other containers see too. Returns how to release it, or null where no socket can be made, as on
 * Windows and some network drives.
 */
export function holdLock(folder: string, name: string): (() => void) | null {
  const opened = tryOrUndefined(() => openShortPath(folder));
  if (opened === undefined) return null;
  const server = createServer((socket) => socket.destroy())
    .unref()
    .once('close', opened.close);
  // The socket is made at once; an error is told later.
  server.once('error', opened.close).listen(join(opened.path, name));
  return existsSync(join(folder, name)) ? () => void server.close() : null;
}

/** Whether a process holds the lock. What a killed process left of it is removed. */
export async function isHeld(folder: string, name: string): Promise<boolean> {
  const opened = tryOrUndefined(() => openShortPath(folder));
  if (opened === undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(join(opened.path, name), () => resolve(true)).once('error', (error) => {
    const code = 'code' in error ? error.code : null;
    if (code === 'ECONNREFUSED') tryOrUndefined(() => rmSync(join(folder, name), { force: true }));
    // A stopped process may have many connections that wait, and another user's socket refuses us.
    resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
  });
  const isListening = await promise;
  socket.destroy();
  opened.close();
  return isListening;
}

/** The path of a socket has at most 103 bytes. On Linux an open folder has a short one. */
function openShortPath(folder: string): { readonly path: string; close(): void } {
  if (process.platform !== 'linux') return { path: folder, close: () => {} };
  const descriptor = openSync(folder, 'r');
  return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) };
}
