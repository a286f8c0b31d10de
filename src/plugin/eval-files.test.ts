import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { countSuites, findUnawaited } from './eval-files.ts';

const suite = (name: string) =>
  `import { defineEval } from 'viva';\nawait defineEval(\n  '${name}', { data: [] });\n`;

test('finds a definition that is not awaited, and no old one in a comment', () => {
  const folder = makeFolder({
    'a.eval.ts': "defineEval('a', { data: [] });\n",
    'b.eval.ts': `/*\ndefineEval('b')\n*/\n${suite('b')}`,
  });
  const paths = ['a', 'b', 'gone'].map((name) => join(folder, `${name}.eval.ts`));
  expect(findUnawaited(paths)).toEqual([
    expect.stringMatching(
      /^\S*a\.eval\.ts: defineEval is not awaited, so Vitest finds no test\. Write "await defineEval\(\.\.\.\)"\.$/,
    ),
  ]);
});

test.each<[number | null, string, string]>([
  [1, 'one suite', suite('a')],
  [1, 'types', "await defineEval<string, string>('a', { data: [] });\n"],
  [2, 'two suites', suite('a') + suite('b')],
  [null, 'a loop', 'for (const name of names)\n  await defineEval(name, { data: [] });\n'],
  [null, 'a function of its own', "await ownEval('a');\n"],
])('counts %s for %s', (count, _, text) => {
  expect(countSuites(join(makeFolder({ 'a.eval.ts': text }), 'a.eval.ts'))).toBe(count);
});
