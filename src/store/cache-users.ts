import { hash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { attempt } from '../text/thrown.ts';

/** What a run knows of others that use its answer cache. */
export type CacheUse = {
  /** Whether another run was using it when this one began. */
  readonly isShared: boolean;
  /** To be called when this run asks no more. */
  end(): void;
};

/**
 * Says to runs that begin later that this one uses an answer cache, and finds those that use it already. Each run listens
 * on a socket in the temporary folder: it dies with its process, so that a run that was killed is not taken for a live
 * one. Where no socket can be made, no other run is found. A socket's name is random: containers that share the folder
 * number their processes alike.
 */
export async function useCache(folder: string): Promise<CacheUse> {
  const prefix = `${PREFIX}${hash('sha256', resolve(folder)).slice(0, 16)}-`;
  const own = `${prefix}${randomBytes(6).toString('hex')}.sock`;
  const server = createServer((socket) => socket.destroy()).unref();
  const end = () => void server.close();
  // First own, then others: of two runs that begin together, one sees the other.
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  server.once('listening', () => settle(true)).once('error', () => settle(false));
  server.listen(join(tmpdir(), own));
  if (!(await promise)) return { isShared: false, end };
  const others = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX) && name !== own);
  // Those of other caches too: what ended runs left of them must not pile up.
  const found = await Promise.all(
    others.map(async (name) => (await isListening(join(tmpdir(), name))) && name.startsWith(prefix)),
  );
  return { isShared: found.includes(true), end };
}

const PREFIX = 'viva-cache-';

async function isListening(path: string): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => settle(true)).once('error', (error) => {
    // Nobody listens any more: Ctrl-C or a kill left it. Another user's cannot be removed.
    if ('code' in error && error.code === 'ECONNREFUSED') attempt(() => rmSync(path, { force: true }));
    settle(false);
  });
  const isLive = await promise;
  socket.destroy();
  return isLive;
}
