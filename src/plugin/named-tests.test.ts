import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { isPlainRun, readNamedTests } from './named-tests.ts';

test.each([
  [['run', 'evals'], {}, true],
  [['run', 'evals/gaia', '-t', 'level 1'], {}, true],
  // Vitest looks for these words in paths.
  [['run', 'eval'], {}, false],
  [['run', 'evals/gaia/prompt.test.ts'], {}, false],
  [['run', '--project', 'evals'], {}, false],
  [['evals'], {}, false],
  [['run', 'evals'], { watch: true }, false],
  [['run', 'evals'], { shard: { index: 1, count: 2 } }, false],
  [['run', 'evals', '--dir', 'evals'], { cliOptions: { dir: 'evals' } }, false],
])('%j with %j runs evals alone: %j', (argv, changes, isPlain) => {
  const files = ['evals/gaia/gaia.eval.ts', 'evals/gaia/prompt.test.ts', 'src/eval/parser.test.ts'];
  const root = makeFolder(Object.fromEntries(files.map((file) => [file, ''])));
  expect(isPlainRun(argv, { config: { root, watch: false, cliOptions: {}, ...changes } })).toBe(
    isPlain,
  );
});

describe('readNamedTests', () => {
  test.each([
    [['run', 'evals'], true],
    [['run', '/home/me/project/evals/gaia/gaia.eval.ts'], true],
    [['run', '--project=evals'], true],
    [['run', '--dir', 'evals'], true],
    [['run', 'capitals.eval.ts:12'], true],
    [[], false],
    [['run', 'src/my-evals.test.ts'], false],
    [['run', '--project', 'unit'], false],
    [['run', '-t', 'evals/gaia'], false],
    [['run', '/x/evals/app'], false],
    [['run', '/x/evals/app/evals/a.eval.ts'], true],
  ])('%j: %j', async (argv, isNamed) => {
    expect((await readNamedTests(argv, '/x/evals/app')).namesEvals).toBe(isNamed);
  });

  test('returns what files must match, without line numbers and the values of options', async () => {
    const argv = ['watch', 'evals/mcq', 'src/a.test.ts:12', '-t', 'level 1', '--project', 'evals'];
    expect((await readNamedTests(argv, '/')).filters).toEqual(['evals/mcq', 'src/a.test.ts']);
  });
});
