import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { toRun, toTrials } from '../figures/result.fixture.ts';

const toRows = (marks: string, suite: string) => {
  const facts = { latency_ms: 2000, cost_usd: 0.1, prompt_hash: '1a2b3c4d5e6f7a8b' };
  return toRun(marks, { ...facts, suite, agent: 'bookkeeper' });
};

/** An EVAL_DIR with a whole run, one that did not end, and a folder that is not a run. */
function makeDir(): string {
  const dir = makeFolder();
  const prompts = [
    { hash: '1a2b3c4d5e6f7a8b', file: 'prompts/gaia-1a2b3c4d.md', name: 'short.md' },
  ];
  makeRun(toRows('++--', 'gaia'), { name: 'runs/20260101T000000Z-a', dir, suite: { prompts } });
  makeRun(toRows('+-.', 'mcq'), { name: 'runs/20260102T000000Z-b', dir });
  mkdirSync(join(dir, 'runs/20260103T000000Z-c'));
  writeFileSync(join(dir, 'runs/20260103T000000Z-c/samples.jsonl'), '{}\n');
  return dir;
}

const list = async (args: readonly string[], dir = makeDir()) => {
  const { code, output } = await runViva(['runs', ...args], { EVAL_DIR: dir });
  return { code, output: output.replaceAll(dir, '') };
};

describe('viva runs', () => {
  test('lists runs, the newest first, with bounds for one that did not end', async () => {
    expect(await list([])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "output": "  run                          started  suite  dataset  agent       prompt             n          accuracy  95 % interval  median  NOT RUN   cost
        20260102T000000Z-b  2026-01-01 00:00  mcq    made-up  bookkeeper  1a2b3c4d           3  in 33.3 - 66.7 %              -   2.0 s        1  $0.30
        20260101T000000Z-a  2026-01-01 00:00  gaia   made-up  bookkeeper  short.md@1a2b3c4d  4            50.0 %  15.0 - 85.0 %   2.0 s        0  $0.40
      not listed: Not a run folder: /runs/20260103T000000Z-c has no manifest.json. Name a folder under runs/ of EVAL_DIR.",
      }
    `);
  });

  test('has the means of named scores where a run has some', async () => {
    const dir = makeFolder();
    const scores = { polite: true, closeness: 0.25 };
    makeRun(toTrials('q1', '+', { scores }), { name: 'runs/20260101T000000Z-a', dir });
    expect((await list([], dir)).output).toMatch(
      /95 % interval +median +scores\n.* polite 100.0 %, closeness 0.250/,
    );
  });

  test('prints JSON with every figure', async () => {
    const { output } = await list(['--json']);
    expect(JSON.parse(output)).toMatchObject({
      version: 1,
      runs: [
        { run: '20260102T000000Z-b', accuracy: null, bounds: [1 / 3, 2 / 3], ci95: null },
        { prompt: 'short.md@1a2b3c4d', n: 4, accuracy: 0.5, cost_usd: 0.4 },
      ],
      unreadable: [expect.stringContaining('Not a run folder')],
    });
  });

  test('says where it counts trials', async () => {
    const dir = makeFolder();
    makeRun(toTrials('q1', '+-'), { name: 'runs/20260101T000000Z-a', dir });
    expect((await list([], dir)).output).toMatch(/n \(trials\) .*\n.* 2 +50\.0 %/);
  });
});
