import { appendFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { toResult, toTrials } from '../metrics/result.fixture.ts';
import { checkBaseline, findRun, readRun } from './read-run.ts';

const states = (folder: string) =>
  readRun(folder).sides.map(({ results }) => results.map(({ id, state }) => [id, state]));

describe('readRun', () => {
  test('takes the last row of each trial, in the order of the dataset', () => {
    const folder = makeRun([...toTrials('a', '-'), ...toTrials('b', '+'), ...toTrials('a', '+')]);
    expect(states(folder)).toEqual([
      [
        ['a', 'correct'],
        ['b', 'correct'],
      ],
    ]);
  });

  test('leaves out what watch mode asked with an earlier prompt', () => {
    const old = toTrials('a', '+', { prompt_hash: 'old' });
    const folder = makeRun([...old, ...toTrials('b', '+', { prompt_hash: 'new' })], { suite: { prompt_hash: 'new' } });
    expect(states(folder)).toEqual([
      [
        ['a', 'not_run'],
        ['b', 'correct'],
      ],
    ]);
  });

  test('counts selected trials without a row as not run, and torn rows', () => {
    const folder = makeRun(toTrials('a', '+'), {
      suite: { ids: ['a', 'b'], groups: ['level 1', 'level 2'], trials: 2 },
    });
    appendFileSync(join(folder, 'samples.jsonl'), '{"version": 1, "id": "b"');
    const { sides, unreadable } = readRun(folder);
    expect(unreadable).toBe(1);
    expect(sides[0]?.results.map(({ id, trial, group, state }) => [id, trial, group, state])).toEqual([
      ['a', 1, 'level 1', 'correct'],
      ['a', 2, 'level 1', 'not_run'],
      ['b', 1, 'level 2', 'not_run'],
      ['b', 2, 'level 2', 'not_run'],
    ]);
  });

  test('has a side for each suite and agent', () => {
    const rows = [
      toResult('correct', { agent: 'one' }),
      toResult('correct', { agent: 'two' }),
      toResult('correct', { suite: 'mcq', agent: 'two' }),
    ];
    expect(readRun(makeRun(rows)).sides.map(({ suite, agent }) => [suite, agent])).toEqual([
      ['gaia', 'one'],
      ['gaia', 'two'],
      ['mcq', 'two'],
    ]);
  });

  test('refuses what is no run, and a run in which nothing was answered', () => {
    expect(() => readRun(makeFolder())).toThrow('Not a run folder');
    expect(() => readRun(makeRun(toTrials('a', '.')))).toThrow('holds no result of what it was to ask');
  });

  test.each([
    ['"agents"', '"ajents"'],
    ['"versions"', '"verzions"'],
    ['"config": {}', '"config": null'],
    ['"trials": 1', '"trials": "1"'],
    ['"suites": [', '"suites": [null,'],
  ])('refuses a manifest whose %s was edited to %s', (fact, edited) => {
    const folder = makeRun(toTrials('a', '+'));
    const file = join(folder, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(fact, edited));
    expect(() => readRun(folder)).toThrow('facts are missing in its manifest.json');
  });
});

/** An EVAL_DIR with three runs; those named here have results. */
function makeDir(withResults: readonly string[], latest?: string): string {
  const dir = realpathSync(makeFolder());
  for (const run of ['1', '2', '3']) mkdirSync(join(dir, 'runs', run), { recursive: true });
  for (const run of withResults) writeFileSync(join(dir, 'runs', run, 'samples.jsonl'), '{}\n');
  if (latest !== undefined) symlinkSync(join('runs', latest), join(dir, 'latest'));
  return dir;
}

describe('findRun', () => {
  test('takes a path as it is', () => {
    const dir = makeDir([]);
    expect(findRun(join(dir, 'runs/2'), dir, 'A')).toBe(join(dir, 'runs/2'));
  });

  test.each([
    ['what latest points to', ['1', '2', '3'], '2', '2'],
    ['the newest with results where that has none', ['1', '2'], '3', '2'],
    ['the newest with results where there is no link', ['1'], undefined, '1'],
  ])('takes for latest %s', (_rule, withResults, latest, expected) => {
    const dir = makeDir(withResults, latest);
    expect(findRun('latest', dir, 'A')).toBe(join(dir, 'runs', expected));
  });

  test('follows links, for latest moves on', () => {
    const dir = makeDir(['1'], '1');
    expect(findRun(join(dir, 'latest'), dir, 'A')).toBe(join(dir, 'runs/1'));
  });

  test('refuses what is not there, and names the nearest run', () => {
    const dir = makeDir(['1', '2']);
    expect(() => findRun(join(dir, 'run/2'), dir, 'EVAL_BASELINE')).toThrow(
      `EVAL_BASELINE must be the folder of an earlier run, or latest, got "${dir}/run/2". Did you mean ${dir}/runs/2?`,
    );
    const none = makeFolder();
    expect(() => findRun('latest', none, 'A')).toThrow(`got "latest". No run in ${none}/runs has results yet.`);
  });
});

const side = (changes: object = {}) => ({ suite: 'gaia', dataset: 'd', dataset_hash: 'h', agent: 'x', ...changes });
const baseline = { name: 'old', sides: [side(), side({ agent: 'y' })] };

test.each([
  ['there is none', null, [side()], 1],
  ['an agent has a counterpart', baseline, [side({ agent: 'z' }), side()], 1],
  ['another suite may have one', baseline, [side({ suite: 'mcq' })], 2],
])('a suite may run where %s', (_rule, given, sides, suites) => {
  expect(() => checkBaseline(given, sides, { suites })).not.toThrow();
});

test.each([
  ['the baseline lacks the only suite', [side({ suite: 'mcq' })], 'mcq, x is not compared: A has no such suite.'],
  ['it is about other data', [side({ dataset: 'e', dataset_hash: 'i' })], 'A is about the dataset d, B about e.'],
  ['none of its agents is there', [side({ agent: 'z' })], 'in A the agents are x, y.'],
])('a suite is refused where %s', (_rule, sides, reason) => {
  expect(() => checkBaseline(baseline, sides, { suites: 1 })).toThrow(reason);
});
