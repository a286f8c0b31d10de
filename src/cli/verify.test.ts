import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../reporters/evaluate-run.ts';
import { evaluatePastRun, readAnsweredRun } from '../../reporters/past-run.ts';
import { writeRunFiles } from '../../reporters/publish-run.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { CONDITIONS, makeRun } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { writeCalibration } from '../compare/calibrations.ts';
import { readComparedRun } from '../compare/compared-run.ts';
import { JUDGE, toJudged, toResult, toRun, toTrials } from '../figures/result.fixture.ts';
import { readVersion } from '../package.ts';
import { hashQuestion, shortHash } from '../run/prompt.ts';
import type { SuiteManifest } from '../store/manifest.ts';
import { toPromptFile, writePrompt, writeQuestions } from '../store/run-folder.ts';
import type { SampleResult } from '../words/row.ts';
import { toSample } from '../words/types.fixture.ts';

const FACTS = {
  suite: 'own',
  group: 'all',
  dataset: 'owner/set',
  agent: 'a',
  prompt_hash: shortHash('Say {{question}}'),
};
const PROMPT = FACTS.prompt_hash.slice(0, 8);

/** A run of a suite with a score of its own, complete with its questions and summary.json. */
function makeOwnRun(
  rows: readonly SampleResult[],
  suite: Partial<SuiteManifest> = {},
  config: object = {},
  dir = makeFolder(),
  viva = readVersion(),
): string {
  const own = { matcher: null, exports: [], group_sizes: [['all', 20]] as const, ...suite };
  const samples = [...new Set(rows.map(({ id }) => id))].map((id) => toSample({ id }));
  const asked = rows.map((row) => ({
    ...row,
    question_hash: hashQuestion(toSample({ id: row.id })),
  }));
  const folder = makeRun(asked, { suite: own, config: { ...config }, viva, dir, end: {} });
  writeQuestions(folder, 'own', samples);
  writePrompt(folder, 'own', 'Say {{question}}', FACTS.prompt_hash);
  writeRunFiles(evaluatePastRun(folder, {}));
  return folder;
}

const runVerify = (args: readonly string[]) => runViva(['verify', ...args], { CI: 'true' });

describe('viva verify', () => {
  test('says on one line what may be quoted, and uses the stored verdicts of an own score', async () => {
    const times = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    const rows = toRun(['++', '+-', '--'], { ...FACTS, model: 'a' });
    const dated = rows.map((row, index) => ({ ...row, answered_at: times[index % 2] ?? null }));
    const failed = toResult('errored', { ...FACTS, id: 'q4', attempts: 2 });
    const results = [...dated, failed, { ...failed, trial: 2 }];
    const conditions = [{ ...CONDITIONS, timeout_seconds: 60, max_steps: 9 }];
    const source = { uri: 'hf:owner/set', revision: 'abc123', hash: 'x' };
    const { code, output } = await runVerify([
      makeOwnRun(results, { source, conditions }, { limit: 4, seed: 7 }),
    ]);
    expect(code).toBe(0);
    expect(output.split('\n')).toEqual([
      '  own: its verdicts are not checked, because code in the eval file grades them',
      '  own: expected answers are not checked, because not all of the dataset was asked',
      `own · owner/set (revision abc123) · a (model a) · prompt ${PROMPT} · ` +
        'n = 4 questions of 20 by EVAL_LIMIT=4, EVAL_SEED=7, 2 trials each · ' +
        'accuracy 37.5 % (3 of 8, 95 % interval 11.1 - 74.2 %) · 2 errors count as wrong · 2 second attempts · ' +
        `EVAL_TIMEOUT=60 · EVAL_MAX_STEPS=9 · viva ${readVersion()}, the suite's own score · ` +
        'answered 2026-01-01 to 2026-01-03 · 6 verdicts are not checked · expected answers are not checked',
    ]);
  });

  test('has nothing to quote of a run that was killed', async () => {
    expect(await runVerify([makeRun(toTrials('q', '+', FACTS))])).toMatchObject({
      code: 1,
      output: expect.stringContaining('it did not end: end.json has no time of its end'),
    });
  });

  test('says what does not match where a prompt or the questions are missing that the run had', async () => {
    const folder = makeOwnRun(toTrials('q', '+', FACTS));
    for (const name of ['prompts', 'questions-own.json'])
      rmSync(join(folder, name), { recursive: true });
    const { code, output } = await runVerify([folder]);
    expect(code).toBe(1);
    expect(output).toContain('MISMATCH: own: its file of questions is missing');
    expect(output).toMatch(/MISMATCH: prompts\/own-.* is missing/);
  });

  test('finds an edited prompt, and says that the prompt of predictions is not known', async () => {
    const folder = makeOwnRun(toTrials('q', '+', FACTS));
    expect((await runVerify([folder])).code).toBe(0);
    const prompt = toPromptFile('own', FACTS.prompt_hash);
    writeFileSync(join(folder, prompt), 'Think, then say {{question}}');
    const { output } = await runVerify([folder]);
    expect(output).toContain('MISMATCH: prompts/own-');
    const predicted = makeOwnRun(toTrials('q', '+', { ...FACTS, prompt_hash: '' }));
    expect((await runVerify([predicted])).output).toMatch(
      / · prompt not known · .* · replayed 2026-/,
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
      " · tools: calculate, the provider's web_search, MCP server files 2 at npx files --key=[key] (2 tools: search, read)" +
        ' · server http://127.0.0.1:8000/v1 · viva ',
    );
    const replayed = { ...asked, recorded_agent: 'openai:m?top_p=0.5' };
    expect(await verify({ conditions: [replayed] })).toContain(' · a of openai:m?top_p=0.5 ');
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

  test('finds no fault in trials whose expected answer is an object', async () => {
    const rows = toTrials('q', '++', { ...FACTS, target: { sum: 17 } });
    expect((await runVerify([makeOwnRun(rows)])).output).not.toContain('different expected');
  });

  test('quotes named scores, and finds those that an older grader computed', async () => {
    const scores = { polite: true, closeness: 0.5 };
    const quoted = await runVerify([makeOwnRun(toTrials('q', '+', { ...FACTS, scores }))]);
    expect(quoted.output).toContain(
      ' · score polite 100.0 % (95 % interval 20.7 - 100.0 %, n = 1) · score closeness 0.500 (95 % interval 0.000 - 1.000, n = 1) · ',
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
    expect(output).toContain('corrected for its judge: 60.0 % (95 % interval');
    expect(output).toContain(
      ' · judge openai:m (prompt 01234567): TPR 83.3 % (43.6 - 97.0 %), TNR 75.0 %',
    );
  });
});
