import { describe, expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { toRun, toTrials } from '../figures/result.fixture.ts';
import { RunWriter } from '../store/run-writer.ts';
import type { SampleResult } from '../words/row.ts';

/** Level 1 has q1 to q10, level 2 q11 to q20; each took the given time and cost. */
const toLevels = (marks: string, latency_ms: number, cost_usd: number): readonly SampleResult[] =>
  toRun(marks, { latency_ms, cost_usd, agent: 'bookkeeper' }).map((row, index) => ({
    ...row,
    group: index < 10 ? 'level 1' : 'level 2',
  }));

const A = toLevels('------+++++++++-----', 2000, 0.1);
const B = toLevels('++++++-++++++++-----', 1000, 0.15);

const runCompare = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runViva(['compare', ...args], env);

describe('compare', () => {
  test('shows flips, the difference with its uncertainty, times and costs', async () => {
    const { code, output } = await runCompare([
      makeRun(A, { name: 'before' }),
      makeRun(B, { name: 'after' }),
    ]);
    expect(code).toBe(0);
    // By hand: 6 fixed and 1 broken of 20; N = 22, mean 5/22, half 1.96 sqrt((9/22 - (5/22)^2) /
    // 22) = 0.2498.
    expect(output).toMatchInlineSnapshot(`
      "gaia · made-up · B against A
        A (baseline): before, bookkeeper
        B: after, bookkeeper

        group     n       A       B     B - A      95 % interval
        level 1  10  40.0 %  90.0 %  +50.0 pp   -1.3 to +84.6 pp
        level 2  10  50.0 %  50.0 %    0.0 pp  -23.1 to +23.1 pp
        all      20  45.0 %  70.0 %  +25.0 pp   -2.3 to +47.7 pp

        broken 1:
          q7: text -> text (expected truth)
        fixed 6:
          q1: text -> text (expected truth)
          q2: text -> text (expected truth)
          q3: text -> text (expected truth)
          q4: text -> text (expected truth)
          q5: text -> text (expected truth)
          q6: text -> text (expected truth)
        difference +25.0 pp, p = 0.13: within noise (exact sign-flip test)
        smallest drop that would be detected (80 % power): -39.6 pp
        latency: 0.50 times A's (median of the questions)
        cost: 1.50 times A's per trial"
    `);
  });

  test.each([
    [{}, 'bookkeeper (what is q1?)'],
    [{ CI: 'true' }, 'B: run, bookkeeper\n'],
  ])('names a model that nobody asked for where records are not hidden (%j)', async (env, said) => {
    const runs = [A, B].map((rows) =>
      makeRun(rows.map((row) => ({ ...row, model: 'what is q1?' }))),
    );
    const { output } = await runCompare(runs, env);
    expect(output).toContain(said);
    expect(output.includes('what is')).toBe(said.includes('what is'));
  });

  describe('of one run', () => {
    const rows = ['small', 'large'].flatMap((agent) =>
      ['a.md', 'b.md'].flatMap((name, index) => {
        const prompt_hash = `0000000${index}`;
        const mark = agent === 'large' || index === 1 ? '+' : '-';
        return toTrials('q1', mark, { agent, prompt: `${name}@${prompt_hash}`, prompt_hash });
      }),
    );

    test.each<[string, string, readonly string[]]>([
      ['small', 'large', ['small, a.md large, a.md +100.0 pp', 'small, b.md large, b.md 0.0 pp']],
      [
        'a.md',
        'b.md@00000001',
        ['small, a.md small, b.md +100.0 pp', 'large, a.md large, b.md 0.0 pp'],
      ],
      ['small, a.md@00000000', 'large, b.md@00000001', ['small, a.md large, b.md +100.0 pp']],
    ])('compares %s with %s', async (a, b, expected) => {
      const folder = makeRun(rows);
      const { code, output } = await runCompare([`${folder}:${a}`, `${folder}:${b}`]);
      const pairs = output.matchAll(
        /A \(baseline\): run, (.+)@.+\n.*B: run, (.+)@.+\n[\s\S]+?difference (.+?),/g,
      );
      expect([...pairs].map(([, ...parts]) => parts.join(' '))).toEqual(expected);
      expect({ code, isSame: output.includes('same run') }).toEqual({ code: 0, isSame: false });
    });

    test('refuses a name that no agent or prompt has, with those that are there', async () => {
      const folder = makeRun(['small', 'large'].flatMap((agent) => toTrials('q1', '+', { agent })));
      expect(await runCompare([`${folder}:smal`, `${folder}:large`])).toMatchObject({
        code: 1,
        output:
          'A must name an agent or prompt of run, got "smal". Did you mean small?\n' +
          'It has: small, large.',
      });
      expect(await runCompare([folder, `${folder}:`])).toMatchObject({ code: 1 });
    });
  });

  test('reads a path with a colon as a path', async () => {
    const folder = makeRun(A, { name: 'at 10:30' });
    expect((await runCompare([folder, `${folder}:bookkeeper`])).output).toContain(
      'A and B are the same run.',
    );
  });

  test('prints Markdown', async () => {
    const { output } = await runCompare([makeRun(A), makeRun(B), '--markdown']);
    expect(output).toContain(
      '| group | n | A | B | B - A | 95 % interval |\n| --- | --: | --: | --: | --: | --: |\n' +
        '| level 1 | 10 | 40.0 % | 90.0 % | \\+50.0 pp | \\-1.3 to \\+84.6 pp |\n',
    );
    expect(output).toContain('- broken 1:\n  - q7: text -&gt; text \\(expected truth\\)\n');
  });

  test('shows how the prompts differ, once for all agents', async () => {
    const runs = ['Think.\n```\n{{question}}', 'Think twice.\n```\n{{question}}'].map(
      (text, index) => {
        const prompt_hash = `${index}`.repeat(16);
        const rows = ['one', 'two'].flatMap((agent) => toTrials('q1', '+', { agent, prompt_hash }));
        const folder = makeRun(rows, { name: `run-${index}` });
        new RunWriter(folder).prompt('gaia', text, prompt_hash);
        return folder;
      },
    );
    const { output } = await runCompare(runs);
    const title = 'gaia, prompt 00000000 of run-0 (-) and 11111111 of run-1 (+):';
    expect(output.split('\n').slice(-5)).toEqual([
      `  ${title}`,
      '    -Think.',
      '    +Think twice.',
      '     ```',
      '     {{question}}',
    ]);
    expect(output.split(title)).toHaveLength(2);
    const { output: markdown } = await runCompare([...runs, '--markdown']);
    expect(markdown).toContain('\n\n````diff\n-Think.\n+Think twice.\n ```\n {{question}}\n````');
  });

  test('prints JSON with every figure', async () => {
    const [a, b] = [makeRun(A, { name: 'before' }), makeRun(B, { name: 'after' })];
    const { output } = await runCompare(['--json', a, b]);
    expect(JSON.parse(output)).toMatchObject({
      version: 1,
      a: 'before',
      b: 'after',
      not_compared: [],
      suites: [
        {
          a: { run: 'before', agent: 'bookkeeper', models: [], trials: 1 },
          figures: { questions: 20, latency_ratio: 0.5, groups: [{ difference: 0.5 }, {}] },
          changed_answers: expect.arrayContaining([
            { id: 'q7', change: 'broken', a: 'text', b: 'text', expected: 'truth' },
          ]),
          facts: [],
        },
      ],
    });
  });

  test.each([[[]], [['--json']], [['--markdown']]])(
    'shows hostile names harmlessly (%j)',
    async (options) => {
      const hostile = '\u001b[2J\u009b31m\u202e<script>|`*=1+1\u0000\n# x';
      const fields = { agent: hostile, group: hostile, model: hostile, dataset: hostile };
      const rows = (mark: string) =>
        [hostile, '__proto__'].flatMap((id) => toTrials(id, mark, fields));
      const [a, b] = [
        makeRun(rows('-')),
        makeRun([...rows('+'), ...toTrials('\u2028', '+', fields)]),
      ];
      const { code, output } = await runCompare([a, b, ...options]);
      expect(code).toBe(0);
      expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u);
      expect(output).toContain(
        '__proto__'.replaceAll('_', options.join() === '--markdown' ? '\\_' : '_'),
      );
      if (options.join() === '--markdown') expect(output).not.toMatch(/<script|^# x/m);
      if (options.join() === '--json')
        expect(JSON.parse(output).suites[0].figures.flips.fixed).toEqual([hostile, '__proto__']);
    },
  );

  test('fails where nothing can be compared, and says why', async () => {
    const other = toTrials('q1', '+', { suite: 'mcq' });
    const disjoint = toTrials('q99', '+', { agent: 'bookkeeper' });
    for (const [rows, said] of [
      [other, '\n  gaia of A is not compared'],
      [disjoint, 'nothing is compared'],
    ] as const)
      expect(await runCompare([makeRun(A), makeRun(rows)])).toMatchObject({
        code: 1,
        output: expect.stringContaining(said),
      });
  });
});
