import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAnsweredRun } from '../../reporters/past-run.ts';
import { writeRunFiles } from '../../reporters/publish-run.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { makeOwnRun, OWN_FACTS } from '../../test/make-own-run.ts';
import { CONDITIONS, makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { writeCalibration } from '../addons/calibrate/calibrate-judge.ts';
import { readComparedRun } from '../figures/compare-runs.ts';
import { evaluate } from '../figures/evaluate-run.ts';
import { JUDGE, toJudged, toResult, toRun, toTrials } from '../figures/result.fixture.ts';
import { readVersion } from '../package.ts';
import type { SuiteManifest } from '../store/manifest.ts';
import type { SampleResult } from '../words/row.ts';

const FACTS = OWN_FACTS;
const PROMPT = FACTS.prompt_hash.slice(0, 8);

const runVerify = (args: readonly string[]) => runViva(['verify', ...args], { CI: 'true' });

describe('viva verify', () => {
  test('says in lines what may be quoted, and uses the stored verdicts of an own score', async () => {
    const times = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    const rows = toRun(['++', '+-', '--'], { ...FACTS, model: 'a' });
    const dated = rows.map((row, index) => ({ ...row, answered_at: times[index % 2] ?? null }));
    const copied = {
      ...FACTS,
      id: 'q4',
      attempts: 2,
      seen_copy: 'text',
      tool_calls: { live: 1, replayed: 2, mocked: 0 },
    } as const;
    const failed = toResult('errored', copied);
    const hidden = toTrials('q5', 'u!', { ...FACTS, target: null });
    const results = [...dated, failed, { ...failed, trial: 2 }, ...hidden];
    const conditions = [{ ...CONDITIONS, timeout_seconds: 60, max_steps: 9 }];
    const source = { uri: 'hf:owner/set', revision: 'abc123', hash: 'x' };
    const { code, output } = await runVerify([
      makeOwnRun(results, { source, conditions, left_out: ['a:3'] }, { limit: 4, seed: 7 }),
    ]);
    expect(code).toBe(0);
    expect(output.split('\n')).toEqual([
      '  own: its verdicts are not checked, because code in the eval file grades them',
      'own · owner/set (revision abc123) · a (model a)',
      '  n = 4 questions of 20, 2 trials each · accuracy 37.5 % (3 of 8, 95 % interval 6.3 - 84.2 %)' +
        ' · 1 question without an expected answer not counted · 2 errors count as wrong · 2 second attempts · 1 bad record left out' +
        ' · 1 of 5 questions was seen with a copy of their text; without them 50.0 %' +
        ' · tools were replayed in 2 of 10 answers',
      `  prompt ${PROMPT} · EVAL_LIMIT=4 · EVAL_SEED=7 · EVAL_TIMEOUT=60 · EVAL_MAX_STEPS=9 · ` +
        `answered 2026-01-01 to 2026-01-03 · viva ${readVersion()} · the suite's own score`,
    ]);
  });

  test('has nothing to quote of a run that was killed', async () => {
    expect(await runVerify([makeRun(toTrials('q', '+', FACTS))])).toMatchObject({
      code: 1,
      output: expect.stringContaining('it did not end: end.json has no time of its end'),
    });
  });

  test('names each figure of summary.json that differs, with both values', async () => {
    const folder = makeOwnRun(toTrials('q', '++', { ...FACTS, scores: { polite: true } }));
    const file = join(folder, 'summary.json');
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    const [suite] = stored.suites;
    const all = { ...suite.groups.at(-1), accuracy: 0.5, ci95: [0.1, null], scores: {} };
    const groups = [...suite.groups.slice(0, -1), all, { group: 'level 9' }];
    const suites = [{ ...suite, groups }, { suite: 'b' }];
    const edited = { ...stored, complete: 'yes\u001b[2J', suites, gates: [{ constructor: 1 }] };
    writeFileSync(file, JSON.stringify(edited));
    const { code, output } = await runVerify([folder]);
    expect(code).toBe(1);
    expect(output.split('\n').filter((line) => line.startsWith('MISMATCH'))).toEqual([
      'MISMATCH: complete "yes\\u001b[2J" in summary.json, true by the rows',
      'MISMATCH: own · a · all: accuracy 0.5 in summary.json, 1 by the rows',
      'MISMATCH: own · a · all: ci95 [0.1,null] in summary.json, [0.051248357424441504,1] by the rows',
      'MISMATCH: own · a · all · scores: polite nothing in summary.json, an entry by the rows',
      'MISMATCH: own · a · level 9: an entry in summary.json, nothing by the rows',
      'MISMATCH: b: an entry in summary.json, nothing by the rows',
      'MISMATCH: gates a list in summary.json, [] by the rows',
    ]);
    expect(output).toContain('may be quoted: it does not match its rows.');
    // Items of a list are paired by their names.
    const longer = [{ ...suite, groups: [{ group: 'level 0' }, ...suite.groups] }];
    writeFileSync(file, JSON.stringify({ ...stored, suites: longer }));
    expect((await runVerify([folder])).output.match(/^MISMATCH.*$/gm)).toEqual([
      'MISMATCH: own · a · level 0: an entry in summary.json, nothing by the rows',
    ]);
    // The same values in another form are the same figures.
    writeFileSync(file, JSON.stringify(stored));
    expect((await runVerify([folder])).code).toBe(0);
  });

  test.each([
    ['is missing', null, 'has no summary.json to check.'],
    ['is cut off', '{"version": 1, "su', 'is not a summary of version 1.'],
    [
      'has a broken comparison',
      '{"version": 1, "suites": [], "gates": [], "comparison": {"a": 1}}',
      'is not a summary of version 1.',
    ],
  ])('says in one sentence that summary.json %s', async (_, text, said) => {
    const folder = makeOwnRun(toTrials('q', '+', FACTS));
    rmSync(join(folder, 'summary.json'));
    if (text !== null) writeFileSync(join(folder, 'summary.json'), text);
    const { code, output } = await runVerify([folder]);
    expect(code).toBe(1);
    expect(output).toContain(said);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  test('says that the prompt of predictions is not known', async () => {
    const predicted = makeOwnRun(toTrials('q', '+', { ...FACTS, prompt_hash: '' }));
    expect((await runVerify([predicted])).output).toMatch(
      /^ {2}prompt not known · replayed 2026-/m,
    );
  });

  test('names tools, servers and the address of the model', async () => {
    const tools = ['search', 'read'];
    const mcp = [{ server: 'files', version: '2', at: 'npx files --key=[key]', tools }];
    const own = { agent: 'a', own: ['calculate'], hosted: ['web_search'] };
    const use = { ...own, mcp, leak_guard: 'off' } as const;
    const asked = { ...CONDITIONS, server: 'http://127.0.0.1:8000/v1' };
    const verify = async (suite: Partial<SuiteManifest>) =>
      (await runVerify([makeOwnRun(toTrials('q', '+', FACTS), suite)])).output;
    expect(await verify({ tools: [use], conditions: [asked] })).toContain(
      " · tools: calculate, the provider's web_search, MCP server files 2 (2 tools)" +
        ' · server http://127.0.0.1:8000/v1 · answered ',
    );
    const replayed = { ...asked, recorded_agent: 'openai:m?top_p=0.5' };
    expect(await verify({ conditions: [replayed] })).toContain(' · a of openai:m?top_p=0.5\n');
    const none = { ...use, own: [], hosted: [], mcp: [] };
    expect(await verify({ tools: [none] })).toContain(' · tools: none · ');
  });

  test('names the question of a verdict that an older grader gave, and not its answer', async () => {
    const row = { ...toTrials('q', '-', FACTS)[0], output: 'FINAL ANSWER: 17', target: '17' };
    const folder = makeOwnRun([row as SampleResult], { matcher: 'toMatchGaiaAnswer' });
    const { code, output } = await runVerify([folder]);
    expect(code).toBe(1);
    expect(output).toContain(
      "own: 1 of 1 verdict differs from those of today's grader (version 4): q (incorrect, now correct)",
    );
  });

  test('quotes named scores, and finds those that an older grader computed', async () => {
    const scores = { polite: true, closeness: 0.5 };
    const quoted = await runVerify([makeOwnRun(toTrials('q', '+', { ...FACTS, scores }))]);
    expect(quoted.output).toContain(
      '\n  score polite 100.0 % (20.7 - 100.0 %), n = 1 · score closeness 0.500 (0.000 - 1.000), n = 1',
    );
    const apart = [...toTrials('q', '++', { cluster: 'a' }), ...toTrials('r', '++')];
    const clustered = apart.map((row) => ({ ...row, ...FACTS, scores: { polite: true } }));
    expect((await runVerify([makeOwnRun(clustered)])).output).toMatch(
      /score polite 100\.0 % \(.+\), n = 4 \(2 questions in 2 clusters\)/,
    );
    const row = { ...toTrials('q', '+', FACTS)[0], output: 'FINAL ANSWER: 17', target: '17' };
    const scored = { ...row, answer: '17', scores: { 'case-sensitive': 0.5 } } as SampleResult;
    const folder = makeOwnRun([scored], { matcher: 'toMatchGaiaAnswer' });
    expect((await runVerify([folder])).output).toContain('(version 4): q (another score)');
  });

  test('does not take a run for its own baseline, which began in the same second elsewhere', async () => {
    const [before, now] = [100, 250].map((latency_ms) =>
      makeOwnRun(toTrials('q', '+', { ...FACTS, latency_ms })),
    ) as [string, string];
    const baseline = readComparedRun(before);
    writeRunFiles(evaluate(readAnsweredRun(now), { calibrationOf: () => null, baseline }));
    const { code, output } = await runVerify([now]);
    expect(output).toContain('the run run is not beside it');
    expect(output).not.toContain('MISMATCH');
    expect(code).toBe(0);
  });

  test('quotes the accuracy corrected by labels that came after the run', async () => {
    const dir = makeFolder();
    const rows = toJudged(6, 4, FACTS);
    const folder = makeOwnRun(rows, {}, {}, join(dir, 'runs'));
    const runIn = async () => (await runViva(['verify', folder], { EVAL_DIR: dir })).output;
    expect(await runIn()).toContain('corrected for its judge: uncalibrated');
    const counts = { passed: { as_pass: 5, as_fail: 1 }, failed: { as_pass: 1, as_fail: 3 } };
    writeCalibration(dir, JUDGE, counts, { runs: [], fingerprints: {} });
    const output = await runIn();
    expect(output).not.toContain('MISMATCH');
    expect(output).toContain('\n  corrected for its judge: 60.0 % (');
    expect(output).toContain(
      ' · judge openai:m (prompt 01234567): TPR 83.3 % (43.6 - 97.0 %), TNR 75.0 %',
    );
  });
});
