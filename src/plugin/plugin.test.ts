import { expect, test } from 'vitest';
import { checkVersions } from './plugin.ts';

test.each([
  ['24.0.0', '5.1.0', null],
  ['25.1.0', '6.0.0-beta.1', null],
  [
    '22.12.0',
    '5.1.0',
    'viva needs Node 24 or later, and this is Node 22.12.0 (in a clone of viva, "pnpm vitest" brings its own).',
  ],
  ['24.0.0', '5.0.3', 'viva needs Vitest 5.1 or later, and this is Vitest 5.0.3.'],
  ['24.0.0', '4.1.0', 'viva needs Vitest 5.1 or later, and this is Vitest 4.1.0.'],
])('Node %s and Vitest %s: %s', (node, vitest, sentence) => {
  const check = () => checkVersions(node, vitest);
  if (sentence === null) expect(check).not.toThrow();
  else expect(check).toThrow(sentence);
});
