import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../test/e2e/run-vitest.ts';
import { findUnsupported } from './versions.ts';

test.each([
  ['24.0.0', '5.0.0', null],
  ['22.12.0', '4.1.0', null],
  ['26.0.0', '5.9.1', null],
  [
    '22.11.0',
    '5.1.0',
    'viva needs Node 22.12 or later, but this is Node 22.11.0. Install it; in a clone of viva, "pnpm vitest" brings it.',
  ],
  [
    '24.0.0',
    '4.0.18',
    'viva needs Vitest 4.1 to 5, but this is Vitest 4.0.18. Install Vitest 4.1 or later, and your packages @vitest/... in the same version: vitest@^4.1',
  ],
  ['24.0.0', '6.0.0-beta.1', expect.stringMatching(/ is Vitest 6\.0\.0-beta\.1\. .+: vitest@5$/)],
])('Node %s and Vitest %s: %s', (node, vitest, sentence) => {
  expect(findUnsupported(node, vitest)).toEqual(sentence);
});

const files = globSync(['{src,reporters}/**/*.ts'], { cwd: ROOT, exclude: ['**/*.test.ts'] });
const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);

function findFiles(pattern: RegExp): readonly string[] {
  return texts.filter(([, text]) => pattern.test(text)).map(([file]) => file);
}

test('an older Node can load the check of its version: nothing that it lacks is imported by name', () => {
  const imported = /import (?:\w+, )?\{[^}]*\b(?:enableCompileCache|globSync)\b[^}]*\} from 'node:/;
  // Commands are loaded after the check.
  expect(findFiles(imported).filter((file) => !file.startsWith('src/cli/'))).toEqual([]);
  expect(texts.length).toBeGreaterThan(200);
});

test('nothing is used that Node 22.12 lacks', () => {
  const later =
    /\b(?:RegExp\.escape|Promise\.try|Error\.isError|Math\.sumPrecise)\(|\b(?:findPackageJSON|registerHooks|zstdCompress\w*|fromBase64|Float16Array|import\.meta\.main)\b|^ *(?:await )?using \w+ =/m;
  expect(findFiles(later)).toEqual([]);
});
