import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type HubSettings,
  parseHubSource,
  readHubSettings,
  showHubSource,
  showProgress,
} from './hub-source.ts';

test.each([
  ['hf:gaia-benchmark/GAIA', { name: 'gaia-benchmark/GAIA', revision: 'main' }],
  ['hf:a.b/c_d-e@v1.0', { name: 'a.b/c_d-e', revision: 'v1.0' }],
])('%s names a dataset of the Hub', (text, source) => {
  expect(parseHubSource(text)).toEqual(source);
  expect(showHubSource(source)).toBe(text);
});

test.each([
  ...'gaia-benchmark/GAIA ./hf:a/b hf: hf:a hf:/b hf:a/b/c hf:../b hf:a/.. hf:a--b/c hf:a/b@ hf:a/b@x@y hf:a/b@..'.split(
    ' ',
  ),
  ...[
    'hf:a/b@x/../y',
    'hf:a/b@/x',
    'hf:a b/c',
    'hf:a/b?x=1',
    'hf:a/b\n',
    `hf:a/${'b'.repeat(101)}`,
  ],
])('%j names no dataset of the Hub', (text) => {
  expect(parseHubSource(text)).toBeNull();
});

test.each<[Record<string, string>, Partial<HubSettings>]>([
  [{ HF_HUB_CACHE: '/c', HF_HOME: '/h', HOME: '/u' }, { cacheDir: '/c' }],
  [{ HF_HOME: '/h', XDG_CACHE_HOME: '/x', HOME: '/u' }, { cacheDir: '/h/hub' }],
  [{ XDG_CACHE_HOME: '/x', HOME: '/u' }, { cacheDir: '/x/huggingface/hub' }],
  [{ HOME: '/u' }, { cacheDir: '/u/.cache/huggingface/hub' }],
  [{ HF_HOME: '~/h', HOME: '/u' }, { cacheDir: '/u/h/hub' }],
  [
    { HF_HUB_CACHE: ' ', HF_HOME: '/h', HF_TOKEN: '' },
    { cacheDir: '/h/hub', token: null },
  ],
  [{}, { token: null, offline: false, url: 'https://huggingface.co' }],
  [{ HF_TOKEN: ' hf_a\n', HF_API_TOKEN: 'hf_b' }, { token: 'hf_a' }],
  [{ HUGGING_FACE_HUB_TOKEN: 'hf_a' }, { token: 'hf_a' }],
  [{ HF_API_TOKEN: 'hf_a' }, { token: 'hf_a' }],
  [{ HF_HUB_OFFLINE: '0' }, { offline: false }],
  [{ HF_HUB_OFFLINE: '1' }, { offline: true }],
  [{ HF_HUB_OFFLINE: 'true' }, { offline: true }],
  [{ HF_ENDPOINT: 'http://127.0.0.1:9/' }, { url: 'http://127.0.0.1:9' }],
])('reads the variables %j as the settings %j', (env, settings) => {
  expect(readHubSettings(env)).toMatchObject(settings);
});

describe('the progress of a download', () => {
  const MB = 1024 ** 2;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each<[string, readonly (readonly [atMs: number, done: number])[], readonly string[]]>([
    [
      'that is short is not shown',
      [
        [100, 4],
        [500, 8],
      ],
      [],
    ],
    [
      'that is long has a line every two seconds and one at its end',
      [
        [1000, 1],
        [2500, 4],
        [3000, 5],
        [5000, 6],
        [5100, 8],
        [5200, 8],
      ],
      ['4.0 of 8.0 MB', '6.0 of 8.0 MB', '8.0 of 8.0 MB'],
    ],
  ])('%s', (_, steps, expected) => {
    const lines: string[] = [];
    const show = showProgress('gaia', (line) => lines.push(line));
    let now = 0;
    for (const [atMs, done] of steps) {
      vi.advanceTimersByTime(atMs - now);
      now = atMs;
      show({ done: done * MB, total: 8 * MB });
    }
    expect(lines).toEqual(expected.map((line) => `gaia: downloaded ${line}\n`));
  });
});
