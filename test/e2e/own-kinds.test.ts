import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFakeHub } from '../hub/fake-hub.ts';
import { makeRecords, toSplitFiles } from '../hub/gaia-dataset.ts';
import { makeFolder } from '../make-folder.ts';
import { startViva } from '../run-shell.ts';
import { copyProject } from './copy-project.ts';
import { cleanEnvironment, readRows, runVitest } from './run-vitest.ts';
import { watchVitest } from './watch-vitest.ts';

/** Made anew in a function, as some configurations are. */
const CONFIG = `
import { defineConfig } from 'vitest/config';
import { broken, mine } from './evals/mcq/factory.ts';
import { viva } from './src/plugin/plugin.ts';
const given = { create: (target) => () => target, free: true };
export default defineConfig(async () => ({ plugins: [viva({ agents: { mine, given, broken } })] }));`;

const FACTORY = `
import { appendFileSync } from 'node:fs';
import { word } from './word.ts';
export const mine = async (target, { params, root }) => {
  appendFileSync(new URL('calls', import.meta.url), 'made ' + target + '\\n');
  const answer = ({ id }) => {
    appendFileSync(new URL('calls', import.meta.url), target + ' ' + id + '\\n');
    if (target === 'judge') return JSON.stringify({ reason: 'so', verdict: 'pass' });
    return { output: word + ' ' + target + ' ' + params.depth, costUsd: 0.01 };
  };
  return { answer, priced: root !== '' };
};
export const broken = () => { throw new Error('no such server'); };`;

const EVAL = `
import { defineEval, judge } from 'viva';
const data = [{ id: 'a', input: 'What?', target: 'so x, y 2' }];
await defineEval('kinds', { data, agents: { own: 'mine:x, y?depth=2', same: 'given:so x, y 2' } });
await defineEval('judged', { data, agent: 'given:yes', score: judge('Is it so?') });`;

test('a kind of agent from vitest.config.ts works as built-in kinds do', async () => {
  const project = copyProject();
  const place = (name: string) => join(project, 'evals/mcq', name);
  writeFileSync(place('calls'), '');
  writeFileSync(place('factory.ts'), FACTORY);
  writeFileSync(place('word.ts'), "export const word = 'so';");
  writeFileSync(place('kinds.eval.ts'), EVAL);
  const ownTest = "import { test } from 'vitest';\ntest('is run', () => {});";
  writeFileSync(join(project, 'beside-kinds.test.ts'), ownTest);
  // In one step, so that the watcher never reads an empty file.
  const configure = (text: string) => {
    writeFileSync(join(project, 'vitest.config.ts.new'), text);
    renameSync(join(project, 'vitest.config.ts.new'), join(project, 'vitest.config.ts'));
  };
  const takeCalls = () => {
    const calls = readFileSync(place('calls'), 'utf8').trim().split('\n').toSorted();
    writeFileSync(place('calls'), '');
    return calls;
  };

  const wrong = CONFIG.replace('{ mine', "{ Mine: mine, shut: './shut.ts', mine");
  configure(wrong.replace('viva({', 'viva({ onrow: () => {}, onEnd: Promise.resolve(),'));
  const dir = makeFolder();
  const settings = { EVAL_JUDGE: 'mine:judge', EVAL_DIR: dir, EVAL_MAX_COST: '1' };
  const watch = watchVitest(['kinds.eval'], settings, project);
  const refused = await watch.nextReport();
  expect(refused.match(/"agents" of viva\(\): the kind "\w+" .+\./g)).toEqual([
    expect.stringContaining('"Mine" needs another name'),
    expect.stringContaining('"shut" must be a function'),
  ]);
  expect(refused).toContain('viva() has no option "onrow". Did you mean onRow?');
  expect(refused).toContain('"onEnd" of viva() must be a function, got Promise. Name the');
  expect(refused).toMatch(/Test Files +1 failed/);

  configure(CONFIG);
  expect(await watch.nextReport()).toContain('3 passed');
  const rows = readRows(join(dir, 'latest'));
  expect(rows.map(({ agent, state, cost_usd }) => [agent, state, cost_usd]).toSorted()).toEqual([
    ['given:yes', 'correct', 0],
    ['own', 'correct', 0.01],
    ['same', 'correct', 0],
  ]);
  expect(takeCalls()).toEqual(['judge a', 'made judge', 'made x, y', 'x, y a']);
  configure(`${CONFIG}\n// edited`);
  expect(await watch.nextReport()).toContain('3 passed');
  expect(takeCalls()).toEqual(['made judge', 'made x, y']);
  writeFileSync(place('word.ts'), "export const word = 'other';");
  await watch.nextReport();
  expect(takeCalls()).toContain('x, y a');
  watch.press('q');

  const records = makeRecords({ 1: [1, 1], 2: [1, 1], 3: [1, 1] });
  const hub = await startFakeHub({ files: toSplitFiles('validation', records) });
  const ofHub = { EVAL_GAIA: 'hf:own/questions', HF_ENDPOINT: hub.url, HF_HOME: makeFolder() };
  const asked = { EVAL_AGENT: 'given:so x, y 2,mine:z?depth=2', EVAL_DRY_RUN: '1' };
  takeCalls();
  const dry = await runVitest(
    ['run', 'kinds.eval', 'gaia.eval'],
    { EVAL_JUDGE: 'mine:judge', ...asked, ...ofHub },
    { cwd: project },
  );
  expect(dry.output).toMatch(/kinds, mine:z\?depth=2: 1 question/);
  // What is kept depends on the files of the questions.
  expect(dry.output).toMatch(/gaia, mine:z\?depth=2: 3 questions, 0 cached, 3 to ask/);
  expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(1 + 3);
  expect(takeCalls().filter((call) => !call.startsWith('made'))).toEqual([]);

  const env = { ...cleanEnvironment(), EVAL_AGENT: 'given:5,mine:y?depth=3,broken:x' };
  const { output } = await startViva(['doctor', '--yes'], { cwd: project, env });
  const [, , , , ...agents] = output.split('\n');
  expect(agents).toMatchObject([
    expect.stringMatching(/^ok {4}agent: given:5 answered in .*: "5"$/),
    expect.stringMatching(/^ok {4}agent: mine:y\?depth=3 answered in .*: "other y 3"$/),
    'MISS  agent: EVAL_AGENT=broken:x: the factory of broken failed (Error: no such server). Correct it.',
    expect.anything(),
    '',
    '1 check failed: see "->" above.',
    '',
  ]);
});
