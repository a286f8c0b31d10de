import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseHubSource, readHubSettings, showHubSource, showProgress } from './hub-source.ts';

test.each([
  ['hf:gaia-benchmark/GAIA', { name: 'gaia-benchmark/GAIA', revision: 'main' }],
  ['hf:a.b/c_d-e@v1.0', { name: 'a.b/c_d-e', revision: 'v1.0' }],
])('%s is a dataset', (text, source) => {
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
])('%j is none', (text) => {
  expect(parseHubSource(text)).toBeNull();
});

describe('readHubSettings', () => {
  test.each<[string, Record<string, string>, string]>([
    ['HF_HUB_CACHE', { HF_HUB_CACHE: '/c', HF_HOME: '/h', HOME: '/u' }, '/c'],
    ['HF_HOME', { HF_HOME: '/h', XDG_CACHE_HOME: '/x', HOME: '/u' }, '/h/hub'],
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x', HOME: '/u' }, '/x/huggingface/hub'],
    ['HOME', { HOME: '/u' }, '/u/.cache/huggingface/hub'],
    ['a leading ~', { HF_HOME: '~/h', HOME: '/u' }, '/u/h/hub'],
    ['no empty value', { HF_HUB_CACHE: ' ', HF_HOME: '/h' }, '/h/hub'],
  ])('finds the cache by %s', (_, env, cacheDir) => {
    expect(readHubSettings(env).cacheDir).toBe(cacheDir);
  });

  test.each<[Record<string, string>, string | null]>([
    [{}, null],
    [{ HF_TOKEN: '' }, null],
    [{ HF_TOKEN: ' hf_a\n', HF_API_TOKEN: 'hf_b' }, 'hf_a'],
    [{ HUGGING_FACE_HUB_TOKEN: 'hf_a' }, 'hf_a'],
    [{ HF_API_TOKEN: 'hf_a' }, 'hf_a'],
  ])('finds in %j the token %j', (env, token) => {
    expect(readHubSettings(env).token).toBe(token);
  });

  test.each([
    [undefined, false],
    ['0', false],
    ['1', true],
    ['true', true],
  ])('takes HF_HUB_OFFLINE=%s as %j', (value, offline) => {
    expect(readHubSettings({ HF_HUB_OFFLINE: value }).offline).toBe(offline);
  });

  test('uses another address of the Hub', () => {
    expect(readHubSettings({}).url).toBe('https://huggingface.co');
    expect(readHubSettings({ HF_ENDPOINT: 'http://127.0.0.1:9/' }).url).toBe('http://127.0.0.1:9');
  });
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
