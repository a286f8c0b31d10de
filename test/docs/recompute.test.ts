import { describe, expect, test } from 'vitest';
import { comparePairs, readComparedRun } from '../../src/figures/compare-runs.ts';
import {
  type CalibrationOf,
  calibrate,
  countGrades,
  toJudgeKey,
} from '../../src/figures/judge-calibration.ts';
import { computeKappa, QUADRATIC } from '../../src/figures/kappa.ts';
import { compare } from '../../src/figures/paired-comparison.ts';
import { JUDGE, PAIR, toResult } from '../../src/figures/result.fixture.ts';
import { computeTrialFigures, summarize } from '../../src/figures/summarize.ts';
import type { StoredEnd } from '../../src/store/run-end.ts';
import type { JudgeVerdicts, SampleResult } from '../../src/words/row.ts';
import { makeRun } from '../make-run.ts';
import { needPython } from '../python.ts';
import { near, recompute, toCompared, toRecomputed } from './recompute.ts';

type Fields = NonNullable<Parameters<typeof toResult>[1]>;

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
  'scores of some clusters': makeRows((question, trial) => {
    const cluster = `passage ${Math.floor(question / 4)}`;
    const scores = { cited: question < 10 ? isRight(question, trial) : null, total: trial / 2 };
    if (trial > 2) return null;
    return toResult(toState(question, trial), place(question, trial, { cluster, scores }));
  }),
};

/** Judges whose calibration is known, and one of a criterion that nobody has labelled. */
const KNOWN = calibrate({
  passed: { as_pass: 26, as_fail: 4, worth: 21.5 },
  failed: { as_pass: 3, as_fail: 17 },
});
const POLITE = { ...JUDGE, criterion: 'is "polite", ' + 'ä', cost_usd: 0.002 };
const FUNNY = { ...JUDGE, criterion: 'is funny', score: 'funny', scale: 5 };
const GRADED = calibrate(countGrades([...Array(9).fill([2, 2]), [4, 5], [4, 3.5], [1, 1]], 5));
const calibrationOf: CalibrationOf = ({ criterion }) =>
  criterion === POLITE.criterion ? KNOWN : criterion === FUNNY.criterion ? GRADED : null;

const judged = (isPass: boolean, judge: JudgeVerdicts = POLITE): JudgeVerdicts => ({
  ...judge,
  verdicts: [isPass ? 'pass' : 'fail'],
});

const LABELS = ['spam', 'ham', 'News'];

const FURTHER: Readonly<Record<string, readonly SampleResult[]>> = {
  'stated probabilities': makeRows((question, trial) => {
    const isSure = isRight(question, trial, 1);
    const confidence = question % 8 === 0 ? null : isSure ? '85 %' : 10 + ((question * 7) % 60);
    if (trial > 2) return null;
    if (question % 9 === 4) return toResult('errored', place(question, trial));
    return toResult(toState(question, trial), place(question, trial, { confidence }));
  }),
  'stated probabilities in clusters': makeRows((question, trial) => {
    const cluster = `passage ${Math.floor(question / 3)}`;
    const confidence = String(((question * 7 + trial) % 11) / 10);
    if (trial > 1) return null;
    return toResult(toState(question, trial), place(question, trial, { confidence, cluster }));
  }),
  'probabilities on several scales': makeRows((question, trial) => {
    const confidence = question % 2 === 0 ? 0.4 : 70;
    if (trial > 1) return null;
    return toResult(toState(question, trial), place(question, trial, { confidence }));
  }),
  'shuffled options and tokens': makeRows((question, trial) => {
    const [input, output] = [50 + question, 3 + trial];
    const usage = { input_tokens: input, output_tokens: output, cached_tokens: 0 };
    const answer = question % 6 === 0 ? null : [1 + ((question + trial) % 3)];
    const presented = {
      seed: 1,
      order: ['A', 'B', 'C', 'D'],
      target: [1 + (question % 3)],
      answer,
    };
    const fields = { options: 4, presented, usage: { ...usage, reasoning_tokens: 0 } };
    if (trial > 2) return null;
    return toResult(toState(question, trial), place(question, trial, fields));
  }),
  'further groupings': makeRows((question, trial) => {
    const level = `level ${1 + (question % 3)}`;
    const groups: Record<string, string> = { level };
    if (question % 5 > 0) groups['topic'] = `topic ${question % 4}`;
    if (trial > 2) return null;
    return toResult(toState(question, trial), place(question, trial, { groups }));
  }),
  'a judge with known errors': makeRows((question, trial) => {
    if (trial > 3) return null;
    if (question % 9 === 4) return toResult('errored', place(question, trial));
    const judge = judged(isRight(question, trial));
    return toResult(toState(question, trial), place(question, trial, { judge }));
  }),
  'a judge that nobody has checked': makeRows((question, trial) => {
    const judge = judged(isRight(question, trial), JUDGE);
    if (trial > 1) return null;
    return toResult(toState(question, trial), place(question, trial, { judge }));
  }),
  'scores of judges': makeRows((question, trial) => {
    if (trial > 2) return null;
    const [isPolite, isShort] = [isRight(question, trial, 2), isRight(question, trial, 5)];
    const others = [judged(isShort, { ...JUDGE, criterion: 'is short', score: 'short' })];
    const judge = { ...judged(isPolite), score: 'polite', others };
    const scores = { polite: isPolite, short: isShort, cited: question % 4 > 0 };
    return toResult(toState(question, trial), place(question, trial, { judge, scores }));
  }),
  'grades of judges': makeRows((question, trial) => {
    if (trial > 2) return null;
    const grade = 1 + ((question * 3 + trial) % 5);
    const judge = { ...FUNNY, verdicts: [grade] };
    const scores = { funny: (grade - 1) / 4 };
    return toResult(grade > 2 ? 'correct' : 'incorrect', place(question, trial, { judge, scores }));
  }),
  labels: makeRows((question, trial) => {
    const target = LABELS[[0, 1, 0, 2, 1][question % 5] ?? 0] ?? '';
    const cluster = question < 12 ? `thread ${Math.floor(question / 4)}` : undefined;
    const ofCluster = cluster === undefined ? {} : { cluster };
    const { options: _, ...fields } = place(question, trial, { target, ...ofCluster });
    if (trial > 1 + (question % 2)) return null;
    if (question % 9 === 4) return toResult('errored', fields);
    if (question % 10 === 3) return toResult('ungraded', { ...fields, target: null });
    const wrong = [{ label: 'ham', why: 'kind' }, 'SPAM', 'news', 'no idea'][question % 4] ?? '';
    const answer = isRight(question, trial) ? target : wrong;
    return { ...toResult(toState(question, trial), fields), answer } as SampleResult;
  }),
};

const write = (
  rows: readonly SampleResult[],
  calibrations: NonNullable<StoredEnd['calibrations']> = [],
) => makeRun(rows, { end: { calibrations } });

describe('docs/recompute.py has the figures of viva', () => {
  test.for(Object.entries({ ...MADE, ...FURTHER }))('for %s', ([name, rows], context) => {
    needPython(context);
    const [suite] = summarize(rows, calibrationOf).suites;
    if (suite === undefined) throw new Error('no suite');
    const trials = rows.some(({ trial }) => trial > 1) ? computeTrialFigures(rows) : null;
    const calibrations = [POLITE, FUNNY].map(
      (judge) => [toJudgeKey(judge), calibrationOf(judge)] as const,
    );
    const found = recompute(write(rows, calibrations));
    const key = 'gaia made-up replay';
    expect(found).toEqual({ suites: { [key]: toRecomputed(suite, trials) }, pairs: {} });
    // A case that has none of its figures would show nothing.
    const shown = [suite, ...suite.groups].flatMap((each) => Object.keys(each)).join(' ');
    expect(shown).toMatch(SHOWN[name] ?? /./);
  });

  test.for([
    'one trial',
    'three trials',
    'unequal trials',
    'clusters, errors and time-outs',
    'scores, some of them null',
    'further groupings',
    'a judge with known errors',
  ])('for a comparison with %s', (name, context) => {
    needPython(context);
    const a = { ...MADE, ...FURTHER }[name] ?? [];
    const b = a
      .filter(({ trial, id }) => name !== 'unequal trials' || trial < 3 || id !== 'q7')
      .map((row) => change(row, 0));
    const key = 'gaia made-up replay';
    const figures = compare(a, b);
    expect(recompute(write(b), write(a))).toEqual({ [key]: toCompared(figures) });
    expect(figures.cost_ratio).not.toBeNull();
    expect(figures.latency_ratio).not.toBeCloseTo(1, 3);
  });

  test('for what judges prefer among three agents', (context) => {
    needPython(context);
    const outcomes = ['win', 'tie', 'loss', 'win', null, 'win'] as const;
    const rows = ['a', 'b', 'c'].flatMap((agent, at) =>
      makeRows((question, trial) => {
        if (trial > 1 + (question % 2)) return null;
        const cluster = question < 9 ? {} : { cluster: `passage ${question % 5}` };
        const pairs = ['a', 'b'].slice(0, at).map((other) => {
          const outcome = outcomes[(question * 5 + trial + at) % outcomes.length] ?? null;
          return { ...PAIR, other: { agent: other }, outcome };
        });
        const fields = place(question, trial, { agent, ...cluster });
        return toResult('ungraded', pairs.length === 0 ? fields : { ...fields, pairs });
      }),
    );
    const prefer = { judges: [], criterion_hash: '', pairs: 1 };
    const folder = makeRun(rows, { suite: { prefer } });
    const preferences = comparePairs(readComparedRun(folder).variants).map((each) => {
      expect(each.preference).toBeDefined();
      const { wins, ties, losses, questions, difference, ci95, p_value, among_pairs } =
        each.preference ?? {};
      const shown = { wins, ties, losses, questions, difference, ci95, p_value };
      const name = `gaia made-up ${each.b.agent} against gaia made-up ${each.a.agent}`;
      return [name, near({ ...shown, p_among_pairs: among_pairs?.p_value })];
    });
    expect(preferences).toHaveLength(3);
    expect(recompute(folder)).toMatchObject({ preferences: Object.fromEntries(preferences) });
  });

  test('for agents of one run, in pairs', (context) => {
    needPython(context);
    const one = FURTHER['further groupings'] ?? [];
    const agents = ['small', 'large', 'other'];
    const rows = agents.flatMap((agent, index) =>
      one.map((row) => ({ ...change(row, index), agent })),
    );
    // The last agent of the plan answers first.
    const folder = makeRun(rows.toReversed(), { suite: { agents }, end: {} });
    const { variants } = readComparedRun(folder);
    const pairs = comparePairs(variants).map(({ a, b, figures, among_pairs }) => {
      const name = `gaia made-up ${b.agent} against gaia made-up ${a.agent}`;
      expect(among_pairs?.p_value).toBeGreaterThanOrEqual(figures.p_value ?? 1);
      return [name, toCompared(figures, among_pairs)];
    });
    expect(recompute(folder)).toMatchObject({ pairs: Object.fromEntries(pairs) });
    expect(pairs).toHaveLength(3);
  });

  test.for<readonly [number[][], number]>([
    [
      [
        [9, 0],
        [0, 0],
      ],
      1,
    ],
    [
      [
        [12, 2],
        [3, 8],
      ],
      0.4,
    ],
    [
      [
        [14, 2, 0],
        [1, 9, 3],
        [0, 2, 7],
      ],
      1,
    ],
  ])('for kappa of %j', ([table, share], context) => {
    needPython(context);
    const { kappa, ci95 } = computeKappa(table, { share });
    const words = ['--kappa', JSON.stringify(table), String(share)];
    expect(recompute(...words)).toEqual(near([kappa, ci95]));
    const weighted = computeKappa(table, { share, weights: QUADRATIC });
    expect(recompute(...words, 'quadratic')).toEqual(near([weighted.kappa, weighted.ci95]));
  });
});

/** What a case is made for. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  'stated probabilities': /probability/,
  'stated probabilities in clusters': /probability/,
  'further groupings': /slices/,
  'a judge with known errors': /judges.*corrected/,
  'scores of judges': /judges.*scores/,
  'grades of judges': /judges.*scores/,
  labels: /labels.*macro_f1/,
};

/** The same question by a better agent, which is slower and dearer. */
function change(row: SampleResult, by: number): SampleResult {
  const question = Number(row.id.slice(1));
  const { latency_ms, cost_usd } = row;
  const dearer = {
    latency_ms: latency_ms === null ? null : latency_ms * (1.1 + (question % 3) / 10),
    cost_usd: cost_usd === null ? null : cost_usd * 1.3 + by / 100,
  };
  const isChanged = row.error === null && question % 5 === 1 + by;
  return isChanged
    ? toResult('correct', { ...(row as Fields), ...dearer })
    : ({ ...row, ...dearer } as SampleResult);
}
