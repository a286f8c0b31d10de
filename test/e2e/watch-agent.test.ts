import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { watchVitest } from './watch-vitest.ts';

/**
 * Answers as say.ts says, and wrongly where the attachment says so; writes down which suite asks
 * it.
 */
const MODULE = `import { readFileSync, writeFileSync } from 'node:fs';
import { say } from '#say';
export default { name: 'module', answer };
function answer({ suite, attachments }) {
  writeFileSync(new URL(suite, import.meta.url), '');
  return readFileSync(attachments[0].path, 'utf8') === 'wrong' ? '18' : say;
}`;

test("an edit of an agent's code or files asks it again, and no key runs an eval that was not named", async () => {
  const folder = makeFolder({
    'package.json': '{ "type": "module", "imports": { "#say": "./say.ts" } }',
    'module.ts': MODULE,
    'command.ts': "import { say } from './say.ts';\nprocess.stdout.write(say);",
    'say.ts': "export const say = '18';",
  });
  const record = { id: 'a', truth: '17', output: '18' };
  const { env, folder: questions, predictions } = writeGaiaFixture([{ ...record, file: 'right' }]);
  const agents = [
    `module:${folder}/module.ts`,
    `command:${process.execPath} ${folder}/command.ts`,
    env.EVAL_AGENT,
  ];
  const settings = { ...env, EVAL_LIMIT: '5', EVAL_DIR: makeFolder(), EVAL_AGENT: agents.join() };
  const watch = watchVitest(['evals/gaia'], settings);
  expect(await watch.nextReport()).toContain('3 failed');

  writeFileSync(join(folder, 'say.ts'), "export const say = '17';");
  const edited = await watch.nextReport();
  expect(edited).toContain('1 failed | 2 passed');
  expect(edited.match(/ \d \(the agent changed\), on 1 question: .*; 1 fixed, /g)).toHaveLength(2);
  writeFileSync(predictions, `${JSON.stringify({ task_id: 'a', output: '17' })}\n`);
  const replayed = await watch.nextReport();
  expect(replayed).toContain('3 passed');
  expect(replayed.match(/, on 1 question: .*; 1 fixed, /g)).toHaveLength(1);
  writeFileSync(join(questions, '2023/validation/a.txt'), 'wrong');
  expect(await watch.nextReport()).toContain('1 failed | 2 passed');

  for (const keys of [['a'], ['t', '\r']]) {
    for (const key of keys) {
      watch.press(key);
      await sleep(300);
    }
    expect(await watch.nextReport()).toContain('1 failed | 2 passed');
  }
  expect(['gaia', 'mcq'].map((suite) => existsSync(join(folder, suite)))).toEqual([true, false]);
});

const WATCHED = `
import { defineEval } from 'viva';
await defineEval('watched', {
  free: true,
  data: [{ id: 'a', input: 'What?', target: 'v1' }],
  agents: { small: () => 'v1', large: './large.ts' },
});`;

/** Writes down its calls and whether it is told to end, for which it waits. */
const ENDLESS = (calls: string) => `
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { defineEval } from 'viva';
const write = (word) => appendFileSync('${calls}', word + ' ');
await defineEval('endless', {
  free: true,
  data: ['a', 'b', 'c'].map((id) => ({ id, input: id, target: id })),
  agent: async ({ id }, { signal }) => {
    write(id);
    await once(signal, 'abort');
    write('told');
    return id;
  },
});`;

test('an edit of an agent that an eval file names by path asks that agent alone, c and q end its run, and a model waits for a limit', async () => {
  const project = copyProject();
  const write = (name: string, text: string) =>
    writeFileSync(join(project, 'evals/mcq', name), text);
  write('say.ts', "export const say = 'v1';");
  write('large.ts', "import { say } from './say.ts'; export default () => say;");
  write('watched.eval.ts', WATCHED);
  const settings = { EVAL_DIR: makeFolder(), EVAL_CONCURRENCY: '1' };
  const watch = watchVitest(['watched.eval'], settings, project);
  expect(await watch.nextReport()).toContain('watched, each of the 2 agents: 1 question, 0 cached');
  write('say.ts', "export const say = 'v2';");
  const edited = await watch.nextReport();
  expect(edited).toContain('watched, small: 1 question, 1 cached');
  expect(edited).toContain(
    'watched, large: 1 question, 0 cached, 1 to ask (all: evals/mcq/say.ts changed)',
  );
  expect(edited).toMatch(/watched, large: .+ run 1 \(the agent changed\)/);
  write('say.ts', "// A comment.\nexport const say: string = 'v2';");
  expect(await watch.nextReport()).toContain('watched, each of the 2 agents: 1 question, 1 cached');
  const calls = join(makeFolder({ calls: '' }), 'calls');
  write('watched.eval.ts', ENDLESS(calls));
  for (const [key, asked] of [
    ['c', 'a told '],
    ['q', 'a told a told '],
  ] as const) {
    await vi.waitFor(() => expect(`${readFileSync(calls, 'utf8')}told `).toBe(asked), 30_000);
    watch.press(key);
    expect(await watch.nextReport()).toContain('3 of 3 results are missing (interrupted 3)');
    expect(readFileSync(calls, 'utf8')).toBe(asked);
    if (key === 'c') watch.press('r');
  }

  write('watched.eval.ts', WATCHED.replace('agents: {', "agents: { remote: 'openai:m',"));
  expect(await watch.nextScreen(/is skipped/)).toMatch(
    /watched is skipped: its agent remote may cost money: .+, as in EVAL_LIMIT=5\.$/m,
  );
});
