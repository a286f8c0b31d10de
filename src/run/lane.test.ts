import { expect, test } from 'vitest';
import type { Agent } from '../types.ts';
import { checkReady } from './lane.ts';

const agent: Agent = { name: 'openai:m', unready: 'No key. Set one.', answer: async () => ({ text: '' }) };

test('an agent without its key is refused only where it is to be asked', () => {
  const check = (to_ask: number, config: Parameters<typeof checkReady>[2]) => () =>
    checkReady([{ agent }], [{ to_ask }], config);
  expect(check(1, { cache: 'on', dryRun: null })).toThrow('EVAL_AGENT=openai:m: No key. Set one.');
  expect(check(0, { cache: 'on', dryRun: null })).not.toThrow();
  expect(check(1, { cache: 'only', dryRun: null })).not.toThrow();
  expect(check(1, { cache: 'on', dryRun: true })).not.toThrow();
});
