import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRun } from '../../../test/make-run.ts';
import { runViva } from '../../../test/run-viva.ts';
import { JUDGE, toJudged, toResult } from '../../figures/result.fixture.ts';
import { RunWriter } from '../../store/run-writer.ts';
import { makeDir, SUITE } from './judged-run.fixture.ts';
import { drawWithinGroups } from './sample-answers.ts';

/** What the command says, and the table that it writes. */
async function label(dir: string, ...words: readonly string[]) {
  const file = join(dir, 'labels.csv');
  writeFileSync(file, '');
  const said = await runViva(['label', 'run-1', ...words, '--out', file], { EVAL_DIR: dir });
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  return { ...said, head, lines: lines.toSorted() };
}

describe('viva label', () => {
  test('writes what judges decided without their verdicts, safe for a spreadsheet', async () => {
    const reference = { ...JUDGE, reference: '=cmd()' };
    const undecided = toResult('not_run', { ...SUITE, id: 'tie', judge: JUDGE });
    const dir = makeDir([
      ...toJudged(1, 1, { ...SUITE, judge: reference }),
      undecided,
      toResult('incorrect', { ...SUITE, id: 'failed-otherwise', judge: JUDGE }),
      toResult('errored', { ...SUITE, id: 'down' }),
    ]);
    const { head, lines } = await label(dir);
    expect(head).toBe('id,suite,question,output,reference,criterion,label,run,row');
    const question = `"'=1+1 who?\nA. one\nB. two"`;
    expect(lines).toEqual([
      // The judge passed it, whatever else failed it.
      expect.stringMatching(/^failed-otherwise,own,,text,,is polite,,run-1,r[0-9a-f]{15}$/),
      expect.stringContaining(`q1,own,${question},text,'=cmd(),is polite,,run-1,r`),
      expect.stringMatching(/^q2,own,,text,'=cmd\(\),is polite,,run-1,r[0-9a-f]{15}$/),
    ]);
  });

  test('shows all of a conversation before the last reply', async () => {
    const conversation = { turns: 2, ended: 'turns' } as const;
    const rows = toJudged(1, 0, { ...SUITE, conversation });
    const dir = makeDir(rows);
    const messages = ['Hi', 'Yes?', 'Tea', 'text'].map((content, place) => {
      return { role: place % 2 === 0 ? ('user' as const) : ('assistant' as const), content };
    });
    for (const row of rows)
      new RunWriter(join(dir, 'runs/run-1')).trace(row, { steps: [], messages });
    expect((await label(dir)).lines).toEqual([
      expect.stringContaining(
        'q1,own,"[user]\nHi\n\n[assistant]\nYes?\n\n[user]\nTea",text,,is polite',
      ),
    ]);
  });

  test('shows options and reference as the agent of a trial saw them', async () => {
    const presented = { seed: 7, order: ['B', 'A'], target: [2], answer: [2] };
    const rows = [1, 2].map((trial) =>
      toResult('correct', {
        ...{ ...SUITE, id: 'q1', trial, target: 'A' },
        ...(trial === 2 && { presented }),
      }),
    );
    const dir = makeDir(rows);
    const { lines } = await label(dir, '--criterion', 'is the same');
    expect(lines.map((line) => line.slice(0, line.indexOf(',,')))).toEqual([
      `q1,own,"'=1+1 who?\nA. one\nB. two",text,A,is the same`,
      `q1,own,"'=1+1 who?\nA. two\nB. one",text,B,is the same`,
    ]);
  });

  test('shows what judges were shown, without thoughts', async () => {
    const output = '<think>Tea?</think>Coffee';
    const [row] = toJudged(1, 1, SUITE).filter(({ state }) => state === 'correct');
    const dir = makeDir(row?.state === 'correct' ? [{ ...row, output }] : []);
    const { lines } = await label(dir);
    expect(lines[0]).toMatch(/^q1,own,"[^"]*",Coffee,/);
  });

  test('keeps gated records unless asked for', async () => {
    const secret = toJudged(1, 1, { ...SUITE, dataset: 'secret' });
    const dir = makeDir(secret);
    expect(await label(dir)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Add --show-gated'),
      lines: [],
    });
    expect((await label(dir, '--show-gated')).lines[0]).toContain('q1,own');
    expect((await label(dir)).output).toContain('keep the file private');
    const partly = await label(
      makeDir([...secret, ...toJudged(1, 0, { ...SUITE, suite: 'shown' })]),
    );
    expect(partly.lines).toEqual([expect.stringContaining('q1,shown')]);
    expect(partly.warned).toContain('2 answers are left out');
  });

  test('asks about one criterion after another, or about the one that is named', async () => {
    const others = [{ ...JUDGE, criterion: 'is short' }];
    const dir = makeDir(toJudged(2, 2, { ...SUITE, judge: { ...JUDGE, others } }));
    const written = await runViva(['label', 'run-1'], { EVAL_DIR: dir });
    expect(written.output).toContain('labels.csv: 8 answers to label');
    const file = readFileSync(join(dir, 'runs/run-1/labels.csv'), 'utf8');
    const asked = [...file.matchAll(/,is (\w+),,run-1/g)].map(([, word]) => word);
    expect(asked.filter((word, place) => word !== asked[place - 1])).toHaveLength(2);
    expect(asked).toHaveLength(8);
    expect((await label(dir, '--criterion', 'is short')).lines).toHaveLength(4);
    expect(await label(dir, '--suite', 'onw')).toMatchObject({
      code: 1,
      output: expect.stringContaining('must be a suite of the run, got "onw". Did you mean own?'),
    });
  });

  test('takes the answers of a graded criterion by its words, with the scale', async () => {
    const criterion = 'is short\n\nThe grades are 1, the lowest, to 5, the highest.';
    const others = [{ ...JUDGE, verdicts: [4], scale: 5, criterion }];
    const dir = makeDir(toJudged(1, 1, { ...SUITE, judge: { ...JUDGE, others } }));
    await label(dir, '--criterion', 'is short');
    const file = readFileSync(join(dir, 'labels.csv'), 'utf8');
    expect(file).toMatch(/^[^\n]*,row,scale\r\n/);
    expect(file.match(/,5\r\n/g)).toHaveLength(2);
  });

  test('counts labels from before there was a judge for any judge of their criterion', async () => {
    const dir = makeDir(['q1', 'q2'].map((id) => toResult('correct', { ...SUITE, id })));
    expect(await label(dir)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Say with --criterion TEXT what to label answers by.'),
    });
    const { lines } = await label(dir, '--criterion', 'is polite', '--suite', 'own');
    expect(lines[1]).toMatch(/^q2,own,,text,truth,is polite,,run-1,r/);
    const file = join(dir, 'labels.csv');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(',,run-1', ',pass,run-1'));
    makeRun(toJudged(1, 0, SUITE), { dir: join(dir, 'runs'), name: 'judged' });
    const words = ['judge', 'calibrate', file, '--run', 'judged'];
    const { code, output } = await runViva(words, { EVAL_DIR: dir });
    expect([code, output]).toEqual([0, expect.stringContaining('  1 label: 1 pass, 0 fail')]);
    expect(output).toContain('1 label is of answers without a verdict in this run');
  });

  test('draws from each group in proportion, whatever the verdicts, and repeats for the same seed', () => {
    const rows = ['a', 'b', 'c'].flatMap((group, index) =>
      toJudged(10 * (index + 1), 10 * (index + 1), { ...SUITE, group }).map((row) => {
        return { ...row, criterion: '' };
      }),
    );
    const drawn = drawWithinGroups(rows, 24, 5);
    const count = (of: string) => drawn.filter(({ group }) => group === of).length;
    expect([count('a'), count('b'), count('c')]).toEqual([4, 8, 12]);
    expect(new Set(drawn).size).toBe(24);
    expect(drawWithinGroups(rows, 24, 5)).toEqual(drawn);
    expect(drawWithinGroups(rows, 24, 6)).not.toEqual(drawn);
    const shares = Array.from(
      { length: 400 },
      (_, seed) =>
        drawWithinGroups(rows, 24, seed).filter(({ state }) => state === 'correct').length / 24,
    );
    expect(shares.reduce((sum, share) => sum + share, 0) / 400).toBeCloseTo(0.5, 1);
    expect(drawWithinGroups(rows, 1000, 5)).toHaveLength(120);
  });
});
