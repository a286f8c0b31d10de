import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { readRows, readSummary, runVitest } from './run-vitest.ts';

const FILES = {
  'shop.ts': `
import { existsSync } from 'node:fs';
let calls = 0;
export const shop = {
  getOrder: async ({ id }: { id: string }) => {
    if (existsSync(new URL('./down', import.meta.url))) throw new Error('no backend');
    return { status: 'sent', call: ++calls, at: 'https://me:secretsecret@shop.example' };
  },
};`,
  'module.ts': `
import { recordTools } from '../../src/index.ts';
import { shop } from './shop.ts';
const tools = recordTools(shop, { name: 'orders' });
export default async ({ input }: { input: string }) => {
  const first = await tools.getOrder({ id: input }).catch(() => ({ status: 'sent' }));
  return first.status;
};`,
  'orders.eval.ts': `
import { readFileSync } from 'node:fs';
import { defineEval, recordTools } from '../../src/index.ts';
import { shop } from './shop.ts';
const ids: string[] = JSON.parse(readFileSync(new URL('./ids.json', import.meta.url), 'utf8'));
const answer = async ({ input }: { input: string }) => {
  const tools = recordTools(shop, { name: 'orders' });
  const [first, second] = [await tools.getOrder({ id: input }), await tools.getOrder({ id: input })];
  return first.status + (second.call - first.call > 0);
};
await defineEval('orders', {
  free: true,
  public: true,
  data: ids.map((input) => ({ id: input, input, target: 'sent' })),
  agents: { own: answer, module: './module.ts' },
  score: ({ output, trace, expect }) => {
    expect(trace).toHaveCalledTools(['getOrder']);
    return output.startsWith('sent');
  },
});
await defineEval('date', {
  free: true,
  public: true,
  data: [{ id: 'one', input: 'x', target: '1970' }],
  agent: async () => {
    const get = async () => ({ at: new Date(0) });
    const { at } = await recordTools({ get }, { name: 'date' }).get();
    return at.toISOString().slice(0, 4);
  },
});
await defineEval('hidden', {
  free: true,
  data: './hidden.jsonl',
  agent: async ({ input }) => (await recordTools(shop, { name: 'hidden' }).getOrder({ id: String(input) })).status,
});`,
  'ids.json': '["a", "b"]',
  'hidden.jsonl': '{"id": "x", "input": "SECRET", "target": "sent"}\n',
};

test('tools are recorded, asked for again, and replayed without their backend', async () => {
  const project = copyProject();
  const write = (name: string, text: string) =>
    writeFileSync(join(project, 'evals/mcq', name), text);
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  const dir = makeFolder();
  const run = (env: Readonly<Record<string, string>>) =>
    runVitest(['run', 'evals/mcq/orders.eval.ts'], { EVAL_DIR: dir, ...env }, { cwd: project });
  const rowsOf = (suite: string) =>
    readRows(join(dir, 'latest'))
      .filter((row) => row.suite === suite)
      .map(({ agent, id, state, reason, cached, tool_calls }) => [
        agent,
        id,
        reason ?? state,
        cached,
        tool_calls,
      ])
      .toSorted();
  const calls = (live: number, replayed: number) => ({ live, replayed, mocked: 0 });
  const folder = join(project, 'evals/mcq/__recordings__');

  const recorded = await run({ EVAL_TOOLS: 'record', CI: 'true' });
  expect(recorded.output).toContain('calls recorded in evals/mcq/__recordings__/orders.jsonl');
  expect(recorded.output).toContain(
    'hidden: EVAL_TOOLS=record records nothing here, since the dataset is hidden in CI',
  );
  expect(existsSync(join(folder, 'hidden.jsonl'))).toBe(false);
  const text = readFileSync(join(folder, 'orders.jsonl'), 'utf8');
  expect(
    text.match(
      /"id":"a","agent":"own","trial":1,"tool":"getOrder","arguments":\{"id":"a"\},"result":/g,
    ),
  ).toHaveLength(2);
  expect(text).not.toContain('secretsecret');
  const live = [
    ['module', 'a', 'correct', false, calls(1, 0)],
    ['module', 'b', 'correct', false, calls(1, 0)],
    ['own', 'a', 'correct', false, calls(2, 0)],
    ['own', 'b', 'correct', false, calls(2, 0)],
  ];
  expect(rowsOf('orders')).toEqual(live);

  // What was answered meanwhile is an answer of live tools, which another recording asks for again.
  const again = await run({ EVAL_TOOLS: 'record' });
  expect(again.output).toContain('2 to ask (EVAL_TOOLS=record asks all again)');
  expect(rowsOf('orders')).toEqual(live);
  expect(rowsOf('date')).toMatchObject([['date agent', 'one', 'tool_not_recorded', false, {}]]);
  await run({});
  // An error of recording is no answer of live tools.
  expect(rowsOf('date')).toMatchObject([['date agent', 'one', 'correct', false, {}]]);
  expect(rowsOf('orders')).toEqual(live.map((row) => row.with(3, true)));

  write('down', '');
  write('ids.json', '["a", "b", "c"]');
  const replayed = await run({ EVAL_TOOLS: 'replay' });
  const missing = 'tool_not_recorded';
  expect(rowsOf('orders')).toEqual([
    ['module', 'a', 'correct', false, calls(0, 1)],
    ['module', 'b', 'correct', false, calls(0, 1)],
    ['module', 'c', missing, false, calls(0, 0)],
    ['own', 'a', 'correct', false, calls(0, 2)],
    ['own', 'b', 'correct', false, calls(0, 2)],
    ['own', 'c', missing, false, calls(0, 0)],
  ]);
  expect(replayed.output).toContain(
    'orders, each of the 2 agents: tools were replayed in 2 of 3 answers, so say this with the accuracy',
  );
  const { suites } = readSummary(join(dir, 'latest'));
  expect(suites[0]?.replaced_tools).toEqual({ results: 3, replayed: 2, mocked: 0 });
});
