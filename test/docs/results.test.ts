import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES } from '../../reporters/files.ts';
import { COLUMNS } from '../../reporters/tables.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import { gradeMcq } from '../../src/scoring/mcq/grade-mcq.ts';
import { ERROR_KINDS } from '../../src/words/answer.ts';
import { ALL_STATES } from '../../src/words/row.ts';
import { ROOT } from '../e2e/run-vitest.ts';

const page = readFileSync(join(ROOT, 'docs/results.md'), 'utf8');

/** The words in code of the first column of the table with this head. */
function firstColumn(head: string): readonly string[] {
  const [, rows = ''] = page.split(`\n| ${head} |`)[1]?.split(/\|\n\| --- .*\n/) ?? [];
  const lines = rows.split('\n\n')[0]?.split('\n') ?? [];
  return lines.flatMap((line) =>
    [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );
}

test('docs/results.md lists every state, every reason of an error and every column', () => {
  expect(firstColumn('state')).toEqual(ALL_STATES);
  // A call that takes too long has a state of its own.
  const reasons = ERROR_KINDS.filter((kind) => kind !== 'timed_out');
  expect(firstColumn('reason of `errored`').toSorted()).toEqual(reasons.toSorted());
  const heads = COLUMNS.flatMap(({ head }) => (typeof head === 'string' ? head : []));
  expect(firstColumn('column')).toEqual(expect.arrayContaining(heads));
});

test('docs/results.md lists what a run folder holds, and docs/datasets.md which of it has texts in CI', () => {
  const nameOf = ({ name, isFolder }: (typeof FILES)[number]) => (isFolder ? `${name}/` : name);
  const rows = FILES.map((kind) => `| \`${nameOf(kind)}\` | ${kind.holds} |`);
  expect(rows.filter((row) => !page.includes(`\n${row}\n`))).toEqual([]);
  expect(firstColumn('file').toSorted()).toEqual(FILES.map(nameOf).toSorted());
  const datasets = readFileSync(join(ROOT, 'docs/datasets.md'), 'utf8');
  const [, shown = ''] = /^\| (.*) \| shown \| \*\*shown\*\* \|$/m.exec(datasets) ?? [];
  const names = shown.split(', ').map((name) => name.replaceAll('`', ''));
  const withTexts = FILES.filter(({ hasTexts }) => hasTexts).map(nameOf);
  expect(names.toSorted()).toEqual(['.evals/cache', ...withTexts].toSorted());
});

test('docs/results.md says where a refusal is no answer, and which exit code each signal has', () => {
  const refusal = 'I am sorry, I cannot help with that.';
  const choices = { A: 'red', B: 'blue' };
  expect([gradeMcq(refusal, 'A', { choices }).state, gradeGaia(refusal, '17').state]).toEqual([
    'no_answer',
    'incorrect',
  ]);
  expect(page).toContain(
    'it is a refusal or a hedge in multiple choice; elsewhere a refusal is `incorrect`',
  );
  const { SIGINT, SIGTERM } = constants.signals;
  expect(page).toContain(
    `| Ctrl-C | ${128 + SIGINT} |\n| SIGTERM, as \`kill\` and job schedulers send it | ${128 + SIGTERM} |`,
  );
});
