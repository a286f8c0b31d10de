import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { watchVitest } from './watch-vitest.ts';

/** Two kinds of agent that say what a file beside them says. */
test.each([
  ['module', "import { say } from './say.ts';\nexport default () => say;"],
  ['command', "import { say } from './say.ts';\nprocess.stdout.write(say);"],
])('an edit of a file of a %s asks it again, as it is now', async (kind, source) => {
  const folder = makeFolder({ 'agent.ts': source, 'say.ts': "export const say = '18';" });
  const target = kind === 'module' ? `${folder}/agent.ts` : `${process.execPath} ${folder}/agent.ts`;
  const { env } = writeGaiaFixture([{ id: 'a', truth: '17' }]);
  const settings = { ...env, EVAL_LIMIT: '5', EVAL_DIR: makeFolder(), EVAL_AGENT: `${kind}:${target}` };
  const watch = watchVitest(['evals/gaia'], settings);
  expect(await watch.nextReport()).toContain('1 failed');
  writeFileSync(join(folder, 'say.ts'), "export const say = '17';");
  const edited = await watch.nextReport();
  expect(edited).toContain('1 passed');
  expect(edited).toMatch(/: against turn 1 \(the agent was edited\), on 1 question: 1 fixed, /);
});

test('a paid agent without a limit is not asked, and the screen says why', async () => {
  const folder = makeFolder({ 'agent.ts': "export default () => '17';" });
  const { env } = writeGaiaFixture([{ id: 'a', truth: '17' }]);
  const settings = { ...env, EVAL_DIR: makeFolder(), EVAL_AGENT: `module:${folder}/agent.ts` };
  const screen = await watchVitest(['evals/gaia'], settings).nextScreen(/The evals are skipped: .*$/m);
  expect(screen).toMatch(
    /agent\.ts may cost money: in watch mode set EVAL_LIMIT or EVAL_MAX_COST, as in EVAL_LIMIT=5\./,
  );
  expect(screen).toContain('1 skipped');
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
