import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { JUDGE, PAIR, toResult } from '../figures/result.fixture.ts';
import { RunWriter } from '../store/run-writer.ts';
import type { SampleResult } from '../words/row.ts';
import { toSample } from '../words/types.fixture.ts';

const LONG = `${'a'.repeat(900)}${'b'.repeat(900)}`;

const row = (state: SampleResult['state'], facts: object): SampleResult =>
  Object.assign(toResult(state), { suite: 'desk' }, facts);

const ROWS: readonly SampleResult[] = [
  row('correct', {
    id: 'fees',
    target: 'two',
    accepts: undefined,
    answer: 'two',
    output: 'two',
    slots: 4,
  }),
  row('incorrect', {
    id: 'lost',
    target: { kg: 12 },
    output: { kg: 30 },
    answer: { kg: 30 },
    explanation: 'kg is 30, not 12',
    scores: { polite: false, recall: 0.5, none: null },
    latency_ms: 1200,
    cost_usd: 0.02,
    usage: { input_tokens: 10, output_tokens: 2 },
    steps: 2,
    slots: 4,
    judge: {
      ...JUDGE,
      score: 'polite',
      models: ['module:./judge.ts'],
      verdicts: ['fail'],
      reasons: ['It is curt.'],
    },
  }),
  row('no_answer', { id: 'late', target: LONG, output: `\u001b[2J\n::error::x ${LONG}` }),
  row('errored', {
    id: 'gone',
    explanation: 'ECONNRESET',
    error: { kind: 'network', message: 'ECONNRESET', status: null },
  }),
];

/** An EVAL_DIR with this run, whose suite is hidden in CI. */
function makeDir(rows = ROWS): string {
  const dir = makeFolder();
  const folder = makeRun(rows, { name: 'runs/20260101T000000Z-a', dir });
  const writer = new RunWriter(folder);
  writer.questions('desk', [
    toSample({ id: 'lost', input: 'Where is my parcel?', choices: { A: 'here', B: 'there' } }),
    toSample({ id: 'late', input: { subject: 'late' } }),
  ]);
  const said = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: `Which one?\n${LONG}` },
  ] as const;
  const call = { name: 'find', arguments: '{"id":7}', result: 'not\nfound', failed: true };
  const steps = [{ text: null, reasoning: null, tool_calls: [call], stop: null, usage: null }];
  const [, lost] = rows;
  if (lost !== undefined) writer.trace(lost, { steps, messages: said });
  return dir;
}

const show = async (
  words: readonly string[],
  env: Record<string, string> = {},
  dir = makeDir(),
) => {
  const { code, output } = await runViva(['show', ...words], { EVAL_DIR: dir, ...env });
  return { code, output: output.replaceAll(dir, 'DIR') };
};

describe('viva show', () => {
  test('prints what was asked, expected and answered, why, and what the agent did', async () => {
    expect((await show(['latest', 'lost'])).output).toMatchInlineSnapshot(`
      "DIR/runs/20260101T000000Z-a: 1 of 4 cases

      desk lost (replay, trial 1): incorrect
        question  Where is my parcel?
        options   A  here
                  B  there
        expected  {"kg":12}
        output    {"kg":30}
        why       kg is 30, not 12
        scores    polite false, recall 0.5
        judges    polite, module:./judge.ts: fail: It is curt.
        talk      user: Hello
                  assistant: Which one?
                  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                  [... 1611 characters left out ...]
                  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        tools     find({"id":7}) failed: not found
        facts     1.2 s, 10 tokens in, 2 out, 2 steps
        trace     traces/desk/replay/lost-4dc8cd6d.1.json

      Texts were cut: --full shows them whole."
    `);
  });

  test.each([
    ['A', 'B', /expected {2}C\n +output {4}ANSWER: A\n +answer {4}A\n/],
    ['A,B', 'NONE', /expected {2}A,C\n(?:.*\n)* +answer {4}NONE\n/],
  ])('names %s and %s by the labels that a trial saw', async (target, answer, expected) => {
    const presented = { seed: 7, order: ['B', 'C', 'A'], target: [3], answer: [1] };
    const facts = { id: 'pick', target, answer, output: 'ANSWER: A', options: 3, presented };
    const dir = makeDir([row('incorrect', facts)]);
    const choices = { A: 'ant', B: 'bee', C: 'cow' };
    const folder = join(dir, 'runs/20260101T000000Z-a');
    new RunWriter(folder).questions('desk', [toSample({ id: 'pick', input: 'Which?', choices })]);
    expect((await show(['latest', 'pick'], {}, dir)).output).toMatch(expected);
  });

  test('prints what failed, or the ids that a pattern matches', async () => {
    const listIds = async (...words: readonly string[]) =>
      [...(await show(['latest', ...words])).output.matchAll(/^desk (\w+)/gm)].map(([, id]) => id);
    expect(await listIds()).toEqual(['fees', 'lost', 'late', 'gone']);
    expect(await listIds('--failed')).toEqual(['lost', 'late', 'gone']);
    expect(await listIds('l*', 'fees')).toEqual(['fees', 'lost', 'late']);
    expect(await listIds('l*', '--failed', '--suite', 'desk')).toEqual(['lost', 'late']);
    expect((await show(['latest', 'fees', '--failed'])).output).toMatch(/: 0 of 4 cases$/);
  });

  test('cuts long texts unless --full is given, and lets none steer the terminal', async () => {
    const { output } = await show(['latest', 'late']);
    expect(output).toContain('expected  aaa');
    expect(output).toContain('[... 800 characters left out ...]');
    expect(output).toMatch(/ {2}output {4}\\u001b\[2J\n +\\::error::x a/);
    expect(output).toMatch(/Texts were cut: --full shows them whole\.$/);
    const whole = await show(['latest', 'l*', '--full']);
    expect(whole.output.match(/b{900}/g)).toHaveLength(3);
    expect(whole.output).not.toMatch(/--full|left out/);
  });

  test('prints what judges prefer, beside either answer', async () => {
    const pairs = [{ ...PAIR, verdicts: [['first', 'cannot_tell']] as const, outcome: null }];
    const dir = makeDir([
      row('ungraded', { id: 'q', agent: 'a', output: 'No.' }),
      row('ungraded', { id: 'q2', agent: 'a' }),
      row('ungraded', { id: 'q', agent: 'b', output: 'Sorry.', pairs }),
    ]);
    expect((await show(['latest', 'q'], {}, dir)).output).toMatchInlineSnapshot(`
      "DIR/runs/20260101T000000Z-a: 2 of 4 cases

      desk q (a, trial 1): ungraded
        expected  truth
        output    No.
        answer    text
        pairs     this answer beside that of b: no verdict
                  openai:m, with this answer first: cannot tell: The other one is kinder.
                  openai:m, with the other answer first: other answer: It is kinder.
        facts     recorded

      desk q (b, trial 1): ungraded
        expected  truth
        output    Sorry.
        answer    text
        pairs     this answer beside that of a: no verdict
                  openai:m, with this answer first: this answer: It is kinder.
                  openai:m, with the other answer first: cannot tell: The other one is kinder.
        facts     recorded"
    `);
    const { cases } = JSON.parse((await show(['latest', 'q', '--json'], {}, dir)).output);
    expect(cases).toMatchObject([
      { agent: 'a', pairs: [{ other: { agent: 'b' }, verdicts: [['cannot_tell', 'first']] }] },
      { agent: 'b', pairs },
    ]);
    for (const json of [[], ['--json']])
      expect((await show(['latest', ...json], { CI: 'true' }, dir)).output).not.toMatch(/kinder/);
  });

  test('prints JSON, a case on a line, with the fields of its row', async () => {
    const { output } = await show(['latest', '--json', '--failed']);
    const { cases, ...head } = JSON.parse(output);
    expect(head).toEqual({
      version: 1,
      run: 'runs/20260101T000000Z-a',
      folder: 'DIR/runs/20260101T000000Z-a',
    });
    expect(output.split('\n')).toHaveLength(4);
    expect(cases).toMatchObject([
      {
        id: 'lost',
        state: 'incorrect',
        input: 'Where is my parcel?',
        output: { kg: 30 },
        asked: true,
        calls: [{ name: 'find', arguments: '{"id":7}', result: 'not\nfound', failed: true }],
        messages: [{ role: 'user', content: 'Hello' }, { role: 'assistant' }],
        trace: expect.stringMatching(/^traces.desk.replay.lost-\w+\.1\.json$/),
      },
      { id: 'late', target: expect.stringContaining('[... 800 characters left out ...]') },
      { id: 'gone', error: { kind: 'network' }, asked: false },
    ]);
    const whole = JSON.parse((await show(['latest', '--json', '--full', 'late'])).output);
    expect(whole.cases[0].target).toBe(LONG);
    expect(JSON.parse((await show(['latest', '--json', '--failed', 'fees'])).output).cases).toEqual(
      [],
    );
  });

  test.each([[], ['--json']])('shows no text of a hidden suite in CI %j', async (...words) => {
    const { output } = await show(['latest', ...words], { CI: 'true' });
    expect(output).toContain('lost');
    expect(output).not.toMatch(/parcel|ECONN|curt|aaa|there|find|kg/);
    if (words.length === 0)
      expect(output).toMatch(
        /EVAL_SHOW_GATED=1 shows .* in CI: see docs\/datasets.md#keep-a-dataset-private\.$/,
      );
    const shown = await show(['latest', ...words], { CI: 'true', EVAL_SHOW_GATED: '1' });
    expect(shown.output).toMatch(/parcel/);
  });

  test.each([
    [[], /^Expected a run, as in "viva show latest"\.\nUsage: /],
    [['lost'], /^RUN must be an earlier run .*, got "lost"\. The newest is 20260101T000000Z-a\.$/],
    [
      ['latest', 'lots'],
      /^The id "lots" matches none of 4 questions\. The nearest id is "lost"\.$/,
    ],
    [['latest', '--suite', 'dekc'], /^The run has no suite "dekc"\. Did you mean desk\?$/],
    [['latest', '--failing'], /^Unknown option '--failing'/],
  ])('refuses %j', async (words, message) => {
    const { code, output } = await show(words);
    expect(code).toBe(1);
    expect(output).toMatch(message);
  });
});
