import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, runVitest } from './run-vitest.ts';

/** Answers with what is in the file of its question; at the first it changes those of the others. */
const CHANGER = (split: string) => `
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
const at = (name) => '${split}/' + name;
export default { name: 'changer', answer };
function answer({ id, attachments: [file] }) {
  if (id === 'q1') {
    writeFileSync(at('../outside.txt'), '19');
    writeFileSync(at('q2.txt'), '18');
    rmSync(at('q3.txt'));
    symlinkSync('../outside.txt', at('q3.txt'));
  }
  return 'FINAL ANSWER: ' + readFileSync(file.path, 'utf8');
}`;

test('an attachment that changes during a run is given to no agent', async () => {
  const { folder, env } = writeGaiaFixture(['q1', 'q2', 'q3'].map((id) => ({ id, file: '17' })));
  const split = join(folder, '2023/validation');
  const agents = makeFolder({ 'changer.mjs': CHANGER(split) });
  const { dir } = await runVitest(['run', 'evals/gaia'], {
    ...env,
    EVAL_AGENT: `module:${agents}/changer.mjs`,
    EVAL_CONCURRENCY: '1',
  });
  const rows = readRows(join(dir, 'latest'))
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .map(({ reason, error }) => [reason, error?.message]);
  const changed = (file: string) => [
    'machine',
    expect.stringContaining(`"${file}" has changed since the run began`),
  ];
  expect(rows).toEqual([[null, undefined], changed('q2.txt'), changed('q3.txt')]);
});
