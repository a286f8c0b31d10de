import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { runViva } from '../../../test/run-viva.ts';

describe('viva label --agree', () => {
  const write = (dir: string, name: string, lines: readonly string[]) => {
    writeFileSync(join(dir, name), ['id,criterion,label', ...lines, ''].join('\n'));
    return join(dir, name);
  };
  const agree = async (ofA: readonly string[], ofB: readonly string[], env = {}) => {
    const dir = makeFolder();
    const files = [write(dir, 'a.csv', ofA), write(dir, 'b.csv', ofB)];
    const { code, output } = await runViva(['label', '--agree', ...files], env);
    return { code, lines: output.replaceAll(`${dir}/`, '').split('\n') };
  };

  test('says who labelled more, and lists the ids of files that viva did not write', async () => {
    const { lines } = await agree(
      ['one,,pass', 'two,,fail', 'three,,pass', 'four,,pass'],
      ['one,,pass', 'two,,pass', 'three,,', 'five,,fail', 'six,,'],
    );
    expect(lines).toEqual([
      '2 answers labelled in both files',
      '  agreement 50.0 % (9.5 - 90.5 %)',
      "  Cohen's kappa 0.00 (-0.75 to 0.75), with its 95 % interval",
      '  both pass 1, both fail 0',
      '  a.csv pass and b.csv fail 0, the other way round 1',
      '2 answers labelled in a.csv alone; 1 of them not in b.csv',
      '1 answer labelled in b.csv alone; 1 of them not in a.csv',
      'disagreements to settle:',
      '  two',
    ]);
  });

  test('refuses a file that labels an answer both ways, with both lines', async () => {
    const { code, lines } = await agree(
      ['1,is short,pass', '1,is polite,fail', '1,is short,', '1,is short,fail'],
      ['1,is short,pass'],
    );
    expect([code, lines[0]]).toEqual([
      1,
      'a.csv:5: "label" is fail, and pass on line 2 for the same answer. Keep the right one.',
    ]);
  });

  test('has a kappa for each criterion, and hides their words in CI', async () => {
    const rows = ['1,is short,pass', '2,is polite,pass'];
    const { lines } = await agree(rows, rows);
    expect(lines.filter((line) => line.startsWith('criterion'))).toEqual([
      'criterion: is short',
      'criterion: is polite',
    ]);
    expect(lines).toContain(
      "  Cohen's kappa -: all labels are the same, so that chance alone agrees",
    );
    expect(lines.at(-1)).toBe('no disagreement to settle');
    expect((await agree(rows, rows, { CI: 'true' })).lines[0]).toBe('criterion: (hidden)');
  });

  test('grades are compared by weighted kappa, and not with pass or fail', async () => {
    const { lines } = await agree(
      ['one,,1', 'two,,3', 'three,,5', 'four,,4'],
      ['one,,1', 'two,,4', 'three,,5', 'four,,4'],
    );
    expect(lines).toEqual([
      '4 answers graded in both files, a.csv and b.csv',
      expect.stringMatching(/^ {2}weighted kappa 0\.9\d \(.*\), with its 95 % interval/),
      '  the same grade 75.0 %, at most one apart 100.0 %, b.csv 0.25 higher on average',
      'disagreements to settle:',
      '  two',
    ]);
    const dir = makeFolder();
    const odd = join(dir, 'odd.csv');
    writeFileSync(odd, 'id,label,scale\none,3,1e12\n');
    expect((await runViva(['label', '--agree', odd, odd], {})).output).toContain(
      'the same grade 100.0 %',
    );
    expect(await agree(['one,,1'], ['one,,pass'])).toMatchObject({
      code: 1,
      lines: ['a.csv and b.csv label one criterion by grades and by pass or fail.'],
    });
  });

  test('grades of two scales are not compared', async () => {
    const dir = makeFolder();
    const files = [5, 10].map((scale) => join(dir, `${scale}.csv`));
    for (const [at, file] of files.entries())
      writeFileSync(file, `id,label,scale\none,4,${at === 0 ? 5 : 10}\n`);
    expect(await runViva(['label', '--agree', ...files], {})).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /10\.csv:2: "scale" must be 5, as on line 2 of .*5\.csv, got "10"\. Grades of two scales/,
      ),
    });
  });

  test.each([
    [['one,,maybe'], 'got "maybe"'],
    [['two,,pass'], 'a.csv and b.csv have no labelled answer in common.'],
  ])('refuses %j', async (ofB, problem) => {
    const { code, lines } = await agree(['one,,pass'], ofB);
    expect([code, lines.join('\n')]).toEqual([1, expect.stringContaining(problem)]);
  });
});
