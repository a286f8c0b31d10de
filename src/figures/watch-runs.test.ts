import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { readRun } from '../store/run-reader.ts';
import type { SampleResult } from '../words/row.ts';
import { readComparedRun } from './compare-runs.ts';
import { toTrials } from './result.fixture.ts';
import { compareWatchRuns, findReference } from './watch-runs.ts';

const ask = (ids: string, mark: string) => [...ids].flatMap((id) => toTrials(id, mark));

test.each<[string, readonly (readonly SampleResult[])[], string | undefined]>([
  ['the watch run before', [ask('ab', '+'), ask('ab', '-'), ask('ab', '+')], 'run 2'],
  [
    'the latest watch run that had all of its questions',
    [ask('abc', '+'), ask('a', '-'), ask('abc', '-')],
    'run 1',
  ],
  ['the watch run before where none had', [ask('a', '+'), ask('ab', '+')], 'run 1'],
  ['nothing where it is the first', [ask('a', '+')], undefined],
])('a watch run is compared with %s', (_rule, watchRuns, expected) => {
  const runs = watchRuns.map((rows, index) => readRun(makeRun(rows, { name: `run ${index + 1}` })));
  const last = runs.pop();
  expect(last && findReference(last, runs)?.manifest.run).toBe(expected);
});

test('a variant is compared with the same agent and prompt file of the earlier watch run', () => {
  const before = makeRun(toTrials('a', '+', { prompt_hash: 'p' }), { name: 'before' });
  const now = makeRun(toTrials('a', '-', { prompt_hash: 'q' }), { dir: dirname(before) });
  const [earlier, later] = [before, now].map((folder) => readComparedRun(folder).variants);
  const [comparison] = compareWatchRuns(earlier ?? [], later ?? []);
  expect(comparison).toMatchObject({ a: { run: 'before' }, figures: { flips: { broken: ['a'] } } });
  const other = makeRun(toTrials('a', '+', { agent: 'other' }));
  expect(compareWatchRuns(readComparedRun(other).variants, later ?? [])).toEqual([]);
});
