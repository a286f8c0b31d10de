import { describe, expect, test } from 'vitest';
import { makeRun, planned, writeRows } from '../../test/make-run.ts';
import { PAIR, toResult } from '../figures/result.fixture.ts';
import { hasTarget } from '../words/row.ts';
import { computeSpent, readRun } from './run-reader.ts';
import { toNotRun } from './sample-log.ts';
import { toIdentity } from './trial-meta.ts';

const [A, B, C, D] = [toRight('a'), toRight('b'), toRight('c'), toRight('d')] as const;
const SUITE = { questions: planned(['a', 'b', 'c', 'd'], 'g') };

/** The questions; those in `ids` have this mark. */
function mark(ids: string, facts: { readonly hidden?: true; readonly elsewhere?: true }) {
  return SUITE.questions.map((each) => ({ ...each, ...(ids.includes(each.id) ? facts : {}) }));
}

function toRight(id: string) {
  return toResult('correct', { id });
}

describe('a run', () => {
  test('has a result for each planned trial, in the order of the plan', () => {
    const absent = [
      { ...toIdentity(B), reason: 'bail' },
      { ...toIdentity(C), reason: null },
    ];
    const run = readRun(makeRun([D, A], { suite: SUITE, end: { absent } }));
    expect(run.results.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ['a', 'correct', null],
      ['b', 'not_run', 'bail'],
      ['d', 'correct', null],
    ]);
    expect(run).toMatchObject({ leftOut: 1, duplicates: [] });
  });

  test('that was killed has the reason "crash" for each trial without a row', () => {
    const { results } = readRun(
      makeRun([A], { suite: { questions: mark('c', { hidden: true }) } }),
    );
    expect(results.map(({ reason }) => reason)).toEqual([null, 'crash', 'crash', 'crash']);
    expect(results.map(hasTarget)).toEqual([true, true, false, true]);
  });

  test('has the last of several rows of a trial, and says so', () => {
    const folder = makeRun([A]);
    writeRows(folder, toResult('correct', { id: 'a', model: 'again' }));
    const run = readRun(folder);
    expect(run.results).toMatchObject([{ model: 'again' }]);
    expect(run.duplicates).toEqual(['gaia a (replay, trial 1)']);
  });

  test('has no verdict of a score that failed later, and what it cost once', () => {
    const failed = { ...toNotRun({ ...A, run: 'r' }, 'x', 'score', 'It failed.'), cost_usd: 1 };
    const rows = [toResult('correct', { id: 'a', cost_usd: 1 }), failed, toRight('b')];
    const run = readRun(makeRun(rows, { suite: { questions: planned(['a', 'b'], 'g') } }));
    expect(run.results.map(({ state }) => state)).toEqual(['not_run', 'correct']);
    expect([run.duplicates, computeSpent(run)]).toEqual([[], 1]);
  });

  test('has spent what its own answers cost, not the cached ones', () => {
    const cost_usd = 1;
    const rows = [
      toResult('correct', { id: 'a', cost_usd }),
      toResult('correct', { id: 'b', cost_usd, cached: true }),
    ];
    expect(computeSpent(readRun(makeRun(rows)))).toBe(1);
    const [known, part] = [0, 0.25].map((new_cost_usd) => ({
      ...PAIR,
      cost_usd: 0.5,
      new_cost_usd,
    }));
    const judged = toResult('correct', {
      cost_usd,
      cached: true,
      pairs: [PAIR, known, part].flatMap((pair) => pair ?? []),
    });
    expect(computeSpent(readRun(makeRun([judged])))).toBeCloseTo(0.252);
  });

  test('says no message of an error to an audience that a suite is hidden from', () => {
    const refused = [{ file: 'evals/b.eval.ts', why: 'its record says SECRET' }];
    const end = { errors: ['gaia a: Error: SECRET: 17'], refused };
    const folder = makeRun([A], { suite: { dataset: 'own' }, end });
    expect(readRun(folder).end).toMatchObject(end);
    const hidden = readRun(folder, { ci: true }).end;
    expect(JSON.stringify(hidden)).not.toContain('SECRET');
    expect(hidden.errors).toEqual(['gaia a: its message is hidden']);
    const open = makeRun([A], { suite: { dataset: 'own', public: true }, end });
    expect(readRun(open, { ci: true }).end).toMatchObject(end);
  });

  test('of a shard has only the trials of its share', () => {
    const { results } = readRun(
      makeRun([B], { suite: { questions: mark('acd', { elsewhere: true }) } }),
    );
    expect(results.map(({ id }) => id)).toEqual(['b']);
  });
});
