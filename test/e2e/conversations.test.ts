import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readExportedRun } from '../../src/addons/export/index.ts';
import { readTrace } from '../../src/agents/returned-answer.ts';
import { toTracePath } from '../../src/store/run-folder.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { copyProject } from './copy-project.ts';
import { type Interrupt, readRows, readSummary, runVitest } from './run-vitest.ts';

/** Six conversations from a script, and three with a simulated user, which a judge reads. */
const TALKS = `
import { appendFileSync } from 'node:fs';
import { defineEval, judge, simulateUser } from 'viva';
import { waiter } from './waiter.ts';
await defineEval('orders', {
  data: './orders.jsonl',
  prompt: 'You take orders. {{question}}',
  agent: waiter,
  free: true,
  public: true,
  score: ({ messages, output, target, input }) =>
    output === target && messages.length === 2 * input.split('\\n\\n').length,
});
await defineEval('support', {
  data: './support.jsonl',
  agents: { waiter, shell: 'command:sh evals/talks/shell.sh' },
  user: simulateUser({ user: 'module:./evals/talks/guest.ts', maxTurns: 4 }),
  free: true,
  public: true,
  scores: { served: ({ messages }) => messages.some(({ content }) => content.includes('for ')), polite: judge('Is polite.', { judges: ['module:./evals/talks/judge.ts'] }) },
});`;

/** Remembers what was said, as it gets all messages; slow enough to be killed. */
const WAITER = `
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
const NOTHING = { reasoning: null, stop: null, usage: null };
export const waiter = async ({ id, messages, prompt, input }, { workdir }) => {
  appendFileSync(process.env.CALLS, id + ' ' + messages.length + '\\n');
  if (messages.at(-1).content !== prompt) throw new Error('the prompt is not the last message');
  if (JSON.stringify({ prompt, input, messages }).includes('Secret')) throw new Error('it knows the goal');
  await setTimeout(30);
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content.split(' ').at(-1));
  const call = { name: 'note', arguments: JSON.stringify({ order: said }), result: 'ok', failed: false };
  return { output: 'for ' + said.join('+'), costUsd: 0.01, steps: 1, trace: [{ ...NOTHING, text: 'for ' + said.join('+'), tool_calls: [call] }] };
};`;

/** One process for all turns: it counts them. */
const SHELL = `n=0; while read -r line; do n=$((n+1)); echo "reply $n for you"; done`;

const GUEST = `
import { appendFileSync } from 'node:fs';
export default { name: 'guest', answer };
function answer({ id, messages }) {
  appendFileSync(process.env.CALLS, 'guest ' + id + '\\n');
  const own = messages.filter(({ role }) => role === 'assistant').length;
  if (!messages[0].content.includes('Secret')) throw new Error('the user does not know its goal');
  if (id === 'broken' && own === 2) throw new Error('the guest fell asleep');
  if (id === 'both') return { output: own === 0 ? 'User: one cake\\nAssistant: Sure.' : '[[done]]', costUsd: 0.001 };
  return { output: own < 2 ? 'I want cake' + own : 'Thanks. [[DONE]]', costUsd: 0.001 };
}`;

const JUDGE = `export default () => '{"reason": "kind", "verdict": "pass"}';`;

const ORDERS = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) => ({
  id,
  turns: ['I want tea', 'and milk', 'and sugar'].slice(0, 1 + (index % 3)),
  target: ['for tea', 'for tea+milk', 'for tea+milk+sugar'][index % 3],
}));

const SUPPORT = [
  { id: 'usual', persona: 'In a hurry.', goal: 'Secret: cake.', input: 'Hello there' },
  { id: 'both', goal: 'Secret: cake.' },
  { id: 'broken', goal: 'Secret: sleep.' },
];

function makeProject() {
  const project = copyProject();
  const talks = join(project, 'evals/talks');
  mkdirSync(talks);
  const toJsonLines = (records: readonly object[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const files = {
    'talks.eval.ts': TALKS,
    'waiter.ts': WAITER,
    'shell.sh': SHELL,
    'guest.ts': GUEST,
    'judge.ts': JUDGE,
    'orders.jsonl': toJsonLines(ORDERS),
    'support.jsonl': toJsonLines(SUPPORT),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(talks, name), text);
  return { project, talks };
}

test('conversations are played, killed and resumed without a second call, and replayed', async () => {
  const { project, talks } = makeProject();
  const calls = join(talks, 'calls');
  writeFileSync(calls, '');
  const run = (env = {}, interrupt?: Interrupt) =>
    runVitest(
      ['run', 'evals/talks'],
      { CALLS: calls, EVAL_CONCURRENCY: '2', ...env },
      { cwd: project, ...(interrupt && { interrupt }) },
    );
  const { dir } = await run({}, { signal: 'SIGKILL', afterRows: 3 });
  const before = readRows(join(dir, 'latest')).map(({ suite, id, agent }) => suite + id + agent);
  const asked = () =>
    readFileSync(calls, 'utf8')
      .split('\n')
      .filter((line) => /^[a-f] /.test(line));
  const { output } = await run({ EVAL_DIR: dir });
  const folder = join(dir, 'latest');
  const rows = readRows(folder);
  expect(rows).toHaveLength(6 + 2 * 3);
  expect(rows.filter(({ suite, id, agent }) => before.includes(suite + id + agent))).toSatisfy(
    (resumed: readonly SampleResult[]) =>
      resumed.every(({ cached, state }) => cached || state === 'not_run'),
  );
  // Of the six orders with 12 messages of the user only those that the kill cut off came twice.
  expect(asked().length).toBeLessThanOrEqual(12 + 2 * 3);
  const find = (id: string, agent: string) =>
    rows.find((row) => row.id === id && row.agent === agent);
  expect(find('c', 'orders agent')).toMatchObject({
    state: 'correct',
    output: 'for tea+milk+sugar',
    steps: 3,
    cost_usd: expect.closeTo(0.03),
    conversation: { turns: 3, ended: 'turns' },
  });
  const name = 'module:./evals/talks/guest.ts';
  const user = (cost_usd: number, ...faults: readonly string[]) => ({ name, cost_usd, faults });
  expect(find('usual', 'waiter')).toMatchObject({
    output: 'for there+cake1',
    cost_usd: expect.closeTo(0.022),
    conversation: { turns: 2, ended: 'user', user: user(0.002) },
    judge: { verdicts: ['pass'] },
  });
  expect(find('usual', 'shell')).toMatchObject({
    output: 'reply 2 for you',
    cost_usd: 0.002,
  });
  expect(find('both', 'waiter')).toMatchObject({
    output: 'for cake',
    conversation: { turns: 1, user: user(0.002, 'answers itself') },
  });
  expect(find('broken', 'waiter')).toMatchObject({
    state: 'not_run',
    reason: 'user',
    explanation: 'The simulated user failed: Error: the guest fell asleep',
  });
  expect(output).toContain(`support: users played by ${name}, cost not known`);
  expect(readSummary(folder).suites.map(({ groups }) => groups.at(-1)?.accuracy)).toEqual([
    1,
    null,
    null,
  ]);

  const usual = find('usual', 'waiter');
  const trace = usual && readTrace(join(folder, toTracePath(usual)));
  expect(trace?.messages).toEqual([
    { role: 'user', content: 'Hello there' },
    { role: 'assistant', content: 'for there' },
    { role: 'user', content: 'I want cake1' },
    { role: 'assistant', content: 'for there+cake1' },
  ]);
  expect(trace?.steps.map(({ role, text }) => [role, text])).toEqual([
    [undefined, 'for there'],
    ['user', 'I want cake1'],
    [undefined, 'for there+cake1'],
  ]);
  const exported = readExportedRun(folder, true).variants.find(
    ({ figures }) => figures.agent === 'shell',
  );
  const [talk] = [...(exported?.listTrials() ?? [])].filter(({ row }) => row.id === 'usual');
  expect(
    [...(talk?.sent ?? []), ...(talk?.turns ?? [])].map(({ role, text }) => [role, text]),
  ).toEqual([
    ['user', 'Hello there'],
    ['assistant', 'reply 1 for you'],
    ['user', 'I want cake1'],
    ['assistant', 'reply 2 for you'],
  ]);

  writeFileSync(calls, '');
  const again = await run({ EVAL_DIR: dir, EVAL_AGENT: `replay:${realpathSync(folder)}` });
  expect(readFileSync(calls, 'utf8')).toBe('');
  const replayed = readRows(join(dir, 'latest'));
  expect(replayed.map(({ state }) => state).sort()).toEqual(rows.map(({ state }) => state).sort());
  expect(
    replayed.find(({ id, agent }) => id === 'usual' && agent.endsWith('waiter')),
  ).toMatchObject({
    conversation: { turns: 2 },
    scores: { served: true, polite: true },
  });
  expect(again.output).not.toContain('polite: undefined');
});
