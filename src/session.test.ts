import { describe, expect, test } from 'vitest';
import { namesEvals } from './session.ts';

describe('namesEvals', () => {
  test.each([
    [['run', 'evals'], true],
    [['run', 'evals/gaia'], true],
    [['watch', './evals/'], true],
    [['run', '/home/me/project/evals/gaia/gaia.eval.ts'], true],
    [['run', '--project', 'evals'], true],
    [['run', '--project=evals'], true],
    [[], false],
    [['run'], false],
    [['run', 'src/my-evals.test.ts'], false],
    [['run', '--project', 'unit'], false],
    [['run', '--outputFile=evals/x.json'], false],
  ])('%j: %j', (argv, named) => {
    expect(namesEvals(argv)).toBe(named);
  });
});
