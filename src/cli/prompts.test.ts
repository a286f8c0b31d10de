import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { CONDITIONS, makeRun, planned } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { toRun } from '../figures/result.fixture.ts';
import { RunWriter } from '../store/run-writer.ts';

const [FIRST = '', BETTER = '', OLD = '', PART = ''] = [...'1234'].map((digit) => digit.repeat(16));

const toRows = (marks: string, prompt_hash: string, fields: object = {}) =>
  toRun(marks, { prompt_hash, agent: 'a', ...fields });

/** An older run; one on other questions; three watch runs, the best of which is not the last. */
function makeDir(): string {
  const dir = makeFolder();
  const four = { questions: planned(['q1', 'q2', 'q3', 'q4'], 'g') };
  makeRun(toRows('+---', OLD), { name: 'runs/20250101T000000Z-old', dir });
  makeRun(toRows('+-+', FIRST), { name: 'runs/20260101T000000Z-three', dir });
  const first = { ...four, prompts: [{ hash: FIRST, file: '', name: 'prompt.md' }] };
  const watch = makeRun(toRows('++--', FIRST), { name: WATCH, dir, suite: first });
  new RunWriter(watch).prompt('gaia', 'First.\n{{question}}\n', FIRST);
  const second = makeRun(toRows('+++-', BETTER), { name: `${WATCH}-2`, dir, suite: four });
  new RunWriter(second).prompt('gaia', 'Better.\t{{question}}\r\n👩\u200d🔬\u001b[2J\n', BETTER);
  const part = [...toRows('++', PART), ...toRows('-', PART, { agent: 'b' })];
  makeRun(part, { name: `${WATCH}-3`, dir, suite: four });
  return dir;
}

const WATCH = 'runs/20260102T000000Z-watch';

const list = (args: readonly string[], dir = makeDir()) =>
  runViva(['prompts', ...args], { EVAL_DIR: dir });

describe('viva prompts', () => {
  test('ranks the prompts of one agent on the same questions', async () => {
    expect((await list([])).output).toMatchInlineSnapshot(`
      "gaia · made-up · b · 4 questions
        prompt    file                n         accuracy  95 % interval  median  NOT RUN  runs  run
        44444444  (in the eval file)  4  in 0.0 - 75.0 %              -       -        3     1  20260102T000000Z-watch-3

      gaia · made-up · a · 4 questions
        prompt    file                n           accuracy  95 % interval  median  NOT RUN  runs  run
        22222222  (in the eval file)  4             75.0 %  30.1 - 95.4 %       -        0     1  20260102T000000Z-watch-2
        11111111  prompt.md           4             50.0 %  15.0 - 85.0 %       -        0     1  20260102T000000Z-watch
        33333333  (in the eval file)  4             25.0 %   4.6 - 69.9 %       -        0     1  20250101T000000Z-old
        44444444  (in the eval file)  4  in 50.0 - 100.0 %              -       -        2     1  20260102T000000Z-watch-3

      gaia · made-up · a · 3 questions
        prompt    file                n  accuracy  95 % interval  median  runs  run
        11111111  (in the eval file)  3    66.7 %  20.8 - 93.9 %       -     1  20260101T000000Z-three
      "
    `);
  });

  test('ranks prompts before and after an edit of the agent separately', async () => {
    const dir = makeFolder();
    const make = (name: string, rows: ReturnType<typeof toRows>, fingerprint: string) => {
      const conditions = [{ ...CONDITIONS, fingerprint }];
      makeRun(rows, { name: `runs/${name}`, dir, suite: { conditions } });
    };
    make('20260101T000000Z-a', toRows('+-', OLD), 'v0');
    make('20260102T000000Z-b', toRows('--', FIRST), 'v1');
    make('20260102T000000Z-c', toRows('--', BETTER), 'v1');
    make('20260102T000000Z-d', toRows('++', BETTER), 'v2');
    const { output } = await list([], dir);
    expect(output.match(/^.*(question|1111|2222|3333).*$/gm)).toEqual([
      'gaia · made-up · a · 2 questions',
      expect.stringMatching(/22222222 .* 100\.0 %/),
      'gaia · made-up · a · 2 questions',
      expect.stringMatching(/22222222 .* 0\.0 %/),
      expect.stringMatching(/11111111 .* 0\.0 %/),
      'gaia · made-up · a · 2 questions',
      expect.stringMatching(/33333333 .* 50\.0 %/),
    ]);
  });

  test('shows bounds of one of several prompts where the run did not end', async () => {
    const dir = makeFolder();
    const rows = [
      ...toRows('+-', FIRST, { prompt: 'a.md@11111111' }),
      ...toRows('+', BETTER, { prompt: 'b.md@22222222' }),
    ];
    makeRun(rows, { name: 'runs/20260101T000000Z-a', dir });
    const { output } = await list([], dir);
    expect(output).toMatch(/11111111 {2}a\.md .* 50\.0 %/);
    expect(output).toMatch(/22222222 {2}b\.md +2 +in 50\.0 - 100\.0 %/);
  });

  test('says where there is no run, and leaves out other folders', async () => {
    const dir = makeFolder({ 'runs/x/samples.jsonl': '{}\n' });
    appendFileSync(join(dir, 'runs/x/samples.jsonl'), '{}\n');
    expect((await list([], dir)).output).toMatch(
      /has results yet\.\nnot listed: Not a run folder: .*runs\/x has no manifest/,
    );
  });
});
