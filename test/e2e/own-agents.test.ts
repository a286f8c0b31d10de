import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readRows, runFolderOf, runVitest, writeReports } from './run-vitest.ts';

/**
 * Answers "17" to question a alone, reports its steps, prints now and from a timer, and looks for
 * the expected answer.
 */
const MODULE = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { say } from './say';
const seen = new URL('seen', import.meta.url);
export default { name: 'module', priced: true, answer };
async function answer(question: { id: string }, context: { onProgress(said: object): void }) {
  const { id } = question;
  appendFileSync(seen, inspect([question, context], { depth: 20, showHidden: true, getters: true }));
  console.log('begins ' + id);
  await sleep(id === 'a' ? 100 : 50);
  setTimeout(() => console.table([[id]]), 10);
  context.onProgress({ trace: [{ text: 'thinking of ' + id }] });
  await sleep(50);
  console.log('ends ' + id);
  return { output: say(id), model: 'mine', usage: { input_tokens: 5, output_tokens: 2 }, costUsd: 0.25, cost_usd: 1, firstTokenMs: 40 };
}`;
const SAY =
  "enum Known { a = 17 }\nexport const say = (id: string) => 'FINAL ANSWER: ' + (id === 'a' ? Known.a : 18);";

/** The same; it leaves a link and a pipe where it works, and shows all that it is given. */
const COMMAND = `
(cat; env; pwd; ls -la; tr '\\0' ' ' </proc/$$/cmdline; cat * 2>/dev/null) >$SEEN.$$; cat $SEEN.$$ >>$SEEN
echo note >note.txt; ln -s ../../../../../../outside answer.txt; mkfifo pipe
if grep -q '"id":"a"' $SEEN.$$; then say=17; else say=18; fi
echo "{\\"output\\": \\"FINAL ANSWER: $say\\", \\"model\\": \\"mine\\", \\"costUsd\\": 0.25, \\"usage\\": {\\"input_tokens\\": 5, \\"output_tokens\\": 2}}"
`;

/** Searches where an agent looks for its settings, before and after the others answer. */
const SPY = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect, inject } from 'vitest';
export default { name: 'spy', answer };
async function answer({ id }) {
  await sleep(id === 'a' ? 0 : 1500);
  const { ctx, config } = globalThis.__vitest_worker__;
  const options = { depth: 20, maxArrayLength: null, maxStringLength: null, showHidden: true, customInspect: false };
  const seen = [ctx, config, process.env, import.meta.env, inject('viva'), expect.getState()];
  appendFileSync(process.env.SEEN + '.spy', inspect(seen, options) + '\\n');
  return 'FINAL ANSWER: 17';
}`;

const TRUTH = 'XYZZY';

type Trial = { readonly agent: string; readonly id: string };
type Case = { readonly status: string };

test('a module and a command answer from start to report, and no agent is shown an expected answer or finds a setting', async () => {
  const record = (id: string, target: string) =>
    `${JSON.stringify({ task_id: id, Question: `What is ${id}?`, Level: 1, 'Final answer': target, file_name: 'table.csv' })}\n`;
  const folder = makeFolder({
    'agent.ts': MODULE,
    'say.ts': SAY,
    'agent.sh': COMMAND,
    'spy.ts': SPY,
    'data/metadata.jsonl': record('a', '17') + record('b', TRUTH),
    'data/table.csv': 'boxes\n9\n',
  });
  const command = `command:sh ${folder}/agent.sh`;
  const args = ['run', 'evals/gaia', '--bail=9', '--reporter=default'];
  const run = await runVitest([...args, ...writeReports(folder, 'json')], {
    EVAL_GAIA: join(folder, 'data/metadata.jsonl'),
    EVAL_AGENT: `module:${folder}/agent.ts,${command},module:${folder}/spy.ts`,
    EVAL_MIN_ACCURACY: '0.5',
    EVAL_KEEP_WORKDIR: 'failed',
    EVAL_STREAM: '1',
    SEEN: join(folder, 'seen'),
  });
  expect(run.code, run.output.slice(-3000)).toBe(0);
  const results = runFolderOf(run.dir);
  const byAgent = (one: Trial, other: Trial) =>
    `${one.agent}${one.id}`.localeCompare(`${other.agent}${other.id}`);
  const rows = readRows(results)
    .filter(({ agent }) => agent !== 'spy')
    .toSorted(byAgent);
  const common = {
    model: 'mine',
    cost_usd: 0.25,
    cached: false,
    usage: { input_tokens: 5, output_tokens: 2 },
  };
  expect(rows).toMatchObject(
    [command, 'module'].flatMap((agent) => [
      { id: 'a', agent, state: 'correct', answer: '17', ...common },
      { id: 'b', agent, state: 'incorrect', target: TRUTH, ...common },
    ]),
  );
  expect(rows.map(({ first_token_ms }) => first_token_ms)).toEqual([undefined, undefined, 40, 40]);
  expect(run.report).toMatch(/\n {2}first token +40 ms +- +-\n/);
  expect(rows.every(({ latency_ms }) => latency_ms !== null)).toBe(true);

  const seen = readFileSync(join(folder, 'seen'), 'utf8');
  for (const part of ['What is a?', 'What is b?', 'attachment.csv', 'boxes'])
    expect(seen).toContain(part);
  expect(seen).not.toContain(TRUTH);
  expect(seen).not.toContain(`PWD=${process.cwd()}`);
  const found = readFileSync(join(folder, 'seen.spy'), 'utf8');
  expect(found).toContain('SEEN:');
  for (const hidden of [TRUTH, 'metadata.jsonl', 'EVAL_']) expect(found).not.toContain(hidden);
  // Reporters have it all the same.
  const [{ assertionResults }] = JSON.parse(readFileSync(join(folder, 'json'), 'utf8')).testResults;
  const failed = assertionResults.filter(({ status }: Case) => status === 'failed');
  expect(failed).toHaveLength(3);
  for (const { meta, failureMessages } of failed) {
    expect(meta.eval.state).toBe('incorrect');
    expect(failureMessages.join()).toContain(TRUTH);
  }

  expect(run.output).toContain('a | module step 1: model: thinking of a');
  const summary = readFileSync(join(results, 'summary.md'), 'utf8');
  expect(summary.match(/ignored: "cost\\_usd"/g)).toHaveLength(1);
  const traces = globSync(join(results, 'traces/**/*.json')).map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const files = [{ name: 'attachment.csv', bytes: 8 }];
  const sent = (id: string) => ({
    messages: [{ role: 'user', text: expect.stringContaining(`What is ${id}?`), files }],
  });
  // A command that shows no steps leaves a trace of its failure alone.
  expect(traces.toSorted(byAgent)).toMatchObject([
    { agent: command, id: 'b', sent: sent('b'), steps: [] },
    { id: 'a', sent: sent('a'), steps: [{ text: 'thinking of a' }] },
    { id: 'b', sent: sent('b'), steps: [{ text: 'thinking of b' }] },
    { agent: 'spy', id: 'b' },
  ]);

  // What a module prints is shown under the test of its own sample.
  const blocks = run.output.split(/^std(?=out|err)/m).slice(1);
  const printed = blocks.map(
    (block) => /^out \| [^\n]* > (\w) \| module\n(.*?)\n\n/s.exec(block) ?? [],
  );
  for (const id of ['a', 'b']) {
    const ofSample = printed
      .flatMap(([, test, text = '']) => (test === id ? [text] : []))
      .join('\n');
    for (const line of [`begins ${id}`, ` '${id}' `, `ends ${id}`])
      expect(ofSample).toContain(line);
    expect(ofSample).not.toMatch(new RegExp(`(begins|ends) [^${id}]`));
  }

  // Kept is the work folder of what failed, without links and pipes.
  const kept = globSync(join(results, 'workspace/gaia/*/b-*')).filter((path) =>
    existsSync(join(path, 'note.txt')),
  );
  expect(kept).toHaveLength(1);
  expect(globSync(join(results, 'workspace/gaia/*/a-*'))).toEqual([]);
  const [place = ''] = kept;
  expect(readdirSync(place).toSorted()).toEqual(['attachment.csv', 'note.txt']);
});
