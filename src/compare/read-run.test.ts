import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { toResult, toTrials } from '../metrics/result.fixture.ts';
import { readRun } from './read-run.ts';

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
