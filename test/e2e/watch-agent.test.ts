import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { watchVitest } from './watch-vitest.ts';

test('an edit of a file that a module or a command imports asks both again, as they are now', async () => {
  const folder = makeFolder({
    'module.ts': "import { say } from './say.ts';\nexport default { name: 'module', answer: () => say };",
    'command.ts': "import { say } from './say.ts';\nprocess.stdout.write(say);",
    'say.ts': "export const say = '18';",
  });
  const agents = [`module:${folder}/module.ts`, `command:${process.execPath} ${folder}/command.ts`];
  const { env } = writeGaiaFixture([{ id: 'a', truth: '17' }]);
  const settings = { ...env, EVAL_LIMIT: '5', EVAL_DIR: makeFolder(), EVAL_AGENT: agents.join() };
  const watch = watchVitest(['evals/gaia'], settings);
  expect(await watch.nextReport()).toContain('2 failed');
  writeFileSync(join(folder, 'say.ts'), "export const say = '17';");
  const edited = await watch.nextReport();
  expect(edited).toContain('2 passed');
  expect(edited.match(/ \d \(the agent was edited\), on 1 question: 1 fixed, /g)).toHaveLength(2);
});

test('keys that drop the filter of the command line ask a paid agent nothing that it leaves out', async () => {
  const source = `import { writeFileSync } from 'node:fs';
export default ({ suite }) => (writeFileSync(new URL(suite, import.meta.url), ''), 'A');`;
  const folder = makeFolder({ 'agent.ts': source });
  const settings = { EVAL_LIMIT: '2', EVAL_DIR: makeFolder(), EVAL_AGENT: `module:${folder}/agent.ts` };
  const watch = watchVitest(['evals/mcq', '--project', 'evals'], settings);
  await watch.nextReport();
  for (const keys of [['a'], ['t', '\r']]) {
    for (const key of keys) {
      watch.press(key);
      await sleep(300);
    }
    const screen = await watch.nextReport();
    expect(screen).toMatch(
      /Skipped: evals\/gaia\/gaia\.eval\.ts\. .*may cost money, and is asked only what the command line names/,
    );
    expect(screen).toContain('2 skipped');
  }
  expect(existsSync(join(folder, 'mcq'))).toBe(true);
  expect(existsSync(join(folder, 'gaia'))).toBe(false);
});
