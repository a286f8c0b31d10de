import { expect, test } from 'vitest';
import { createSuiteKey } from './suite-key.ts';

test('a key tells suites, datasets and agents apart, also those that follow one another', () => {
  const toKey = createSuiteKey();
  const parts = { suite: 's', dataset: 'd', agent: 'a' };
  const others = [{ suite: 'x' }, { dataset: 'x' }, { agent: 'x' }].map((change) => ({ ...parts, ...change }));
  const keys = [parts, ...others, parts].map(toKey);
  expect(new Set(keys).size).toBe(4);
  expect([keys[4], toKey({ ...parts })]).toEqual([keys[0], keys[0]]);
});
