import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Retries } from '../../processes/retry.ts';

/** A dataset on the Hugging Face Hub at a branch, tag or commit. */
export type HubSource = Readonly<{
  /** "owner/name". */
  name: string;
  revision: string;
  /**
   * The file of records, a folder of such files, or a pattern with "*", if the source names one.
   */
  file?: string;
}>;

/** How many bytes of a download have arrived. */
export type HubProgress = Readonly<{ done: number; total: number }>;

const PREFIX = 'hf:';
const DEFAULT_REVISION = 'main';

/** What `parseHubSource` accepts, for messages. */
export const HUB_SOURCE_FORM =
  'hf:owner/name, hf:owner/name@revision or hf:owner/name:CONFIGURATION_OR_FILES';

/** Whether a setting names a dataset on the Hub, not a path. */
export function isHubSource(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Parses `hf:owner/name[@revision][:files]`; null for any other text. Every part becomes a folder
 * of the cache, so it may contain only letters, digits, "-", "_" and ".", and must not be "..";
 * files may have "*", spaces and brackets too, as "standard (10 options)" has.
 */
export function parseHubSource(text: string): HubSource | null {
  if (!isHubSource(text)) return null;
  const [, name = '', revision = DEFAULT_REVISION, file] =
    /^([^@:]*)(?:@([^@:]*))?(?::([^:]*))?$/.exec(text.slice(PREFIX.length)) ?? [];
  const isName = name.split('/').length === 2 && !name.includes('--');
  const files = file?.replace(/\/$/, '').replaceAll(/[* ()]/g, 'x') ?? 'all';
  const parts = [name, revision, files].flatMap((path) => path.split('/'));
  return isName && parts.every(isPart) ? { name, revision, ...(file && { file }) } : null;
}

/** The source as EVAL_GAIA writes it. */
export function showHubSource({ name, revision, file }: HubSource): string {
  const at = revision === DEFAULT_REVISION ? '' : `@${revision}`;
  return `${PREFIX}${name}${at}${file === undefined ? '' : `:${file}`}`;
}

function isPart(part: string): boolean {
  return /^[\w.-]{1,100}$/.test(part) && !/^\.+$/.test(part);
}

/** How the Hub is reached. It contains a secret, so it must not be written to any file. */
export type HubSettings = Readonly<{
  /** Base address, without a slash at the end. */
  url: string;
  /** The folder that all tools of the Hub share; one folder below for each dataset. */
  cacheDir: string;
  token: string | null;
  /** Whether only the cache may be used. */
  offline: boolean;
  /** A request fails when the server sends nothing for this many milliseconds. */
  stallMs: number;
  retries: Retries;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

const TOKENS = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACEHUB_API_TOKEN', 'HF_API_TOKEN'];

/**
 * Reads the variables that the Hub's own tools know (HF_TOKEN, HF_HOME, HF_HUB_CACHE, HF_ENDPOINT,
 * ...); pure.
 */
export function readHubSettings(env: Environment): HubSettings {
  return {
    url: (given(env, 'HF_ENDPOINT') ?? 'https://huggingface.co').replace(/\/$/, ''),
    cacheDir: findCache(env),
    token: TOKENS.map((name) => given(env, name)).find((token) => token !== null) ?? null,
    offline: ['1', 'ON', 'YES', 'TRUE'].includes(
      (given(env, 'HF_HUB_OFFLINE') ?? '').toUpperCase(),
    ),
    stallMs: 30_000,
    // A run that waits for minutes looks hung.
    retries: { times: 4, pauseMs: 500, longestMs: 60_000 },
  };
}

function findCache(env: Environment): string {
  const home = given(env, 'HOME') ?? homedir();
  const cache = given(env, 'XDG_CACHE_HOME') ?? join(home, '.cache');
  const hub = given(env, 'HF_HOME') ?? join(cache, 'huggingface');
  const folder =
    given(env, 'HF_HUB_CACHE') ?? given(env, 'HUGGINGFACE_HUB_CACHE') ?? join(hub, 'hub');
  return folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : folder;
}

function given(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? '';
  return value === '' ? null : value;
}

const EVERY_MS = 2000;

/**
 * Writes the progress of a download every two seconds, and once more at its end if it has written
 * before.
 */
export function showProgress(
  suite: string,
  write: (line: string) => void,
): (progress: HubProgress) => void {
  let shownAt = performance.now();
  let shown = false;
  return (progress) => {
    const isEnd = progress.done === progress.total;
    if (isEnd ? !shown : performance.now() - shownAt < EVERY_MS) return;
    [shownAt, shown] = [performance.now(), !isEnd];
    const [done, total] = [progress.done, progress.total].map((bytes) =>
      (bytes / 1024 ** 2).toFixed(1),
    );
    write(`${suite}: downloaded ${done} of ${total} MB\n`);
  };
}
