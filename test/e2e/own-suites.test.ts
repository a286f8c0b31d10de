import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readReport } from '../read-report.ts';
import { startViva } from '../run-shell.ts';
import { copyProject } from './copy-project.ts';
import { cleanEnvironment, readRows, readSummary, runVitest } from './run-vitest.ts';

/**
 * A suite of a file, with a prompt, fields of other names, and an agent that writes down each id
 * that it is asked.
 */
const SUMS = `
import { appendFileSync } from 'node:fs';
import { defineEval } from 'viva';
import { add } from './add.ts';
await defineEval('sums', {
  data: './sums.jsonl',
  map: ({ n, sum }) => ({ id: n, input: 'What is ' + n + ' and ' + n + '?', target: sum, group: n > 2 ? 'large' : 'small' }),
  prompt: './prompt.md',
  agent: {
    name: 'adder',
    priced: true,
    answer: ({ id, prompt }) => {
      appendFileSync(new URL('calls', import.meta.url), id + ' ');
      return { output: add(id) + (prompt.includes('fully') ? '.' : ''), costUsd: 0.01 };
    },
  },
});`;

/** Scores by the id of the sample. */
const SCORES = `
import assert from 'node:assert';
import { defineEval } from 'viva';
const scores = {
  yes: () => true,
  verdict: () => ({ state: 'incorrect', answer: 'w', explanation: 'too short', scores: { half: 0.5 } }),
  asserts: ({ answer }) => assert.equal(answer, 'other', 'not the other word'),
};
const agent = { priced: true, answer: ({ id }) => ({ output: 'word', costUsd: 0.01 }) };
await defineEval('scores', {
  public: true,
  agent,
  data: Object.keys(scores).map((id) => ({ id, input: 'PUBLIC ' + id, target: 'word' })),
  score: (input) => scores[input.sample.id](input),
});
await defineEval('blind', {
  agent,
  data: () => [{ id: 'short', input: 'HIDDEN one' }, { id: 'long', input: 'HIDDEN two' }],
  score: ({ answer, target, sample }) => target === '' && answer.length < (sample.id === 'long' ? 3 : 9),
});`;

/** Scores that fail by themselves, in the open and on records that are hidden in CI. */
const BROKEN = `
import { defineEval } from 'viva';
const agent = { priced: true, answer: () => ({ output: 'word', costUsd: 0.01 }) };
const score = ({ sample }) => {
  throw new RangeError('cannot judge ' + sample.input);
};
await defineEval('broken', { public: true, agent, score, data: [{ id: 'b', input: 'PUBLIC b', target: 'word' }] });
await defineEval('broken-too', { public: false, agent, score, data: [{ id: 'c', input: 'HIDDEN c', target: 'word' }] });`;

/** Records and functions that fail while records are read, in the open and hidden in CI. */
const WRONG = `
import { defineEval } from 'viva';
await defineEval('wrong', { agent: () => '', free: true, data: () => [{ id: 'w', input: 'HIDDEN w', target: 'HIDDEN t', group: { HIDDEN: 1 } }] });`;
const MAPPED = `
import { defineEval } from 'viva';
await defineEval('mapped', {
  agent: () => '',
  free: true,
  public: true,
  data: [{ q: 'PUBLIC q' }],
  map: ({ q }) => {
    throw new RangeError('cannot map ' + q);
  },
});`;
const GROUPED = `
import { defineEval } from 'viva';
await defineEval('grouped', {
  agent: () => '',
  free: true,
  data: async () => [{ id: 'g1', input: 'HIDDEN g', target: 'g' }],
  group: ({ input }) => input.missing.length,
});`;
const LOADED = `
import { defineEval } from 'viva';
await defineEval('loaded', { agent: () => '', free: true, data: () => Promise.reject('no data today'), public: true });`;

const PROMPTS = ['evals/zebra/prompt.md', 'evals/zebra/other.md'];

function nameEach(suite: string, prompts: readonly string[]): string {
  return prompts.map((prompt) => suite + prompt).join();
}

/** Two suites of one name. */
const TWICE = `
import { defineEval } from 'viva';
const data = [{ id: 'a', input: 'PUBLIC a', target: 'word' }];
const agent = { priced: true, answer() { throw new Error("ASKED"); } };
await defineEval('twice', { data, agent });
await defineEval('twice', { data, agent, public: true });`;

const GATES = [
  { suite: 'sums', dataset: 'sums', group: 'all', min_accuracy: 0.5 },
  { suite: 'scores', dataset: 'scores', group: 'all', min_accuracy: 0.5 },
  { suite: 'sums', dataset: 'sums', group: 'large', min_pass_rate_per_case: 0.5, advisory: true },
];

/** A copy of the project with these suites beside GAIA and multiple choice. */
function makeProject(): { project: string; zebra: string } {
  const project = copyProject();
  const zebra = join(project, 'evals/zebra');
  const files = {
    'sums.eval.ts': SUMS,
    'add.ts': 'export const add = (id: string) => (id === "3" ? 7 : Number(id) * 2);',
    'sums.jsonl': [1, 2, 3, 4].map((n) => `${JSON.stringify({ n, sum: n * 2 })}\n`).join(''),
    'prompt.md': 'Answer with a number. {{question}}',
    'other.md': 'Say a number. {{question}}',
    'scores.eval.ts': SCORES,
    'broken.eval.ts': BROKEN,
    'twice.eval.ts': TWICE,
    'wrong.eval.ts': WRONG,
    'mapped.eval.ts': MAPPED,
    'grouped.eval.ts': GROUPED,
    'loaded.eval.ts': LOADED,
    calls: '',
  };
  mkdirSync(zebra);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(zebra, name), text);
  writeFileSync(join(project, 'evals/gates.json'), JSON.stringify({ version: 1, gates: GATES }));
  return { project, zebra };
}

function listRuns(dir: string): readonly string[] {
  const names = readdirSync(join(dir, 'runs')).toSorted();
  return names.map((name) => join(dir, 'runs', name));
}

test('own suites are asked, scored, sharded, merged, gated, hidden and compared', async () => {
  const { project, zebra } = makeProject();
  const dir = makeFolder();
  const env = {
    EVAL_DIR: dir,
    EVAL_TRIALS: '2',
    EVAL_MAX_COST: '1',
    EVAL_PROMPT: nameEach('sums=', PROMPTS),
    CI: 'true',
  };
  const outputs = [];
  for (const index of [1, 2]) {
    const words = ['run', 'evals/zebra', `--shard=${index}/2`];
    outputs.push((await runVitest(words, env, { cwd: project })).output);
  }
  const shards = listRuns(dir);
  const place = { cwd: project, env: { ...cleanEnvironment(), ...env } };
  const merged = await startViva(['merge', ...shards.toReversed()], place);
  const folder = join(dir, 'latest');
  expect(readFileSync(join(zebra, 'calls'), 'utf8').trim().split(' ').toSorted()).toEqual([
    ...'1111222233334444',
  ]);

  // The same verdicts in both trials.
  const rows = readRows(folder);
  expect(rows).toHaveLength(2 * (11 + 4));
  const verdicts = rows.map(
    ({ suite, id, state, explanation }) => `${suite} ${id}: ${state}, ${explanation}`,
  );
  const accepts = 'your score accepts it';
  expect([...new Set(verdicts)].toSorted()).toEqual([
    'blind long: incorrect, your score returned false',
    `blind short: correct, ${accepts}`,
    'broken b: not_run, RangeError: cannot judge PUBLIC b',
    'broken-too c: not_run, RangeError: cannot judge HIDDEN c',
    'scores asserts: incorrect, not the other word',
    'scores verdict: incorrect, too short',
    `scores yes: correct, ${accepts}`,
    'sums 1: correct, equal to the expected answer',
    'sums 2: correct, equal to the expected answer',
    'sums 3: incorrect, not equal to the expected answer',
    'sums 4: correct, equal to the expected answer',
  ]);
  const groups = readSummary(folder).suites.map(({ suite, groups }) => [
    suite,
    groups.at(-1)?.n,
    groups.at(-1)?.accuracy,
  ]);
  expect(groups.toSorted()).toEqual([
    ['blind', 4, 0.5],
    ['broken', 2, null],
    ['broken-too', 2, null],
    ['scores', 6, 1 / 3],
    ['sums', 8, 0.75],
    ['sums', 8, 0.75],
    ['twice', 2, null],
  ]);

  expect(merged.output).toMatch(
    /^ {2}other\.md@\w{8} against prompt\.md@\w{8}, on 4 questions: 0\.0 pp /m,
  );
  // The worst questions of each prompt are named, over both shards and trials.
  expect(
    merged.output.match(/pass rate below the gate 50\.0 % for group large: 3 \(0 of 2\)/g),
  ).toHaveLength(2);
  expect(
    readdirSync(join(folder, 'prompts')).filter((name) => name.startsWith('sums-')),
  ).toHaveLength(2);

  // The suite's own error is shown with its place, and there is no other run error.
  expect(merged.code).toBe(1);
  expect(merged.output).toContain('GATE MISSED: scores: accuracy 33.3 %');
  const outside = merged.output.match(/RUN ERROR: .*/g);
  expect([...new Set(outside)].toSorted()).toEqual([
    'RUN ERROR: broken b and 1 more: RangeError: cannot judge PUBLIC b',
    expect.stringMatching(/^RUN ERROR: broken-too c and 1 more: Its score failed/),
  ]);
  expect(outputs[0]).toMatch(
    /Refused: evals\/zebra\/twice\.eval\.ts: another suite has the name "twice" too\. Give each its own name\. See docs\/package\.md#write-a-suite\.\n/,
  );
  const refused = outputs[0]?.match(/Refused: .*(?:mapped|grouped|loaded|wrong).*/g)?.toSorted();
  expect(refused).toEqual(
    [
      'grouped.eval.ts: "group" failed for "g1" at evals/zebra/grouped.eval.ts:7:39. Correct the function.',
      `loaded.eval.ts: "data" failed ('no data today')`,
      'mapped.eval.ts, record 1: "map" failed at evals/zebra/mapped.eval.ts:9:11 (RangeError: cannot map PUBLIC q)',
      'wrong.eval.ts, record 1 (id "w"): "group" must be text, the value (object) is hidden',
    ].map((text) => expect.stringContaining(`Refused: evals/zebra/${text}`)),
  );
  expect(outputs.join()).not.toContain('ASKED');
  const [, failure = ''] =
    /(RangeError: cannot judge PUBLIC b[\s\S]*?)\n\n/.exec(outputs[0] ?? '') ?? [];
  expect(failure).toContain('❯ score evals/zebra/broken.eval.ts:5:9');
  expect(failure).not.toContain('src/run');
  expect(outputs.join()).toMatch(
    /Error: The score of this suite failed at evals\/zebra\/broken\.eval\.ts:5:9\. .+\n(?! ❯)/,
  );

  expect(outputs[0]).toContain('  blind: 2 trials, 0 cached, 2 to ask');

  // In CI the records of a suite are hidden unless it is public.
  const reports = ['summary.md', 'report.html'].map((file) => readReport(join(folder, file)));
  const texts = [...outputs, merged.output, ...reports];
  expect(texts.flatMap((text) => text.match(/.{80}(?:HIDDEN|What is \d).{20}/g) ?? [])).toEqual([]);
  for (const line of [
    ' × verdict  expected word  received w     in 2 trials, too short',
    ' × asserts  expected word  received word  in 2 trials, not the other word',
    ' × long  trial 2  incorrect',
  ]) {
    expect(outputs.join()).toContain(`${line}\n`);
  }
  for (const report of reports) expect(report).toContain('sums · adder');

  const [shard = ''] = shards;
  const { output } = await startViva(['compare', shard, folder], place);
  expect(output).toMatch(/^sums · B against A\n[\s\S]+ {2}no verdict changed on 2 questions\n/m);
});
