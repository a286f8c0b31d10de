import { expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toTrials } from '../metrics/result.fixture.ts';
import { readManifest } from '../store/manifest.ts';
import type { SampleResult } from '../types.ts';
import { toSides } from './compare-runs.ts';
import { compareTurn, NO_TURNS, selectNew, type Turns } from './watch-turns.ts';

const ask = (ids: string, mark: string) => [...ids].flatMap((id) => toTrials(id, mark));

/** Runs turns one after the other; for each, against which turn it was compared and on how many questions. */
function runTurns(turns: readonly (readonly SampleResult[])[]) {
  const folder = makeRun(turns.flat());
  const manifest = readManifest(folder);
  const seen: (string | undefined)[] = [];
  let state: Turns = NO_TURNS;
  for (const results of turns) {
    const { turns: next, comparisons } = compareTurn(state, toSides(folder, manifest, results), 0);
    seen.push(comparisons.map(({ a, figures }) => `${a.run}: ${figures.questions}`).join());
    state = next;
  }
  return { seen, kept: state.sides.map(({ run }) => run) };
}

test.each<[string, readonly (readonly SampleResult[])[], readonly string[], readonly string[]]>([
  ['the turn before', [ask('ab', '+'), ask('ab', '-'), ask('ab', '+')], ['', 'turn 1: 2', 'turn 2: 2'], ['turn 3']],
  [
    'the latest turn that had all of its questions',
    [ask('abc', '+'), ask('a', '-'), ask('a', '+'), ask('abc', '-'), ask('b', '-')],
    ['', 'turn 1: 1', 'turn 2: 1', 'turn 1: 3', 'turn 4: 1'],
    ['turn 4', 'turn 5'],
  ],
  ['the turn before where none had', [ask('a', '+'), ask('ab', '+')], ['', 'turn 1: 1'], ['turn 2']],
  ['nothing it shares no question with', [ask('a', '+'), ask('b', '+')], ['', 'turn 1: 0'], ['turn 1', 'turn 2']],
  ['no turn in which nothing ran', [ask('a', '+'), ask('a', '.'), ask('a', '-')], ['', '', 'turn 1: 1'], ['turn 3']],
])('a turn is compared with %s', (_rule, turns, seen, kept) => {
  expect(runTurns(turns)).toEqual({ seen, kept });
});

test('what a turn ran is what was written since the one before', () => {
  const [a = [], b = []] = [ask('a', '+'), ask('b', '+')];
  expect(selectNew([...a, ...b], [...a, ...b], { ...NO_TURNS, rows: 1 })).toEqual(b);
});
