import { hash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { attempt } from '../text/thrown.ts';

/** What a run knows about other runs that use its answer cache. */
export type CacheUse = {
  /** Whether another run used it when this one began. */
  readonly isShared: boolean;
  /** Call it when this run asks nothing more. */
  end(): void;
};

/**
 * Tells runs that begin later that this one uses an answer cache, and finds runs that use it already. Each run listens on a
 * socket in the temporary folder. The socket ends with its process, so a killed run is not found. Without sockets no other
 * run is found. A socket's name is random, because containers that share the folder may use the same process ids.
 */
export async function useCache(folder: string): Promise<CacheUse> {
  const prefix = `${PREFIX}${hash('sha256', resolve(folder)).slice(0, 16)}-`;
  const own = `${prefix}${randomBytes(6).toString('hex')}.sock`;
  const server = createServer((socket) => socket.destroy()).unref();
  const end = () => void server.close();
  // Make our own socket first: of two runs that begin together, at least one then sees the other.
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  server.once('listening', () => settle(true)).once('error', () => settle(false));
  server.listen(join(tmpdir(), own));
  if (!(await promise)) return { isShared: false, end };
  const others = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX) && name !== own);
  // Check the sockets of other caches too, so that those of ended runs are removed.
  const found = await Promise.all(
    others.map(async (name) => (await isListening(join(tmpdir(), name))) && name.startsWith(prefix)),
  );
  return { isShared: found.includes(true), end };
}

const PREFIX = 'viva-cache-';

async function isListening(path: string): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => settle(true)).once('error', (error) => {
    // No process listens: Ctrl-C or a kill left the socket. Another user's socket cannot be removed.
    if ('code' in error && error.code === 'ECONNREFUSED') attempt(() => rmSync(path, { force: true }));
    settle(false);
  });
  const isLive = await promise;
  socket.destroy();
  return isLive;
}
