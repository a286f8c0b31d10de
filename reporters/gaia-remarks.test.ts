import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import type { SuiteManifest } from '../src/runs/manifest.ts';
import type { State } from '../src/types.ts';
import { toGaiaRemarks } from './gaia-remarks.ts';

const IDS = Array.from({ length: 165 }, (_, index) => `made-up-${index}`);

const SUITE: SuiteManifest = {
  suite: 'gaia',
  dataset: 'GAIA/validation',
  source: null,
  placeholders: [],
  dataset_hash: '',
  prompt_hash: '',
  agents: ['replay'],
  trials: 1,
  notes: [],
  ids: IDS,
  groups: IDS.map((_, index) => `level ${index < 53 ? 1 : index < 139 ? 2 : 3}`),
  shard: null,
  unmatched_ids: [],
  plans: [],
  tools: [],
};

const toRows = (ids: readonly string[], state: State) => ids.map((id) => toResult(state, { id }));

test('a whole split stands beside published figures', () => {
  const remarks = toGaiaRemarks(SUITE, toRows(IDS, 'correct'))
    .map(({ text }) => text)
    .join('\n');
  expect(remarks).toContain("165 tasks in the leaderboard's form: the whole validation split.");
  expect(remarks).toContain('reference, not measured here');
});

test.each([
  ['a name, a tag or a shard left out', toRows(IDS.slice(0, 53), 'correct')],
  ['Ctrl-C or a budget left out', [...toRows(IDS.slice(0, 24), 'correct'), ...toRows(IDS.slice(24), 'not_run')]],
])('what %s is a part, and stands beside none', (_, rows) => {
  const remarks = toGaiaRemarks(SUITE, rows)
    .map(({ text }) => text)
    .join('\n');
  expect(remarks).toContain('a part, and the leaderboard takes whole splits only.');
  expect(remarks).not.toContain('reference');
});

test.each(['sample', 'own', 'questions/validation'])(
  'nothing is said of the dataset %s, which is not GAIA',
  (dataset) => {
    const rows = toRows(IDS, 'correct').map((row) => ({ ...row, dataset }));
    expect(toGaiaRemarks({ ...SUITE, dataset }, rows)).toEqual([]);
  },
);

test('a dry run has no submission', () => {
  expect(toGaiaRemarks(SUITE, [])).toEqual([]);
});
