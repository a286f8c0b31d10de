import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReport } from '../../../test/read-report.ts';
import { runViva } from '../../../test/run-viva.ts';
import { JUDGE, toJudged, toResult } from '../../figures/result.fixture.ts';
import { readManifest } from '../../store/manifest.ts';
import { RunWriter } from '../../store/run-writer.ts';
import { hideCriterion } from '../../words/audience.ts';
import { makeDir, SUITE } from './judged-run.fixture.ts';

const runJudge = (dir: string, ...words: readonly string[]) =>
  runViva(['judge', ...words], { EVAL_DIR: dir });

/** Writes a sample with the labels that `labelOf` returns; returns its path. */
async function label(dir: string, labelOf: (id: string) => string): Promise<string> {
  const file = join(dir, 'labels.csv');
  await runViva(['label', 'run-1', '--out', file], { EVAL_DIR: dir });
  const lines = readFileSync(file, 'utf8').split('\r\n');
  const labelled = lines.map((line) => {
    const [id = ''] = line.split(',');
    return line.replace(',,run-1,', `,${labelOf(id)},run-1,`);
  });
  writeFileSync(file, labelled.join('\r\n'));
  return file;
}

describe('viva judge calibrate', () => {
  // The judge passes q1 to q6 and fails q7 to q10; people disagree on q6 and q10.
  const rows = toJudged(6, 4, SUITE);
  const labelOf = (id: string) => (['q6', 'q7', 'q8', 'q9'].includes(id) ? 'fail' : 'pass');

  test('prints the figures and the disagreements, and keeps them for the next tables', async () => {
    const dir = makeDir(rows);
    const { code, output } = await runJudge(dir, 'calibrate', await label(dir, labelOf));
    expect(code).toBe(0);
    const lines = output.split('\n');
    expect(lines.slice(0, 7)).toEqual([
      'own: judge openai:m (prompt 01234567), criterion: is polite',
      '  10 labels: 6 pass, 4 fail',
      '  TPR 83.3 % (43.6 - 97.0 %): of the answers that people pass, the judge passes 5',
      '  TNR 75.0 % (30.1 - 95.4 %): of the answers that people fail, the judge fails 3',
      "  agreement 80.0 %, Cohen's kappa 0.58",
      '  fewer than 100 labels: the intervals are wide, and the corrected accuracy is uncertain',
      '  2 disagreements to read:',
    ]);
    expect(lines.slice(7, 9).sort()).toEqual([
      '    q10: label pass, verdict fail: It says so.',
      '    q6: label fail, verdict pass: It says so.',
    ]);
    const [file = ''] = readdirSync(join(dir, 'judges'));
    expect(file).toMatch(/^openai-m-[0-9a-f]{8}\.json$/);
    expect(JSON.parse(readFileSync(join(dir, 'judges', file), 'utf8'))).toMatchObject({
      version: 1,
      models: ['openai:m'],
      criterion: 'is polite',
      runs: ['run-1'],
      counts: { passed: { as_pass: 5, as_fail: 1 }, failed: { as_pass: 1, as_fail: 3 } },
      labels: 10,
    });
    expect((await runViva(['report', 'run-1'], { EVAL_DIR: dir })).code).toBe(0);
    const page = readReport(join(dir, 'runs/run-1/report.html'));
    // (6 / 10 + 3/4 - 1) / (5/6 + 3/4 - 1) = 0.35 / 0.58333.
    expect(page).toContain('60.0 %');
    expect(page).toContain(
      'TPR 83.3 % (43.6 - 97.0 %), TNR 75.0 % (30.1 - 95.4 %), by 10 labels of people',
    );
  });

  test.each([
    [
      'q1,maybe',
      '"label" must be pass or fail, got "maybe". Leave it empty where you cannot tell.',
    ],
    ['q99,pass', '"id" is not one judged answer of the run run-1, got "q99".'],
    ['q1,', 'has no label yet'],
    [
      'q1,pass\nq2,fail\nq1,fail',
      ':4: "label" is fail, and pass on line 2 for the same answer. Keep the right one.',
    ],
  ])('refuses the line %s', async (line, problem) => {
    const dir = makeDir(rows);
    writeFileSync(join(dir, 'own.csv'), `id,label\n${line}\n`);
    const words = ['calibrate', join(dir, 'own.csv'), '--run', 'run-1'];
    expect(await runJudge(dir, ...words)).toMatchObject({
      code: 1,
      output: expect.stringContaining(problem),
    });
  });

  /** Ten answers with these grades of a judge, or of a panel. */
  const toGraded = (...grades: readonly (readonly number[])[]) =>
    grades.map((verdicts, index) => {
      const judge = { ...JUDGE, verdicts, models: verdicts.map((_, at) => `m${at}`), scale: 5 };
      return toResult('correct', { id: `q${index + 1}`, ...SUITE, judge });
    });

  test('grades are measured by weighted kappa, and kept for the next tables', async () => {
    const grades = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5].map((grade) => [grade]);
    const dir = makeDir(toGraded(...grades));
    // The judge gives 1 more to one answer, and 3 more to another.
    const labels = ['1', '2', '3', '3', '2', '1', '2', '3', '4', '5.0'];
    const file = await label(dir, (id) => labels[Number(id.slice(1)) - 1] ?? '');
    const { code, output } = await runJudge(dir, 'calibrate', file);
    expect(code).toBe(0);
    expect(output.split('\n').slice(0, 7)).toEqual([
      'own: judge m0 (prompt 01234567), criterion: is polite',
      '  10 labels',
      // 1 - 10 * 10 / 318
      expect.stringMatching(
        /^ {2}weighted kappa 0\.7\d \(-?0\.\d\d to (?:1\.00|0\.\d\d)\), with its 95 % interval; quadratic weights$/,
      ),
      '  the same grade 80.0 %, at most one apart 90.0 %, the judge 0.40 higher on average',
      '  fewer than 100 labels: the interval is wide',
      '  1 disagreement by more than one grade to read:',
      '    q5: label 2, grade 5: It says so.',
    ]);
    await runViva(['report', 'run-1'], { EVAL_DIR: dir });
    expect(readReport(join(dir, 'runs/run-1/report.html'))).toMatch(
      /weighted kappa 0\.7\d \([^)]*\), by 10 labels of people/,
    );
  });

  test('a panel may give half grades, and the labels are grades of its scale', async () => {
    const dir = makeDir(toGraded([3, 4], [1, 1]));
    const file = await label(dir, (id) => (id === 'q1' ? '4' : '1'));
    const { output } = await runJudge(dir, 'calibrate', file);
    expect(output).toContain(
      'the same grade 50.0 %, at most one apart 100.0 %, the judge 0.25 lower',
    );
    for (const [given, said] of [
      ['6', 'must be a grade from 1 to 5, got "6".'],
      ['pass', 'must be a grade from 1 to 5, got "pass".'],
      ['3.5', 'must be a grade from 1 to 5, got "3.5".'],
    ] as const) {
      const wrong = await label(dir, () => given);
      expect(await runJudge(dir, 'calibrate', wrong)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`${said} Leave it empty where you cannot tell.`),
      });
    }
  });

  test.each([
    ['scale', '10', '"scale" must be 5, as the judge has it, got "10". Labels of another scale'],
    [
      'criterion',
      'is curt',
      '"criterion" must be "is polite", by which the answer was judged, got',
    ],
    ['scale', '5', null],
    ['criterion', 'is  polite', null],
    ['criterion', hideCriterion('is polite'), null],
  ])('a file with the %s %s is held against the judge', async (column, cell, problem) => {
    const dir = makeDir(toGraded([3], [1]));
    writeFileSync(join(dir, 'own.csv'), `id,label,${column}\nq1,4,${cell}\nq2,1,\n`);
    const { code, output } = await runJudge(
      dir,
      'calibrate',
      join(dir, 'own.csv'),
      '--run',
      'run-1',
    );
    expect([code, output]).toEqual([
      problem === null ? 0 : 1,
      expect.stringContaining(problem ?? '2 labels'),
    ]);
  });

  test('says that labels are of other levels than the run has', async () => {
    const dir = makeDir(toGraded([3], [1]));
    const file = await label(dir, () => '3');
    const other = toGraded([3], [1]).map((row) => ({
      ...row,
      judge: { ...JUDGE, verdicts: [3], scale: 5, criterion: 'is polite\n\nThe grades are others' },
    }));
    const later = makeDir(other);
    expect(await runJudge(later, 'calibrate', file)).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'was labelled by another criterion, scale or levels than the run run-1 judged it by',
      ),
    });
  });

  test('hides reasons and criteria of gated records in CI', async () => {
    const dir = makeDir(toJudged(1, 1, { ...SUITE, dataset: 'secret' }));
    writeFileSync(join(dir, 'own.csv'), 'id,label\nq1,fail\n');
    const words = ['judge', 'calibrate', join(dir, 'own.csv'), '--run', 'run-1'];
    const { output } = await runViva(words, { EVAL_DIR: dir, CI: 'true' });
    expect(output).toContain('q1: label fail, verdict pass: (its reason is hidden)');
    expect(output).not.toContain(JUDGE.criterion);
  });

  test('says that a judge has changed since it was calibrated', async () => {
    const dir = makeDir(rows);
    await runJudge(dir, 'calibrate', await label(dir, labelOf));
    const report = async (fingerprint: string) => {
      const folder = join(dir, 'runs/run-1');
      const judges = [{ judge: 'openai:m', fingerprint, prompt_hash: '' }];
      const { suites, ...manifest } = readManifest(folder);
      const judged = suites.map((suite) => ({ ...suite, judges }));
      new RunWriter(folder).manifest({ ...manifest, suites: judged });
      await runViva(['report', 'run-1'], { EVAL_DIR: dir });
      return readReport(join(dir, 'runs/run-1/report.html'));
    };
    expect(await report('one')).toContain('by 10 labels of people<');
    await runJudge(dir, 'calibrate', join(dir, 'labels.csv'));
    expect(await report('one')).toContain('by 10 labels of people<');
    expect(await report('two')).toContain('by 10 labels of people; it has CHANGED since');
  });
});
