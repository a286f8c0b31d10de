import { expect, test } from 'vitest';
import { parseHubSource, showHubSource } from './hub-source.ts';

test.each([
  ['hf:gaia-benchmark/GAIA', { name: 'gaia-benchmark/GAIA', revision: 'main' }],
  ['hf:a.b/c_d-e@v1.0', { name: 'a.b/c_d-e', revision: 'v1.0' }],
  ['hf:a/b@refs/pr/3', { name: 'a/b', revision: 'refs/pr/3' }],
])('%s is a dataset', (text, source) => {
  expect(parseHubSource(text)).toEqual(source);
  expect(showHubSource(source)).toBe(text);
});

test.each([
  'gaia-benchmark/GAIA',
  './hf:a/b',
  'hf:',
  'hf:a',
  'hf:/b',
  'hf:a/b/c',
  'hf:../b',
  'hf:a/..',
  'hf:a--b/c',
  'hf:a/b@',
  'hf:a/b@x@y',
  'hf:a/b@..',
  'hf:a/b@x/../y',
  'hf:a/b@/x',
  'hf:a b/c',
  'hf:a/b?x=1',
  'hf:a/b\n',
  `hf:a/${'b'.repeat(101)}`,
])('%j is none', (text) => {
  expect(parseHubSource(text)).toBeNull();
});
