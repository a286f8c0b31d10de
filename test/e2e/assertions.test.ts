import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { readRows, runFolderOf, runVitest } from './run-vitest.ts';

/** Words that would write over a terminal. */
const HOSTILE = 'bell \\u0007 \\u001b[2J';

const SNAPSHOTS = `
import { setTimeout as sleep } from 'node:timers/promises';
import { defineEval } from 'viva';
const { HAS = 'a,b,c,d', CHANGED, BREAKS, GROUPED } = process.env;
const data = HAS.split(',').map((id) => ({ id, input: 'HIDDEN ' + id, target: id, ...(id === GROUPED && { group: 'g' }) }));
const agent = async ({ id }) => {
  await sleep(Math.random() * 20);
  if (id === BREAKS) throw new Error('down');
  return { output: id === CHANGED ? { said: id + '!' } : { said: id } };
};
const suite = { data: () => data, agent, free: true, cache: false };
await defineEval('one', {
  ...suite,
  score: async ({ output, sample, expect }) => {
    await sleep(Math.random() * 20);
    expect(output).toMatchSnapshot();
    await expect(output.said).toMatchFileSnapshot('said/' + sample.id + '.txt');
  },
});
await defineEval('several', {
  ...suite,
  trials: 2,
  scores: {
    first: async ({ output, expect }) => {
      await sleep(Math.random() * 20);
      expect(output).toMatchSnapshot('hint');
      expect.soft(output).toMatchSnapshot();
    },
    second: ({ output, expect }) => expect(output.said).toMatchSnapshot(),
  },
});`;

const SHOWN = `
import { afterAll, expect as ofVitest } from 'vitest';
import { defineEval } from 'viva';
import * as v from 'valibot';
// As a file that closes a server: the next one begins while Vitest still has a timer.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 150)));
const order = (total) => ({ vendor: 'Acme', lines: Array.from({ length: 30 }, (_, line) => ({ line })), total });
const long = (word) => 'The same words. '.repeat(40) + word + ' And the same end. '.repeat(20);
const suite = { free: true, public: true };
const data = [{ id: 'a', input: 'Which order?', target: order(13) }];
const agent = () => ({ output: order(12) });
const leaving = (ms) => ({ expect }) => {
  [1].forEach(async () => {
    await (ms === 0 ? null : new Promise((resolve) => setTimeout(resolve, ms)));
    expect.soft(1).toBe(2);
  });
  return true;
};
await defineEval('behind', { ...suite, data, agent, score: leaving(5) });
await defineEval('after', { ...suite, data, agent, score: leaving(800) });
await defineEval('left', { ...suite, data, agent, score: leaving(0) });
const failing = (ms) => ({ expect }) => {
  void (async () => {
    await (ms === 0 ? null : new Promise((resolve) => setTimeout(resolve, ms)));
    expect(1).toBe(2);
  })();
  return new Promise((resolve) => setTimeout(resolve, 20, true));
};
const throwing = (ms) => () => {
  setTimeout(() => Promise.reject(new Error('own')), ms);
  return new Promise((resolve) => setTimeout(resolve, 20, true));
};
await defineEval('failing', { ...suite, data, agent, score: failing(0) });
await defineEval('throwing', { ...suite, data, agent, scores: { one: throwing(0), two: throwing(30) } });
const agents = { p: () => 'p', q: () => 'q' };
const inFile = (path) => async ({ output, expect }) => { await expect(output).toMatchFileSnapshot(path); };
await defineEval('shared', { ...suite, data, agents, score: inFile('new.txt') });
await defineEval('golden', { ...suite, data, agents, score: inFile('golden.txt') });
await defineEval('lazy', { ...suite, data, agent, score: ({ expect }) => void expect('x').toMatchFileSnapshot('lazy.txt') });
await defineEval('equal', { ...suite, data, agent });
await defineEval('asserted', { ...suite, data, agent, score: ({ output, target, expect }) => expect(output).toEqual(target) });
await defineEval('named', {
  ...suite, data, agent,
  scores: {
    total: ({ output, target, expect }) => expect(output.total).toBe(target.total),
    vendor: ({ output }) => output.vendor === 'Acme',
    mine: ({ output }) => ({ pass: false, explanation: 'too small: ${HOSTILE}', diff: { actual: output.total, expected: '${HOSTILE}' } }),
    plain: () => ({ pass: false, explanation: 'no reason' }),
  },
});
await defineEval('misfit', { ...suite, data, agent, schema: { output: v.object({ total: v.string() }) } });
await defineEval('text', { ...suite, data: [{ id: 'a', input: 'Say it.', target: long('RIGHT') }], agent: () => long('WRONG') });
const poem = (changed) => Array.from({ length: 400 }, (_, line) => changed[line] ?? 'verse ' + line).join('\\n');
await defineEval('poem', { ...suite, data: [{ id: 'a', input: 'Say it.', target: poem({}) }], agent: () => poem({ 3: 'X', 150: 'Y' }) });
await defineEval('talk', {
  ...suite,
  data: [{ id: 'a', turns: ['One?', 'Two?', 'Three?', 'Four?'], target: 'x' }],
  agent: ({ messages }) => 'reply ' + messages.length,
  score: ({ messages, expect }) => {
    expect.soft(messages[1].content).toBe('x');
    expect.soft(messages[7].content).toBe('y');
  },
});
await defineEval('late', { ...suite, data, agent, score: () => void ofVitest(Promise.resolve(1)).resolves.toBe(2) });
await defineEval('global', { ...suite, data, agent, score: ({ output }) => ofVitest(output).toMatchSnapshot() });`;

/** Of the same worker, after the other. */
const SHOWN_NEXT = `
import { defineEval } from 'viva';
await defineEval('next', {
  data: [{ id: 'a', input: 'x', target: 'y' }],
  agent: () => 'x',
  free: true,
  public: true,
  score: ({ expect }) => {
    setTimeout(() => expect.soft(1).toBe(2), 300);
    return true;
  },
});`;

function makeProject(): string {
  const folder = join(copyProject(), 'evals/own');
  mkdirSync(folder);
  writeFileSync(join(folder, 'snapshots.eval.ts'), SNAPSHOTS);
  writeFileSync(join(folder, 'shown.eval.ts'), SHOWN);
  writeFileSync(join(folder, 'shown2.eval.ts'), SHOWN_NEXT);
  writeFileSync(join(folder, 'golden.txt'), 'p');
  return join(folder, '../..');
}

const STORED = 'evals/own/__snapshots__/snapshots.eval.ts.snap';

test('snapshots are those of their case, and only those of lost cases are removed', async () => {
  const project = makeProject();
  const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const dir = makeFolder();
    const words = ['run', 'evals/own/snapshots', ...args];
    const { output } = await runVitest(words, { ...env, EVAL_DIR: dir }, { cwd: project });
    const states = Object.groupBy(readRows(runFolderOf(dir)), ({ state }) => state);
    const idsOf = (rows: ReturnType<typeof readRows> = []) => [
      ...new Set(rows.map(({ id }) => id)),
    ];
    const stored = readFileSync(join(project, STORED), 'utf8').match(/(?<=exports\[`).*(?=`\])/g);
    return { output, stored, wrong: idsOf(states.incorrect), lost: idsOf(states.not_run) };
  };
  const names = (ids: string) =>
    [...ids].flatMap((id) => {
      const trials = [1, 2].map((trial) => `several > ${id} | trial ${trial} > `);
      const scores = ['first > hint 1', 'first 1', 'second 1'];
      return [`one > ${id} 1`, ...trials.flatMap((each) => scores.map((name) => each + name))];
    });
  const first = await run({});
  expect(first.stored?.toSorted()).toEqual(names('abcd').toSorted());
  expect(readFileSync(join(project, 'evals/own/said/c.txt'), 'utf8')).toBe('c');
  const part = await run({ CHANGED: 'b', BREAKS: 'a', EVAL_IDS: 'a,b' }, '-u');
  expect(part).toMatchObject({ wrong: [], stored: first.stored });
  expect(readFileSync(join(project, 'evals/own/said/b.txt'), 'utf8')).toBe('b!');
  expect((await run({ HAS: 'b,c' }, '-u')).stored?.toSorted()).toEqual(names('bc').toSorted());
  const more = await run({ HAS: 'b,c', EVAL_TRIALS: '2', GROUPED: 'b', CI: '1' });
  expect(more).toMatchObject({ wrong: [], lost: [] });
  const inCi = await run({ HAS: 'b,c,e', CHANGED: 'c', CI: '1' });
  expect(inCi).toMatchObject({ wrong: ['c'], lost: ['e'] });
  expect(inCi.output).toContain(
    '"score" has no stored snapshot of this case, and stores none in CI.',
  );
  expect(inCi.output).not.toMatch(/HIDDEN|"said"|c!/);
});

test('failures show what differs, once, and nothing that controls a terminal', async () => {
  const project = makeProject();
  const { output, dir } = await runVitest(
    ['run', 'evals/own/shown'],
    { EVAL_FAILURES: 'full' },
    { cwd: project },
  );
  const failures = output.slice(output.indexOf('Failed Tests'), output.indexOf('Test Files'));
  const ofSuite = (suite: string) =>
    failures
      .split(/^ FAIL .*? (?=\w+ > all > a$)/m)
      .filter((text) => text.startsWith(`${suite} >`))
      .join('');
  const total = '-   "total": 13,\n+   "total": 12,';
  for (const suite of ['equal', 'asserted']) expect(ofSuite(suite)).toContain(total);
  expect(ofSuite('equal')).toContain('not equal to the expected answer: total is 12, not 13');
  expect(ofSuite('equal')).not.toContain('"line": 3,');
  expect(ofSuite('named')).toMatch(
    /total: expected 12 to be 13.+- 13\n\+ 12\n.+mine: too small: bell \\u0007.+plain: no reason/s,
  );
  expect(ofSuite('named')).not.toContain('vendor');
  expect(ofSuite('misfit')).toMatch(/schema: total: [^\n]+\nOutput: \{\n {2}"vendor": "Acme",/);
  const [expected, received] = ['RIGHT', 'WRONG'].map(
    (word) => `: "…ds. The same words. ${word} And the same end.`,
  );
  expect(ofSuite('text')).toContain(`Expected${expected}`);
  expect(ofSuite('text')).toContain(`Received${received}`);
  expect(ofSuite('text').split('The same words').length).toBeLessThan(6);
  expect(ofSuite('poem').match(/^[-+] .*$/gm)).toEqual([
    '- Expected',
    '+ Received',
    '- verse 3',
    '+ X',
    '- verse 150',
    '+ Y',
  ]);
  expect(ofSuite('talk')).toMatch(
    /'reply 1' to be 'x'.+Turn 1 of 4:\n {2}user: {2}"One\?"\n {2}agent: "reply 1"\nTurn 3 of 4:.+Turn 4 of 4:.+'reply 7' to be 'y'/s,
  );
  expect(failures).toContain('"score" ended before its assertion did: expect(...).resolves.toBe.');
  expect(failures).toContain('score: ({ output, expect }) => ...');
  for (const name of ['behind', 'after', 'left'])
    expect(output).toMatch(
      new RegExp(
        `RUN ERROR: ${name} a: .*"score" ended before its assertion did: expect\\(...\\).toBe`,
      ),
    );
  expect(output).toMatch(
    /RUN ERROR: failing a: .*"score" left behind what failed: expected 1 to be/,
  );
  expect(output).toMatch(/RUN ERROR: throwing a: .*"one" left behind what failed: own\. Write/);
  const rows = readRows(runFolderOf(dir));
  expect(rows.findLast(({ suite }) => suite === 'next')).toMatchObject({ reason: 'score' });
  const golden = rows.filter(({ suite }) => suite === 'golden');
  expect(golden.map(({ agent, state }) => [agent, state]).toSorted()).toEqual([
    ['p', 'correct'],
    ['q', 'incorrect'],
  ]);
  expect(failures).toContain('has one file for several answers of a case, "new.txt"');
  const snapshots = readdirSync(join(project, 'evals/own')).filter((name) => name.endsWith('.txt'));
  expect(snapshots.toSorted()).toEqual(['golden.txt', 'new.txt']);
  expect(output).not.toContain('(thrown after the answer)');
  expect(output).not.toContain('more than one result');
  expect(failures).not.toContain('\u0007');
});
