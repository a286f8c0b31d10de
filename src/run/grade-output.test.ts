import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toSample } from '../types.fixture.ts';
import type { ScoreInput } from './eval-definition.ts';
import { gradeOutput } from './grade-output.ts';
import { Workdir } from './workdir.ts';

function gradeIn(workdir: Workdir | null) {
  const score = ({ workdir: folder }: ScoreInput) =>
    readFileSync(join(folder, 'written.txt'), 'utf8') === 'y';
  return gradeOutput(
    { file: 'a', scores: { wrote: score } },
    'x',
    'y',
    toSample(),
    { workdir },
    1000,
  );
}

test('gives scores the work folder of a call, and says when it is gone', async () => {
  const workdir = new Workdir([]);
  writeFileSync(join(workdir.path, 'written.txt'), 'y');
  expect(await gradeIn(workdir)).toMatchObject({ correct: true });
  await workdir.remove();
  await expect(gradeIn(null)).rejects.toThrow('Set "cache: false" in the suite');
});
