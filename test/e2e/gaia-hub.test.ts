import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderSubmission, submissionIds } from '../../reporters/exports.ts';
import { renderText } from '../../reporters/render.ts';
import { readConfig } from '../../src/config.ts';
import { loadGaia } from '../../src/datasets/load.ts';
import { toResult } from '../../src/metrics/result.fixture.ts';
import { summarize } from '../../src/metrics/summarize.ts';
import { recordPlan } from '../../src/run/record-plan.ts';
import { toSuite } from '../../src/run/suite.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { startFakeHub } from '../hub/fake-hub.ts';
import {
  type MadeRecord,
  makeRecords,
  TEST,
  toSplitFiles,
  VALIDATION,
} from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';
import { readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const NAME = 'gaia-benchmark/GAIA';
const TOKEN = 'hf_0123456789';

/**
 * Right predictions; every fifth is in the leaderboard's form, which is scored as it stands: its
 * marker makes it wrong.
 */
function writePredictions(records: readonly MadeRecord[]): string {
  const file = join(makeFolder(), 'predictions.jsonl');
  const lines = records.map(({ task_id, 'Final answer': truth }, index) => {
    const field = index % 5 === 0 ? 'model_answer' : 'output';
    return `${JSON.stringify({ task_id, [field]: `FINAL ANSWER: ${truth}`, latency_ms: 1000 + index })}\n`;
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

test('a split of the Hub of 165 questions with 38 files is asked, graded and written as a submission', async () => {
  const records = makeRecords(VALIDATION);
  const { hub, env } = await startHub(toSplitFiles('validation', records));
  const predictions = writePredictions(records);
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
  const ids = records.map(({ task_id }) => task_id);
  const submitted = readFileSync(join(folder, 'submission.jsonl'), 'utf8').trimEnd().split('\n');
  expect(submitted.map((line) => JSON.parse(line).task_id)).toEqual(ids);
  expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(1 + 38);
  expect(readSuite(folder).source).toEqual({
    uri: `hf:${NAME}`,
    revision: hub.commit,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  for (const name of readdirSync(folder)) {
    if (name.includes('.')) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(TOKEN);
  }
  expect(run.output).not.toContain(TOKEN);
});

test('the whole test split has no accuracy, and its submission has 301 rows, the placeholder row last', async () => {
  const hidden = makeRecords(TEST, { hidden: true });
  const placeholder = {
    task_id: '0-0-0-0-0',
    Question: 'None.',
    Level: 3,
    'Final answer': '?',
    file_name: '',
  };
  const { hub } = await startHub(toSplitFiles('test', hidden.toSpliced(100, 0, placeholder)));
  const dataset = await loadGaia({ path: `hf:${NAME}`, split: 'test', hub: hub.settings() });
  const { samples, notes } = dataset;
  expect(notes).toContain('The placeholder row "0-0-0-0-0" was skipped.');
  const rows = samples.map(({ id, group, target }) =>
    toResult('ungraded', { id, group, target, dataset: dataset.name }),
  );

  const folder = makeRun(rows);
  const run = {
    folder,
    config: readConfig({}),
    root: '',
    hub: hub.settings(),
    secrets: [],
    watchRun: 1,
    spentUsd: 0,
    suites: 1,
  };
  const selection = { samples, share: samples, unmatchedIds: [], lanes: [], deadlineMs: () => 1 };
  const ready = {
    ...run,
    ui: false,
    blockedBecause: null,
    kinds: [],
    shard: null,
    status: 'ready',
    mcp: null,
    prompts: [],
    baseline: null,
  } as const;
  const suiteOf = toSuite('gaia', { data: [{}] }, '');
  recordPlan({ suite: suiteOf, dataset, ...selection }, [], 'hash', ready);
  const [suite] = readManifest(folder).suites;
  const submitted = suite === undefined ? [] : [...renderSubmission(submissionIds(suite), rows)];
  const ids = [...hidden.map(({ task_id }) => task_id), placeholder.task_id];
  expect([ids.length, submitted.map((line) => JSON.parse(line).task_id)]).toEqual([301, ids]);

  const summary = summarize(rows);
  expect(summary.suites[0]?.groups.at(-1)).toMatchObject({
    n: 300,
    accuracy: null,
    bounds: null,
    ci95: null,
  });
  expect(renderText(summary, [])).toMatch(/^ +all +300 /m);
  expect(renderText(summary, [])).not.toMatch(/\d\.\d %/);
});
