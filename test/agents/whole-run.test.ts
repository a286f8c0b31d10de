import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRows, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { APIS } from './apis.ts';
import { SECRET } from './ask-agent.ts';
import { type SeenRequest, startScriptedServer } from './scripted-server.ts';

const TRUTH = 'ZANZIBAR-TRUTH';
const SOLUTION = 'ZANZIBAR-STEPS';

/** A GAIA file and a multiple-choice file; the truth of the latter is the only thing that `answer` changes. */
function writeDatasets(answer: string) {
  const folder = makeFolder();
  const record = { task_id: 'g1', Question: 'What is 6 times 7?', Level: 1, 'Final answer': TRUTH, file_name: '' };
  const metadata = { 'Annotator Metadata': { Steps: SOLUTION } };
  writeFileSync(join(folder, 'metadata.jsonl'), `${JSON.stringify({ ...record, ...metadata })}\n`);
  writeFileSync(
    join(folder, 'q.csv'),
    `ID,Question,Options,Correct Option (s)\nm1,What is 6 times 7?,40|41|42,${answer}\n`,
  );
  return { EVAL_GAIA: join(folder, 'metadata.jsonl'), EVAL_MCQ: join(folder, 'q.csv') };
}

describe.each(APIS)('a run with $kind', ({ kind, base, text, calculate }) => {
  async function run(answer: string) {
    const isFirst = ({ body }: SeenRequest) => !JSON.stringify(body).includes('= 42');
    const final = text('FINAL ANSWER: 42\n{"answer": "C"}');
    const server = await startScriptedServer((request) => (isFirst(request) ? calculate('6*7') : final));
    const result = await runVitest(['run', 'evals'], {
      ...writeDatasets(answer),
      EVAL_AGENT: `${kind}:m`,
      OPENAI_API_KEY: SECRET,
      ANTHROPIC_API_KEY: SECRET,
      OPENAI_BASE_URL: base(server.url),
      ANTHROPIC_BASE_URL: base(server.url),
    });
    return { ...result, requests: server.requests };
  }

  test('answers both suites from start to report, and shows no request the truth', { timeout: 60_000 }, async () => {
    const [right, other] = await Promise.all([run('C'), run('A')]);
    expect(right.report).toMatch(new RegExp(`^gaia · \\S+ · ${kind}:m$`, 'm'));
    expect(right.report).toMatch(new RegExp(`^mcq · q · ${kind}:m$`, 'm'));
    const rows = readRows(runFolderOf(right.dir)).toSorted((a, b) => a.id.localeCompare(b.id));
    expect(rows).toMatchObject([
      { id: 'g1', state: 'incorrect', steps: 2, model: 'scripted-model-2026', usage: { input_tokens: 200 } },
      { id: 'm1', state: 'correct', steps: 2, answer: 'C' },
    ]);
    expect(right.requests).toHaveLength(4);
    const traces = filesBelow(join(runFolderOf(right.dir), 'traces')).map((file) =>
      JSON.parse(readFileSync(file, 'utf8')),
    );
    expect(traces).toHaveLength(2);
    expect(traces).toContainEqual(
      expect.objectContaining({
        id: 'm1',
        state: 'correct',
        steps: [
          expect.objectContaining({ tool_calls: [expect.objectContaining({ name: 'calculate', result: '= 42' })] }),
          expect.objectContaining({ text: expect.stringContaining('FINAL ANSWER: 42') }),
        ],
      }),
    );
    expect(JSON.stringify(right.requests)).not.toMatch(/ZANZIBAR/);
    // The truth of a multiple-choice question is a letter that occurs everywhere: another truth must change nothing.
    expect(toBodies(other.requests)).toEqual(toBodies(right.requests));
    for (const file of filesBelow(right.dir)) expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
    expect(right.output).not.toContain(SECRET);
  });
});

function toBodies(requests: readonly SeenRequest[]): readonly string[] {
  return requests.map(({ body }) => JSON.stringify(body)).toSorted();
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
