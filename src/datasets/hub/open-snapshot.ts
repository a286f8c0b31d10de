import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nameType } from '../../records/show-value.ts';
import { CacheFolder } from './cache-folder.ts';
import { HubError } from './hub-error.ts';
import { type Hub, hubFetch, toNetworkError } from './hub-request.ts';
import { type RemoteFile, toRemoteFile } from './remote-file.ts';

/** A dataset at one commit: what it holds, as far as that is known. */
export type Snapshot = {
  readonly hub: Hub;
  readonly cache: CacheFolder;
  readonly commit: string;
  /** The files by path; null without the Hub, when only what was downloaded before can be used. */
  readonly files: ReadonlyMap<string, RemoteFile> | null;
  readonly notes: readonly string[];
};

/** No dataset of questions is so large; a list that never ends is no list. */
const MAX_FILES = 50_000;

/**
 * Finds the commit of a revision and lists its files. Without the Hub (HF_HUB_OFFLINE, or no connection) it falls
 * back to the commit in the cache, and says so. Rejects with a HubError.
 */
export async function openSnapshot(hub: Hub): Promise<Snapshot> {
  const cache = new CacheFolder(hub.settings.cacheDir, hub.source);
  if (hub.settings.offline) return openCached(hub, cache, 'HF_HUB_OFFLINE is set');
  assertToken(hub);
  try {
    const commit = await findCommit(hub);
    const files = await listRemote(hub, commit);
    return { hub, cache, commit, files, notes: [] };
  } catch (error) {
    if (!(error instanceof HubError) || !isAway(error) || cachedCommit(hub, cache) === null) throw error;
    return openCached(hub, cache, error.message);
  }
}

/** Whether a snapshot has a file, of what is known of it. */
export function hasFile({ files, cache, commit }: Snapshot, path: string): boolean {
  return files === null ? existsSync(join(cache.snapshot(commit), path)) : files.has(path);
}

/** Whether the Hub could not answer at all; a refusal is an answer. */
function isAway({ kind }: HubError): boolean {
  return kind === 'network' || kind === 'server' || kind === 'rate_limit';
}

function openCached(hub: Hub, cache: CacheFolder, why: string): Snapshot {
  const commit = cachedCommit(hub, cache);
  if (commit === null) throw new HubError(hub.source, { kind: 'not_cached', detail: `${cache.root}; ${why}` });
  return {
    hub,
    cache,
    commit,
    files: null,
    notes: [`Read from the cache at commit ${commit}: ${why.replace(/\.$/, '')}.`],
  };
}

function cachedCommit({ source }: Hub, cache: CacheFolder): string | null {
  const commit = isCommit(source.revision) ? source.revision : cache.readRef(source.revision);
  return commit !== null && existsSync(cache.snapshot(commit)) ? commit : null;
}

/** The library and `fetch` would refuse it too, the one without saying whose token is meant, the other by showing it. */
function assertToken({ settings: { token }, source }: Hub): void {
  if (token === null || /^hf_[\x21-\x7e]+$/.test(token)) return;
  const detail = `it must be "hf_" and visible ASCII characters, got ${token.length} characters that are not shown`;
  throw new HubError(source, { kind: 'bad_token', detail });
}

async function findCommit(hub: Hub): Promise<string> {
  if (isCommit(hub.source.revision)) return hub.source.revision;
  const { datasetInfo } = await import('@huggingface/hub');
  const { name, revision } = hub.source;
  const info = await answered(hub, () => datasetInfo({ name, revision, additionalFields: ['sha'], ...toAccess(hub) }));
  if (isCommit(info.sha)) return info.sha;
  throw new HubError(hub.source, { kind: 'bad_response', detail: `no commit, but ${nameType(info.sha)}` });
}

async function listRemote(hub: Hub, commit: string): Promise<ReadonlyMap<string, RemoteFile>> {
  const { listFiles } = await import('@huggingface/hub');
  const repo = { type: 'dataset', name: hub.source.name } as const;
  const files = new Map<string, RemoteFile>();
  return answered(hub, async () => {
    for await (const entry of listFiles({ repo, revision: commit, recursive: true, ...toAccess(hub) })) {
      const file = toRemoteFile(entry);
      if (file === undefined || files.size >= MAX_FILES) throw new TypeError('the list of files makes no sense');
      if (file !== null) files.set(file.path, file);
    }
    return files;
  });
}

function toAccess(hub: Hub) {
  const { url, token } = hub.settings;
  return { hubUrl: url, fetch: hubFetch(hub), ...(token === null ? {} : { accessToken: token }) };
}

/** Whatever the library throws beside our own errors is an answer that it could not read, or the end of one. */
async function answered<T>(hub: Hub, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof HubError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const broken = message === 'terminated' || (cause instanceof Error && cause.name === 'TimeoutError');
    throw broken
      ? toNetworkError(hub, cause)
      : new HubError(hub.source, { kind: 'bad_response', detail: message, cause });
  }
}

function isCommit(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40}$/.test(value);
}
