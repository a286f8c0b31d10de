import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSubmission } from '../../reporters/gaia-files.ts';
import { startFakeHub } from '../hub/fake-hub.ts';
import { type MadeRecord, makeRecords, TEST, toSplitFiles, VALIDATION } from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const NAME = 'gaia-benchmark/GAIA';
const TOKEN = 'hf_0123456789';

/** Predictions that are right but for every `wrong`th one, in the leaderboard's own form. */
function writePredictions(records: readonly MadeRecord[], truths: readonly MadeRecord[], wrong: number): string {
  const file = join(makeFolder(), 'predictions.jsonl');
  const lines = records.map(({ task_id }, index) => {
    const truth = index % wrong === 0 ? 'no idea' : truths[index]?.['Final answer'];
    return `${JSON.stringify({ task_id, output: `FINAL ANSWER: ${truth}`, latency_ms: 1000 + index })}\n`;
  });
  writeFileSync(file, lines.join(''));
  return file;
}

async function startHub(files: Record<string, Uint8Array>) {
  const hub = await startFakeHub({ name: NAME, files, token: TOKEN });
  const env = {
    EVAL_GAIA: `hf:${NAME}`,
    HF_ENDPOINT: hub.url,
    HF_TOKEN: TOKEN,
    HF_HUB_CACHE: makeFolder(),
    HF_HUB_OFFLINE: '0',
  };
  return { hub, env };
}

function readSuite(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).suites[0];
}

function readSubmission(folder: string): { text: string; rows: readonly { task_id: string; model_answer: string }[] } {
  const text = readFileSync(join(folder, 'submission.jsonl'), 'utf8');
  return {
    text,
    rows: text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

describe('a split of the Hub', () => {
  test('of 165 questions with 38 files is asked, graded and written as a submission', async () => {
    const records = makeRecords(VALIDATION);
    const { hub, env } = await startHub(toSplitFiles('validation', records));
    const predictions = writePredictions(records, records, 5);
    const run = await runVitest(['run', 'evals/gaia'], {
      ...env,
      EVAL_AGENT: `replay:${predictions}`,
      EVAL_MIN_ACCURACY: '0.5',
    });
    expect(run.code).toBe(0);
    const folder = runFolderOf(run.dir);
    const groups = readSummary(folder).suites[0]?.groups ?? [];
    expect(groups.map(({ group, n }) => [group, n])).toEqual([
      ['level 1', 53],
      ['level 2', 86],
      ['level 3', 26],
      ['all', 165],
    ]);
    expect(groups.at(-1)?.accuracy).toBe(132 / 165);
    const { text, rows } = readSubmission(folder);
    expect(rows.map(({ task_id }) => task_id)).toEqual(records.map(({ task_id }) => task_id));
    expect(
      checkSubmission(
        text,
        records.map(({ task_id }) => task_id),
      ),
    ).toEqual([]);
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(1 + 38);
    expect(readSuite(folder).source).toEqual({
      uri: `hf:${NAME}`,
      revision: hub.commit,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(run.report).toContain("the submission has 165 tasks in the leaderboard's form: the whole validation split.");
    expect(run.report).toMatch(
      /reference, not measured here \(GAIA paper, .+\): humans 92\.0 %, humans, level 1 93\.9 % \(unverified\)/,
    );
    for (const name of readdirSync(folder)) {
      if (name.includes('.')) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(TOKEN);
    }
    expect(run.output).not.toContain(TOKEN);
  });

  test('brings the files of the selection alone, and is not held against published figures', async () => {
    const records = makeRecords(VALIDATION);
    const { hub, env } = await startHub(toSplitFiles('validation', records));
    const predictions = writePredictions(records, records, 5);
    const run = await runVitest(['run', 'evals/gaia'], {
      ...env,
      EVAL_AGENT: `replay:${predictions}`,
      EVAL_LEVEL: '3',
    });
    expect(readRows(runFolderOf(run.dir))).toHaveLength(26);
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(1 + 7);
    expect(run.report).not.toContain('reference, not measured here');
    expect(run.report).toContain("26 tasks in the leaderboard's form: a part,");
  });

  test('is counted by a dry run whose files nobody has downloaded yet', async () => {
    const records = makeRecords({
      1: { records: 2, files: 1 },
      2: { records: 1, files: 0 },
      3: { records: 1, files: 0 },
    });
    const { env } = await startHub(toSplitFiles('validation', records));
    const agent = join(makeFolder({ 'agent.js': "export default () => 'FINAL ANSWER: 3';" }), 'agent.js');
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: `module:${agent}`, EVAL_DRY_RUN: '1' });
    expect(run.output).toMatch(/ 4 trials, 0 from the cache, 4 to ask, cost not known/);
    expect(run.code).toBe(0);
  });

  test('that was read once is read again without the Hub, with the same hash', async () => {
    const records = makeRecords({
      1: { records: 2, files: 2 },
      2: { records: 1, files: 0 },
      3: { records: 1, files: 0 },
    });
    const { hub, env } = await startHub(toSplitFiles('validation', records));
    const settings = { ...env, EVAL_AGENT: `replay:${writePredictions(records, records, 100)}` };
    const first = await runVitest(['run', 'evals/gaia'], settings);
    await hub.close();
    const again = await runVitest(['run', 'evals/gaia'], { ...settings, HF_HUB_OFFLINE: '1', HF_TOKEN: '' });
    expect(again.report).toContain(`Read from the cache at commit ${hub.commit}: HF_HUB_OFFLINE is set.`);
    const [suite, other] = [first, again].map(({ dir }) => readSuite(runFolderOf(dir)));
    expect([other.source, other.dataset_hash]).toEqual([suite.source, suite.dataset_hash]);
    expect(readRows(runFolderOf(again.dir)).map(({ state }) => state)).toEqual(
      readRows(runFolderOf(first.dir)).map(({ state }) => state),
    );
  });

  test('that is refused stops the suite with what to do, before anything is asked', async () => {
    const records = makeRecords(VALIDATION);
    const { env } = await startHub(toSplitFiles('validation', records));
    const run = await runVitest(['run', 'evals/gaia'], { ...env, HF_TOKEN: '', EVAL_AGENT: 'replay' });
    expect(run.code).toBe(1);
    expect(run.output).toContain('no token was given (HTTP 401, GatedRepo');
    expect(run.output).toContain('then set HF_TOKEN');
  });

  test.each(['hf:GAIA', 'hf:a/b@../../x'])('EVAL_GAIA=%s is refused as a setting', async (EVAL_GAIA) => {
    const run = await runVitest(['run', 'evals/gaia'], { EVAL_GAIA });
    expect(run.code).toBe(1);
    expect(run.output).toContain('EVAL_GAIA must be a folder or file with GAIA records, or hf:owner/name');
  });
});

describe('the test split', () => {
  const PLACEHOLDER = { task_id: '0-0-0-0-0', Question: 'None.', Level: 3, 'Final answer': '?', file_name: '' };

  test('is not graded, passes where an answer came, and is submitted with all 301 rows', async () => {
    const hidden = makeRecords(TEST, { hidden: true });
    const rows = [...hidden.slice(0, 100), PLACEHOLDER, ...hidden.slice(100)];
    const { env } = await startHub(toSplitFiles('test', rows));
    const predictions = writePredictions(hidden, makeRecords(TEST), 1000);
    const run = await runVitest(['run', 'evals/gaia'], {
      ...env,
      EVAL_SPLIT: 'test',
      EVAL_AGENT: `replay:${predictions}`,
    });
    expect(run.code).toBe(0);
    const folder = runFolderOf(run.dir);
    const all = readSummary(folder).suites[0]?.groups.at(-1);
    expect(all).toMatchObject({ n: 300, accuracy: null, bounds: null, ci95: null });
    expect(all?.states.ungraded).toBe(300);
    const table = run.report.split('\n').filter((line) => /^ +(level \d|all) /.test(line));
    expect(table).toHaveLength(4);
    expect(table.filter((line) => line.includes('%'))).toEqual([]);
    const ids = [...hidden.map(({ task_id }) => task_id), PLACEHOLDER.task_id];
    expect(checkSubmission(readSubmission(folder).text, ids)).toEqual([]);
    expect(readSubmission(folder).rows.map(({ task_id }) => task_id)).toEqual(ids);
    expect(run.report).toContain('The placeholder row "0-0-0-0-0" was skipped.');
    expect(run.report).toContain('300 of 300 truths are hidden ("?") and stay ungraded.');
  });

  test.each([
    ['no answer came', (lines: readonly string[]) => lines.slice(1)],
    [
      'the answer is empty',
      ([first = '', ...rest]: readonly string[]) => [first.replace(/FINAL ANSWER:.*?"/, '"'), ...rest],
    ],
  ])('fails where %s, and submits an empty one', async (_, change) => {
    const shape = { 1: { records: 2, files: 0 }, 2: { records: 1, files: 0 }, 3: { records: 1, files: 0 } };
    const hidden = makeRecords(shape, { hidden: true });
    const { env } = await startHub(toSplitFiles('test', [...hidden, PLACEHOLDER]));
    const predictions = writePredictions(hidden, makeRecords(shape), 1000);
    writeFileSync(predictions, change(readFileSync(predictions, 'utf8').split('\n')).join('\n'));
    const run = await runVitest(['run', 'evals/gaia'], {
      ...env,
      EVAL_SPLIT: 'test',
      EVAL_AGENT: `replay:${predictions}`,
    });
    expect(run.code).toBe(1);
    expect(run.report).not.toContain('OUTSIDE THE ANSWERS');
    const { rows } = readSubmission(runFolderOf(run.dir));
    expect(rows.map(({ task_id }) => task_id)).toEqual(hidden.map(({ task_id }) => task_id));
    expect(rows[0]?.model_answer).toBe('');
  });
});
