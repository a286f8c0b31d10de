import { homedir } from 'node:os';
import { join } from 'node:path';

/** How the Hub is reached. It holds a secret: it is handed on in memory and written nowhere. */
export type HubSettings = {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** The folder that all tools of the Hub share; one folder below for each dataset. */
  readonly cacheDir: string;
  readonly token: string | null;
  /** Whether only the cache may be used. */
  readonly offline: boolean;
  /** A server that sends nothing for so long is taken for gone. */
  readonly stallMs: number;
  /** The pause before each new try of a failed request; as many tries as pauses. */
  readonly retryDelaysMs: readonly number[];
};

type Environment = Readonly<Record<string, string | undefined>>;

const TOKENS = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HUGGINGFACEHUB_API_TOKEN', 'HF_API_TOKEN'];

/** Reads the variables that the Hub's own tools know (HF_TOKEN, HF_HOME, HF_HUB_CACHE, HF_ENDPOINT, ...); pure. */
export function readHubSettings(env: Environment): HubSettings {
  return {
    url: (given(env, 'HF_ENDPOINT') ?? 'https://huggingface.co').replace(/\/$/, ''),
    cacheDir: findCache(env),
    token: TOKENS.map((name) => given(env, name)).find((token) => token !== null) ?? null,
    offline: ['1', 'ON', 'YES', 'TRUE'].includes((given(env, 'HF_HUB_OFFLINE') ?? '').toUpperCase()),
    stallMs: 30_000,
    retryDelaysMs: [500, 1000, 2000, 4000],
  };
}

function findCache(env: Environment): string {
  const home = given(env, 'HOME') ?? homedir();
  const cache = given(env, 'XDG_CACHE_HOME') ?? join(home, '.cache');
  const hub = given(env, 'HF_HOME') ?? join(cache, 'huggingface');
  const folder = given(env, 'HF_HUB_CACHE') ?? given(env, 'HUGGINGFACE_HUB_CACHE') ?? join(hub, 'hub');
  return folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : folder;
}

function given(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? '';
  return value === '' ? null : value;
}
