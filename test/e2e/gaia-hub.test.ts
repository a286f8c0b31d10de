import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/store/manifest.ts';
import { findEveryEvalProblems } from '../every-eval-fields.ts';
import { startFakeHub } from '../hub/fake-hub.ts';
import { type MadeRecord, makeRecords, toSplitFiles, VALIDATION } from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';
import { runViva } from '../run-viva.ts';
import { readSummary, runFolderOf, runVitest } from './run-vitest.ts';

const NAME = 'gaia-benchmark/GAIA';
const TOKEN = 'hf_0123456789';

/**
 * Right predictions; every fifth is in the leaderboard's form, which is scored as it is: its
 * marker makes it wrong.
 */
function writePredictions(records: readonly MadeRecord[]): string {
  const file = join(makeFolder(), 'predictions.jsonl');
  const lines = records.map(({ task_id, 'Final answer': truth }, index) => {
    const field = index % 5 === 0 ? 'model_answer' : 'output';
    return `${JSON.stringify({ task_id, [field]: `FINAL ANSWER: ${truth}`, latency_ms: 1000 + index, model: 'lab/model-1' })}\n`;
  });
  writeFileSync(file, lines.join(''));
  return file;
}

test('a split of the Hub of 165 questions with 38 files is asked, graded and written as a submission', async () => {
  const records = makeRecords(VALIDATION);
  const files = toSplitFiles('validation', records);
  const hub = await startFakeHub({ name: NAME, files, token: TOKEN });
  const run = await runVitest(['run', 'evals/gaia'], {
    EVAL_GAIA: `hf:${NAME}`,
    HF_ENDPOINT: hub.url,
    HF_TOKEN: TOKEN,
    HF_HUB_CACHE: makeFolder(),
    HF_HUB_OFFLINE: '0',
    EVAL_AGENT: `replay:${writePredictions(records)}`,
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
  expect(readManifest(folder).suites[0]?.source).toEqual({
    uri: `hf:${NAME}`,
    revision: hub.commit,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  for (const name of readdirSync(folder)) {
    if (name.includes('.')) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(TOKEN);
  }
  expect(run.output).not.toContain(TOKEN);
  await expectPublished(folder, hub.commit, records);
});

/** The figure of such a run as a record, which has no text of the dataset; no leaderboard takes it. */
async function expectPublished(
  folder: string,
  revision: string,
  records: readonly MadeRecord[],
): Promise<void> {
  const out = makeFolder();
  const words = ['export', '--every-eval-ever', '--organization', 'us', '--out', out, folder];
  expect(await runViva(words)).toMatchObject({ code: 0 });
  const [name = ''] = globSync('data/**/*.json', { cwd: out });
  const text = readFileSync(join(out, name), 'utf8');
  expect(findEveryEvalProblems(name, JSON.parse(text))).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    model_info: { id: 'lab/model-1' },
    evaluation_results: [
      {
        source_data: {
          hf_repo: NAME,
          samples_number: 165,
          additional_details: { revision },
        },
        score_details: { score: 132 / 165 },
      },
    ],
  });
  for (const { Question, task_id } of records) {
    expect(text).not.toContain(Question);
    expect(text).not.toContain(task_id);
  }
  const refused = await runViva(['export', '--hf-results', '--task', 't', '--out', out, folder]);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining('not published, since it lacks the prompt of the predictions'),
  ]);
}
