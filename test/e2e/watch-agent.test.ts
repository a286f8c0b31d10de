import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  expect(await watch.nextReport()).toContain('1 passed');
});
