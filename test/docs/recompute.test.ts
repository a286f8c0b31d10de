import { describe, expect, test } from 'vitest';
import { compare } from '../../src/figures/paired-comparison.ts';
import { toResult } from '../../src/figures/result.fixture.ts';
import { computeTrialFigures, summarize } from '../../src/figures/summarize.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { makeFolder } from '../make-folder.ts';
import { needPython } from '../python.ts';
import { recompute, toRecomputed } from './recompute.ts';

type Fields = Parameters<typeof toResult>[1];

/** Questions of the groups "level 1" to "level 3", whose rows depend on their number and trial alone. */
function makeRows(toRow: (question: number, trial: number) => SampleResult | null) {
  return Array.from({ length: 40 }, (_, question) =>
    [1, 2, 3, 4].flatMap((trial) => toRow(question, trial) ?? []),
  ).flat();
}

const place = (question: number, trial: number, fields: Fields = {}): Fields => ({
  id: `q${question}`,
  trial,
  group: `level ${1 + (question % 3)}`,
  options: 3 + (question % 3),
  cost_usd: ((question * 5 + trial * 3) % 17) / 100,
  first_token_ms: 10 + ((question * 13 + trial * 7) % 41),
  latency_ms: 100 + ((question * 37 + trial * 11) % 97),
  ...fields,
});

/** Whether a trial is right: some questions are hard, and some trials differ. */
const isRight = (question: number, trial: number, shift = 0) =>
  (question * 7 + trial * (question % 4) + shift) % 10 < 6;

const toState = (question: number, trial: number, shift = 0) =>
  isRight(question, trial, shift) ? 'correct' : 'incorrect';

const MADE: Readonly<Record<string, readonly SampleResult[]>> = {
  'one trial': makeRows((question, trial) =>
    trial > 1 ? null : toResult(toState(question, 1), place(question, 1)),
  ),
  'three trials': makeRows((question, trial) =>
    trial > 3 ? null : toResult(toState(question, trial), place(question, trial)),
  ),
  'unequal trials': makeRows((question, trial) =>
    trial > 1 + (question % 4) ? null : toResult(toState(question, trial), place(question, trial)),
  ),
  'clusters, errors and time-outs': makeRows((question, trial) => {
    const cluster = question < 30 ? `passage ${Math.floor(question / 4)}` : undefined;
    const fields = place(question, trial, cluster === undefined ? {} : { cluster });
    if (trial > 2) return null;
    if (question % 9 === 4) return toResult('errored', { ...fields, latency_ms: null });
    if (question % 11 === 5) return toResult('timed_out', { ...fields, latency_ms: 180 });
    return toResult(toState(question, trial), fields);
  }),
  'hidden targets': makeRows((question, trial) => {
    if (trial > 2) return null;
    const isHidden = question % 5 === 0;
    const fields = place(question, trial, isHidden ? { target: null } : {});
    if (question % 10 === 5) return toResult('errored', { ...fields, latency_ms: null });
    return toResult(isHidden ? 'ungraded' : toState(question, trial), fields);
  }),
  'scores, some of them null': makeRows((question, trial) => {
    const scores = {
      cited: question % 6 === 0 ? null : isRight(question, trial, 3),
      total: question % 6 === trial ? null : ((question * 3 + trial) % 11) / 10,
    };
    if (question % 13 === 6)
      return toResult('errored', place(question, trial, { latency_ms: null }));
    return toResult(toState(question, trial), place(question, trial, { scores }));
  }),
};

const write = (rows: readonly SampleResult[]) =>
  makeFolder({ 'samples.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join('') });

describe('docs/recompute.py has the figures of viva', () => {
  test.for(Object.entries(MADE))('for %s', ([, rows], context) => {
    needPython(context);
    const { suites } = summarize(rows);
    const [suite] = suites;
    if (suite === undefined) throw new Error('no suite');
    expect(recompute(write(rows))).toEqual({
      'gaia made-up replay': toRecomputed(
        suite,
        rows.some(({ trial }) => trial > 1) ? computeTrialFigures(rows) : null,
      ),
    });
  });

  test.for(['one trial', 'three trials', 'unequal trials', 'clusters, errors and time-outs'])(
    'for a comparison with %s',
    (name, context) => {
      needPython(context);
      const a = MADE[name] ?? [];
      const b = a
        .filter(({ trial, id }) => name !== 'unequal trials' || trial < 3 || id !== 'q7')
        .map((row) => {
          const question = Number(row.id.slice(1));
          const isChanged = row.error === null && question % 5 === 1;
          return isChanged ? { ...toResult('correct', row as Fields) } : row;
        });
      const { questions, difference, ci95, p_value, detectable_drop } = compare(a, b);
      const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 7));
      expect(recompute(write(b), write(a))).toEqual({
        questions,
        difference: near(difference),
        ci95: ci95?.map(near),
        p_value: near(p_value),
        drop: near(detectable_drop),
      });
    },
  );
});
