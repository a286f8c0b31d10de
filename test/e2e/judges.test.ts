import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SampleResult } from '../../src/words/row.ts';
import { failing, type Seen, saying, startJudges } from '../judge-lab.ts';
import { makeFolder } from '../make-folder.ts';
import { readReport } from '../read-report.ts';
import { copyProject } from './copy-project.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** Two suites, by both ways to ask judges; the agent writes down each id that it is asked. */
const SUITES = `
import { appendFileSync } from 'node:fs';
import { defineEval, judge } from 'viva';
import { expect } from 'vitest';
const agent = {
  priced: true,
  answer: ({ suite, id }) => {
    appendFileSync(new URL('calls', import.meta.url), suite[0] + ' ' + id + '\\n');
    return { output: 'ANSWER ' + id, costUsd: 0.01 };
  },
};
const make = (word) => ['pass', 'fail', 'split', 'unsure', 'down'].map((id) => {
  return { id, input: word + ' ' + id, target: word + ' TRUTH ' + id };
});
await defineEval('names', { data: make('HIDDEN'), agent, score: judge('Names the same person.') });
await defineEval('calls', {
  data: make('SHOWN'),
  agent,
  public: true,
  score: ({ output }) => expect(output).toPassJudge('Names a person.', { reference: null }),
});`;

/** What the judge b says, or a, which differs on "split". */
function rule({ model, texts }: Seen) {
  const id = texts['answer']?.replace('ANSWER ', '') ?? '';
  const verdict =
    id === 'unsure'
      ? 'cannot_tell'
      : id === 'fail' || (id === 'split' && model === 'b')
        ? 'fail'
        : 'pass';
  return saying(verdict, `I read ${texts['question']}`);
}

function countStates(rows: readonly SampleResult[]) {
  const states = rows.map(
    ({ id, state, reason, judge }) => `${id}: ${reason ?? state} ${judge?.verdicts.join('/')}`,
  );
  return states.sort();
}

const DECIDED = ['fail: incorrect fail/fail', 'pass: correct pass/pass', 'split: judge pass/fail'];
const OPEN = 'unsure: judge cannot_tell/cannot_tell';

test('judged answers survive a kill, are hidden in CI, and are replayed with their verdicts', async () => {
  const project = copyProject();
  const folder = join(project, 'evals/judged');
  mkdirSync(folder);
  writeFileSync(join(folder, 'judged.eval.ts'), SUITES);
  let phase = 'stalls';
  let verdicts = 0;
  const judges = await startJudges((seen) => {
    if (phase === 'stalls' && ++verdicts > 6) return { fault: 'silent' };
    return phase !== 'works' && seen.texts['answer'] === 'ANSWER down' ? failing(503) : rule(seen);
  });
  const dir = makeFolder();
  const [a, b] = [judges.name('a'), judges.name('b')];
  const env = { EVAL_DIR: dir, EVAL_JUDGE: `${a},${b}`, EVAL_CONCURRENCY: '2' };
  const readCalls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

  const interrupt = { signal: 'SIGKILL', afterRows: 3 } as const;
  const killed = await runVitest(['run', 'evals/judged'], env, { cwd: project, interrupt });
  expect([killed.code, verdicts > 6, new Set(readCalls()).size]).toEqual([
    null,
    true,
    readCalls().length,
  ]);

  phase = 'fails';
  // A last call of the killed run may arrive late, so this run's calls are told apart by their key.
  const resuming = { ...env, CI: 'true', OPENAI_API_KEY: 'resumed', EVAL_FAILURES: 'full' };
  const resumed = await runVitest(['run', 'evals/judged'], resuming, { cwd: project });
  expect(readCalls()).toHaveLength(10);
  const again = judges.requests.filter(({ headers }) => headers.authorization === 'Bearer resumed');
  expect(again).toHaveLength(20 - 6);
  const rows = readRows(join(dir, 'latest'));
  for (const suite of ['names', 'calls']) {
    const ofSuite = rows.filter((row) => row.suite === suite);
    expect(countStates(ofSuite)).toEqual(['down: judge error/error', ...DECIDED, OPEN]);
  }
  const open = rows.find(({ id, suite }) => id === 'split' && suite === 'names');
  expect(open).toMatchObject({ output: 'ANSWER split', answer: 'ANSWER split', cost_usd: 0.01 });
  expect(open?.judge).toMatchObject({
    models: [a, b],
    reasons: ['I read HIDDEN split', 'I read HIDDEN split'],
  });
  const { groups } = readSummary(join(dir, 'latest')).suites[0] ?? { groups: [] };
  expect(groups.at(-1)).toMatchObject({
    accuracy: null,
    bounds: [0.2, 0.8],
    states: { not_run: 3 },
  });
  expect(resumed.output).toContain('NOT COMPLETE: 6 of 10 tests were not run (judge 6)');
  expect(resumed.output).toContain('3 of 5 judged answers have no verdict (');
  const files = ['summary.md', 'summary.json', 'manifest.json', 'report.html'].map((name) =>
    join(dir, 'latest', name),
  );
  const texts = [resumed.output, ...files.map(readReport)];
  expect(texts.flatMap((text) => text.match(/.{0,80}HIDDEN.{0,20}/g) ?? [])).toEqual([]);
  expect(resumed.output).toContain('(I read SHOWN fail)');
  expect(texts.at(-1)).toContain('I read SHOWN split');

  phase = 'works';
  const asked = judges.requests.length;
  const replay = { ...env, EVAL_DIR: makeFolder(), EVAL_AGENT: `replay:${join(dir, 'latest')}` };
  const replayed = await runVitest(['run', 'evals/judged'], replay, { cwd: project });
  // Only the verdicts of the judges that were down.
  expect(judges.requests.length - asked).toBe(4);
  const replayedRows = readRows(runFolderOf(replayed.dir)).filter(({ suite }) => suite === 'names');
  expect(countStates(replayedRows)).toEqual(['down: correct pass/pass', ...DECIDED, OPEN]);
});
