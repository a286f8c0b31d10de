import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/store/manifest.ts';
import { toTracePath, toWorkspacePath } from '../../src/store/run-folder.ts';
import { copyProject } from './copy-project.ts';
import { readRows, readSummary, runVitest } from './run-vitest.ts';

/** Agents of all kinds that a file can name: its own, imported ones, and a module. */
const INVOICES = `
import { defineEval } from 'viva';
import { imported } from './imported.ts';
const read = ({ input }) => {
  const [, total, currency] = /(\\d+) ([A-Z]{3})/.exec(input.text);
  return { output: { total: Number(total), currency } };
};
await defineEval('invoices', {
  data: './invoices.jsonl',
  agents: { small: read, imported, 'large one': './large.ts' },
  free: true,
  public: true,
  trials: 2,
  groups: ['country', 'kind'],
  scores: {
    total: ({ output, target }) => output.total === target.total,
    currency: ({ output, target }) => output.currency === target.currency,
    closeness: ({ output, target }) => 1 - Math.abs(output.total - target.total) / target.total,
  },
});
await defineEval('equal', {
  data: './invoices.jsonl',
  agent: ({ input }) => '\`\`\`json\\n' + JSON.stringify({ currency: 'EUR', total: input.text.length }) + '\\n\`\`\`',
  output: 'json',
  free: true,
  public: true,
});
await defineEval('left-out', { data: './invoices.jsonl', agent: read, free: true, skip: true });`;

const LARGE = `
export default () => ({ output: { total: 12, currency: 'EUR' }, costUsd: 0.5, firstTokenMs: 3 });`;

/** Of two suites of a file only one runs. */
const ONLY = `
import { defineEval } from 'viva';
const suite = { data: [{ id: 'a', input: 'a', target: 'a' }], agent: ({ input }) => input, free: true };
await defineEval('one', suite);
await defineEval('other', { ...suite, only: true });`;

/** Answers with the file of its question; at the first it changes the files of the others. */
const CHANGED = `
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { defineEval } from 'viva';
const at = (name) => new URL(name + '.txt', import.meta.url);
await defineEval('changed', {
  data: ['q1', 'q2', 'q3'].map((id) => ({ id, input: id, target: '17', attachments: id + '.txt' })),
  free: true,
  agent: ({ id, attachments: [file] }) => {
    if (id === 'q1') {
      writeFileSync(at('outside'), '19');
      writeFileSync(at('q2'), '18');
      rmSync(at('q3'));
      symlinkSync('outside.txt', at('q3'));
    }
    return readFileSync(file.path, 'utf8');
  },
});`;

/** `wrong` says which of the trials are answered wrongly. */
const ANSWER_WITH = `
import { appendFileSync } from 'node:fs';
export const answerWith = (model, wrong) => ({ id, choices, prompt }, { trial, workdir }) => {
  const [said] = prompt.split('.');
  appendFileSync(new URL('calls', import.meta.url), model + ' ' + said + '\\n');
  appendFileSync(workdir + '/note.txt', said);
  return { output: wrong(Number(id), trial) ? 'wrong' : 'v' + id, costUsd: 0.01, firstTokenMs: 0, trace: [{ text: said }] };
};`;

const TWINS = `
import { defineEval } from 'viva';
import { answerWith } from './answer-with.ts';
const priced = (answer) => ({ priced: true, answer });
const ids = Array.from({ length: 12 }, (_, index) => String(index + 1));
await defineEval('twins', {
  data: ids.map((id) => ({ id, input: 'What?', target: 'v' + id })),
  trials: 2,
  agents: {
    small: priced(answerWith('small', (id, trial) => id % 2 === 1 || (id === 2 && trial === 1))),
    large: './twin.ts',
  },
});
await defineEval('choices', {
  agents: { only: priced(() => ({ output: 'A', costUsd: 0 })) },
  data: [{ id: 'c', input: 'Which?', target: 'A', choices: Object.fromEntries([...'ABCDEFGH'].map((label) => [label, label])) }],
});`;

const TWIN = `
import { answerWith } from './answer-with.ts';
export default { name: 'unused', priced: true, answer: answerWith('large', (id) => id === 1) };`;

const RECORDS = [
  { id: 'a', input: { text: 'Pay 12 EUR.' }, target: { total: 12, currency: 'EUR' } },
  { id: 'b', input: { text: 'Pay 30 USD.' }, target: { total: 30, currency: 'USD' } },
  { id: 'c', input: { text: 'Pay 31 USD.' }, target: { total: 30, currency: 'USD' } },
].map((record) => ({ ...record, country: record.target.currency.slice(0, 2), kind: 'bill' }));

function makeProject() {
  const project = copyProject();
  const invoices = join(project, 'evals/invoices');
  const write = (name: string, text: string) => writeFileSync(join(invoices, name), text);
  mkdirSync(invoices);
  write('invoices.eval.ts', INVOICES);
  write('imported.ts', LARGE.replace('export default', 'export const imported ='));
  write('large.ts', LARGE);
  write('only.eval.ts', ONLY);
  write('twins.eval.ts', TWINS);
  write('answer-with.ts', ANSWER_WITH);
  write('twin.ts', TWIN);
  for (const name of ['a', 'b']) write(`${name}.md`, `${name}-way. {{question}}`);
  write('changed.eval.ts', CHANGED);
  for (const id of ['q1', 'q2', 'q3']) write(`${id}.txt`, '17');
  write('invoices.jsonl', RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return { project, invoices };
}

test('objects are asked of several agents, each with each prompt, and scored by name; no agent gets a changed attachment', async () => {
  const { project, invoices } = makeProject();
  const env = {
    EVAL_FAILURES: 'full',
    EVAL_PROMPT: 'twins=evals/invoices/a.md,twins=evals/invoices/b.md',
    EVAL_SHUFFLE_CHOICES: '7',
    EVAL_CONCURRENCY: '1',
    EVAL_KEEP_WORKDIR: 'all',
  };
  const first = await runVitest(['run', 'evals/invoices'], env, { cwd: project });
  const folder = join(first.dir, 'latest');
  const all = readRows(folder);
  const changed = all
    .filter(({ suite }) => suite === 'changed')
    .map(({ id, state, reason, error }) => `${id} ${state} ${reason} ${error?.message}`);
  const machine = (id: string) =>
    expect.stringMatching(`^${id} errored machine .*"${id}.txt" has changed since the run began`);
  expect(changed.toSorted()).toEqual(['q1 correct null undefined', machine('q2'), machine('q3')]);
  const calls = readFileSync(join(invoices, 'calls'), 'utf8').trim().split('\n');
  const counts = [...Map.groupBy(calls, String)].map(([call, { length }]) => `${call} ${length}`);
  expect(counts.toSorted()).toEqual(
    ['large', 'small'].flatMap((name) => [`${name} a-way 24`, `${name} b-way 24`]),
  );
  const prompts = readManifest(folder).suites.find(({ suite }) => suite === 'twins')?.prompts ?? [];
  expect(prompts.map(({ name }) => name)).toEqual(['a.md', 'b.md']);
  for (const { file, name } of prompts)
    expect(readFileSync(join(folder, file), 'utf8')).toBe(
      readFileSync(join(invoices, `${name}`), 'utf8'),
    );
  for (const row of all.filter(({ suite }) => suite === 'twins')) {
    const [name, hash] = row.prompt?.split('.md@') ?? [];
    expect(hash).toBe(row.prompt_hash.slice(0, 8));
    const [trace, note] = [toTracePath(row), join(toWorkspacePath(row), 'note.txt')];
    expect(readFileSync(join(folder, trace), 'utf8')).toContain(`"${name}-way"`);
    expect(readFileSync(join(folder, note), 'utf8')).toBe(`${name}-way`);
  }
  expect(first.output).toMatch(/ \| small \| a\.md@[0-9a-f]{8} \| trial 2/);
  const choice = all.find(({ suite }) => suite === 'choices');
  expect([choice?.presented?.seed, choice?.prompt]).toEqual([7, undefined]);
  expect(all.filter(({ first_token_ms }) => first_token_ms === 0)).toHaveLength(4 * 24);
  const rows = all.filter(({ suite }) => suite === 'invoices');
  expect(rows).toHaveLength(3 * 3 * 2);
  expect(rows.find(({ id, agent }) => id === 'c' && agent === 'small')).toMatchObject({
    state: 'incorrect',
    group: 'US',
    groups: { country: 'US', kind: 'bill' },
    output: { total: 31, currency: 'USD' },
    target: { total: 30, currency: 'USD' },
    scores: { total: false, currency: true, closeness: 1 - 1 / 30 },
    explanation: 'total is false; currency is true; closeness is 0.967',
  });
  const { suites } = readSummary(folder);
  const figures = suites.map(({ suite, agent, groups }) => {
    const { n, accuracy, scores = {} } = groups.at(-1) ?? {};
    return [suite, agent, n, accuracy, Object.values(scores).map(({ mean }) => mean)];
  });
  const large = [1 / 3, 1 / 3, (1 + 2 * 0.4) / 3].map((mean) => expect.closeTo(mean, 10));
  expect(figures).toEqual([
    ['changed', 'changed agent', 3, 1 / 3, []],
    ['invoices', 'small', 6, 2 / 3, [2 / 3, 1, expect.closeTo(1 - 1 / 90, 10)]],
    ['invoices', 'imported', 6, 1 / 3, large],
    ['invoices', 'large one', 6, 1 / 3, large],
    ['equal', 'equal agent', 3, 0, []],
    ['other', 'other agent', 1, 1, []],
    ...[11 / 24, 11 / 24].map((right) => ['twins', 'small', 24, right, []]),
    ...[22 / 24, 22 / 24].map((right) => ['twins', 'large', 24, right, []]),
    ['choices', 'only', 1, expect.any(Number), []],
  ]);
  expect(first.output).toMatch(/^Rule: {5}scores, total is false; .+ 0\.967$/m);
  // Vitest's own difference of two values.
  expect(first.output).toMatch(/^- {3}"total": 12,\n\+ {3}"total": 11,$/m);
  expect(first.output).toMatch(/^ +small +imported +large one$/m);
  // By the verdicts above: "small" has a and b right, the others have a.
  expect(first.output).toMatch(
    /imported against small, on 3 questions: -33\.3 pp .+ 1 broken; with 3 questions/m,
  );
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('  - broken 1: b\n');
  expect(first.output).toContain('invoices, each of the 3 agents: 6 trials, 0 cached');
});
