import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { type Gate, judgeGates, minAccuracyGates, parseGates } from './gates.ts';
import { computeSmallestMargin } from './intervals.ts';
import { toResult, toTrials } from './result.fixture.ts';
import { summarize } from './summarize.ts';

const GATE = { suite: 'gaia', dataset: 'made-up', group: 'all' };

/** A run with one question per mark, in group "level 1". */
const toRun = (marks: string) => [...marks].flatMap((mark, index) => toTrials(`q${index}`, mark));

/** Judges one gate on a run, compared with a baseline when one is given. */
function judge(thresholds: Partial<Gate>, marks: string, baseline?: string) {
  const comparison = baseline === undefined ? null : compare(toRun(baseline), toRun(marks));
  return judgeGates([{ ...GATE, ...thresholds }], summarize(toRun(marks)), () => comparison);
}

describe('min_accuracy', () => {
  it.each([
    ['+++++++-----', 0.6, false, 7 / 12, 'accuracy 58.3 % is below the gate 60.0 % for group all'],
    ['+++++++---', 0.7, true, 0.7, 'accuracy 70.0 % meets the gate 70.0 % for group all'],
    ['++-', 0.6667, false, 2 / 3, 'accuracy 66.667 % is below the gate 66.670 % for group all'],
    ['-', 0, true, 0, 'accuracy 0.0 % meets the gate 0.0 % for group all'],
    ['++.', 0.1, null, null, '1 of 3 results of group all was not run'],
    ['uu', 0.1, null, null, 'no result of group all can be graded'],
  ])('of %j against %d: %s', (marks, min_accuracy, holds, value, explanation) => {
    expect(judge({ min_accuracy }, marks)).toMatchObject([{ holds, value, explanation, threshold: min_accuracy }]);
  });

  it('holds for every share that equals its decimal, whatever the rounding', () => {
    for (const n of [10, 20, 25, 40, 50, 125]) {
      const summary = (correct: number) => summarize(toRun('+'.repeat(correct) + '-'.repeat(n - correct)));
      for (let correct = 0; correct <= n; correct += 1) {
        const min_accuracy = Number(`${(correct * 1000) / n}e-3`);
        const [result] = judgeGates([{ ...GATE, min_accuracy }], summary(correct), () => null);
        expect(result?.holds).toBe(true);
      }
    }
  });
});

describe('samples without a target', () => {
  const complete = [...toRun('++'), ...toTrials('h1', '!', { target: null })];
  const incomplete = [...complete, ...toTrials('h2', '.', { target: null })];
  const judgeRun = (thresholds: Partial<Gate>, run = complete) =>
    judgeGates([{ ...GATE, ...thresholds }], summarize(run), () => compare(run, run))[0];

  it.each([
    [{ min_accuracy: 1 }, { holds: true, value: 1 }],
    [{ max_errored: 0 }, { holds: true, value: 0 }],
  ])('are in no gate: %j', (thresholds, verdict) => {
    expect(judgeRun(thresholds)).toMatchObject(verdict);
  });

  it.each([{ min_accuracy: 1 }, { max_errored: 0 }, { max_drop: 1 }])(
    'let no gate hold while one of them has not run: %j',
    (thresholds) => {
      expect(judgeRun(thresholds, incomplete)).toMatchObject({ holds: null, explanation: 'the run is incomplete' });
    },
  );

  it('do not excuse a gate that is missed without them', () => {
    expect(judgeRun({ max_drop: 0 }, incomplete)?.holds).toBe(false);
  });

  it('are in no comparison', () => {
    expect(judgeRun({ max_drop: 0 })?.value).toBe(computeSmallestMargin(2));
  });
});

describe('max_errored', () => {
  it.each([
    ['+++!', 0.25, true, 0.25, 'errored share 25.0 % is within the gate 25.0 % for group all'],
    ['++!!', 0.25, false, 0.5, 'errored share 50.0 % is above the gate 25.0 % for group all'],
    ['uu!+', 0.5, true, 0.5, 'errored share 50.0 % is within the gate 50.0 % for group all'],
    ['uu', 0.5, null, null, 'no result of group all can be graded'],
    ['++!.', 0.9, null, null, '1 of 4 results of group all was not run'],
  ])('of %j against %d: %s', (marks, max_errored, holds, value, explanation) => {
    expect(judge({ max_errored }, marks)).toMatchObject([{ holds, value, explanation }]);
  });

  it('does not count time-outs', () => {
    const summary = summarize([toResult('timed_out')]);
    expect(judgeGates([{ ...GATE, max_errored: 0 }], summary, () => null)).toMatchObject([{ holds: true, value: 0 }]);
  });
});

describe('max_drop', () => {
  const same = '+-'.repeat(50);
  it('holds while the lower end of the interval is above the drop', () => {
    expect(judge({ max_drop: 0.05 }, same, same)).toMatchObject([
      {
        holds: true,
        value: expect.closeTo((1.959964 * Math.SQRT2) / 102, 6),
        explanation: 'a drop of up to 2.7 pp is not ruled out and is within the gate 5.0 pp for group all',
      },
    ]);
  });

  it('fails when a greater drop is not ruled out, even where the accuracy itself fell by less', () => {
    // Two of 100 broken: N = 102, mean -2/102, variance 4/102 - (2/102)^2, half 1.96 sqrt(variance / 102) = 0.0382.
    const [result] = judge({ max_drop: 0.05 }, `----${same.slice(4)}`, same);
    expect(result).toMatchObject({
      holds: false,
      explanation: 'a drop of up to 5.8 pp is not ruled out and is above the gate 5.0 pp for group all',
    });
  });

  it('says when so few questions can never meet the gate', () => {
    expect(judge({ max_drop: 0.05 }, '+-+-', '+-+-')[0]?.explanation).toBe(
      'a drop of up to 46.2 pp is not ruled out and is above the gate 5.0 pp for group all ' +
        '(4 questions leave 46.2 pp open even when no answer changes)',
    );
  });

  it('shows no negative drop when accuracy has certainly risen', () => {
    const [result] = judge({ max_drop: 0 }, '+'.repeat(40), '-'.repeat(40));
    expect(result).toMatchObject({ holds: true, explanation: expect.stringContaining('a drop of up to 0.0 pp') });
    expect(result?.value).toBeLessThan(-0.8);
  });

  it('looks at the group of the gate', () => {
    const results = judge({ max_drop: 0.05, group: 'level 1' }, same, same);
    expect(results).toMatchObject([{ holds: true, explanation: expect.stringContaining('for group level 1') }]);
  });

  it('takes the drop of that group, not of the whole run or of another group', () => {
    const toBoth = (first: string, second: string) => [
      ...[...first].flatMap((mark, index) => toTrials(`a${index}`, mark, { group: 'level 1' })),
      ...[...second].flatMap((mark, index) => toTrials(`b${index}`, mark, { group: 'level 2' })),
    ];
    const [before, after] = [toBoth(same, same), toBoth(same, '-'.repeat(100))];
    const gate = (group: string) => ({ ...GATE, group, max_drop: 0.05 });
    const results = judgeGates([gate('level 1'), gate('level 2')], summarize(after), () => compare(before, after));
    expect(results.map(({ holds }) => holds)).toEqual([true, false]);
  });

  it('holds at the very drop of the gate', () => {
    const [result] = judge({ max_drop: 1 }, `----${same.slice(4)}`, same);
    expect(judge({ max_drop: result?.value ?? 0 }, `----${same.slice(4)}`, same)).toMatchObject([{ holds: true }]);
  });

  it('speaks of too few questions only where they can never meet the gate', () => {
    const max_drop = computeSmallestMargin(4);
    expect(judge({ max_drop }, '--+-', '+-+-')[0]?.explanation).not.toContain('leave');
    expect(judge({ max_drop: max_drop - 1e-9 }, '--+-', '+-+-')[0]?.explanation).toContain('4 questions leave');
  });

  it('cannot be judged without a baseline, or without a question in both runs', () => {
    expect(judge({ max_drop: 0.05 }, '+')).toMatchObject([
      {
        holds: null,
        value: null,
        explanation: 'there is no baseline to compare group all with: name an earlier run in EVAL_BASELINE',
      },
    ]);
    for (const group of ['all', 'level 1']) {
      expect(judge({ max_drop: 0.05, group }, '+', '')).toMatchObject([
        { holds: null, explanation: `no question of group ${group} is finished in both runs` },
      ]);
    }
  });
});

describe('max_drop with a baseline that lacks questions of the run', () => {
  const run = '+-'.repeat(50);
  it('cannot be judged: what the others lost is not known', () => {
    for (const group of ['all', 'level 1']) {
      expect(judge({ max_drop: 0.5, group }, run, run.slice(0, 80))).toMatchObject([
        { holds: null, explanation: `only 80 of 100 questions of group ${group} can be compared with the baseline` },
      ]);
    }
  });

  it('is judged where only questions without a truth are missing, or where the baseline has more', () => {
    expect(judge({ max_drop: 0.5 }, `${run}uu`, run)).toMatchObject([{ holds: true }]);
    expect(judge({ max_drop: 0.5 }, run.slice(0, 80), run)).toMatchObject([{ holds: true }]);
  });
});

it.each(['level 4', '__proto__'])('cannot judge the absent group %j', (group) => {
  expect(judge({ min_accuracy: 0, group }, '+')).toMatchObject([
    { holds: null, value: null, explanation: `there is no group ${group} in this run` },
  ]);
});

it('gives one result per threshold', () => {
  const results = judge({ min_accuracy: 0.5, max_drop: 0.1, max_errored: 0 }, '+');
  expect(results.map(({ measure, threshold, holds }) => [measure, threshold, holds])).toEqual([
    ['min_accuracy', 0.5, true],
    ['max_drop', 0.1, null],
    ['max_errored', 0, true],
  ]);
});

it.each([{ suite: 'mcq' }, { dataset: 'sample' }])('leaves another suite or dataset alone: %j', (other) => {
  expect(judge({ min_accuracy: 1, ...other }, '-')).toEqual([]);
});

it('judges every agent of a suite with its own comparison', () => {
  const summary = summarize([toResult('correct', { agent: 'one' }), toResult('incorrect', { agent: 'two' })]);
  const results = judgeGates([{ ...GATE, min_accuracy: 1, max_drop: 1 }], summary, ({ agent }) =>
    agent === 'one' ? compare(toRun('+'), toRun('+')) : null,
  );
  expect(results.map(({ agent, measure, holds }) => [agent, measure, holds])).toEqual([
    ['one', 'min_accuracy', true],
    ['one', 'max_drop', true],
    ['two', 'min_accuracy', false],
    ['two', 'max_drop', null],
  ]);
});

it('turns one minimal accuracy into a gate on "all" of every suite and dataset, once for several agents', () => {
  const summary = summarize([
    toResult('correct'),
    toResult('correct', { agent: 'other' }),
    toResult('correct', { suite: 'mcq', dataset: 'sample' }),
  ]);
  expect(minAccuracyGates(0.6, summary)).toEqual([
    { suite: 'gaia', dataset: 'made-up', group: 'all', min_accuracy: 0.6 },
    { suite: 'mcq', dataset: 'sample', group: 'all', min_accuracy: 0.6 },
  ]);
});

const PARSED_GATE = { suite: 'gaia', dataset: 'sample', group: 'all', min_accuracy: 0.5 };
const toFile = (...gates: unknown[]) => ({ version: 1, gates });

it.each([
  [{ min_accuracy: 0 }],
  [{ max_drop: 0.05, max_errored: 1 }],
  [{ min_accuracy: 0.5, advisory: true }],
  [{ min_accuracy: 0.5, advisory: false }],
])('reads a gate with %j as it stands', (thresholds) => {
  const gate = { suite: 'gaia', dataset: 'sample', group: 'level 1', ...thresholds };
  expect(parseGates(toFile(gate, PARSED_GATE), 'gates.json')).toStrictEqual([gate, PARSED_GATE]);
});

it('reads a file without gates', () => {
  expect(parseGates(toFile(), 'gates.json')).toEqual([]);
});

it.each<[unknown, string]>([
  [null, 'gates.json must be an object, got null (null). Its keys are version, gates.'],
  [
    [PARSED_GATE],
    'gates.json must be an object, got [{"suite":"gaia","dataset":"sample","group":"all","min_accuracy":0.5}] (list).',
  ],
  [undefined, 'gates.json must be an object, got nothing. Its keys are version, gates.'],
  [{ gates: [] }, 'gates.json: "version" must be 1, got nothing. Write "version": 1.'],
  [{ version: '1', gates: [] }, 'gates.json: "version" must be 1, got "1" (string). Write "version": 1.'],
  [{ version: 1, gates: {} }, 'gates.json: "gates" must be a list, got {} (object). Write "gates": [] for none.'],
  [
    { version: 1, gate: [] },
    'gates.json has an unknown key, got "gate" (string). Did you mean "gates"? Known: version, gates.',
  ],
  [
    toFile(PARSED_GATE, 'all'),
    'gates.json: gates[1] must be an object, got "all" (string). Its keys are suite, dataset, group,',
  ],
  [
    toFile({ ...PARSED_GATE, min_acuracy: 1 }),
    'gates.json: gates[0] has an unknown key, got "min_acuracy" (string). Did you mean "min_accuracy"? Known: suite,',
  ],
  [toFile(JSON.parse('{"__proto__": {}}')), 'gates.json: gates[0] has an unknown key, got "__proto__" (string).'],
  [
    toFile({ ...PARSED_GATE, suite: undefined }),
    'gates.json: gates[0]: "suite" must be a text, got nothing. Write the suite',
  ],
  [
    toFile({ ...PARSED_GATE, dataset: '' }),
    'gates.json: gates[0]: "dataset" must be a text, got "" (string). Write the dataset',
  ],
  [
    toFile({ ...PARSED_GATE, group: 1 }),
    'gates.json: gates[0]: "group" must be a text, got 1 (number). Write the group',
  ],
  [
    toFile({ suite: 'gaia', dataset: 'sample', group: 'all' }),
    'gates.json: gates[0] has no threshold, got {"suite":"gaia","dataset":"sample","group":"all"} (object). Give it min_accuracy, max_drop, max_errored or several of them.',
  ],
  [
    toFile({ ...PARSED_GATE, min_accuracy: 60 }),
    'gates.json: gates[0]: "min_accuracy" must be a number from 0 to 1, got 60 (number). Write 0.6 for 60 %.',
  ],
  [toFile({ ...PARSED_GATE, min_accuracy: '0.6' }), '"min_accuracy" must be a number from 0 to 1, got "0.6" (string).'],
  [toFile({ ...PARSED_GATE, max_drop: -0.1 }), '"max_drop" must be a number from 0 to 1, got -0.1 (number).'],
  [toFile({ ...PARSED_GATE, max_errored: null }), '"max_errored" must be a number from 0 to 1, got null (null).'],
  [
    toFile({ ...PARSED_GATE, advisory: 'yes' }),
    'gates[0]: "advisory" must be true or false, got "yes" (string). Leave it out',
  ],
])('refuses %j with place, value and remedy', (json, message) => {
  expect(() => parseGates(json, 'gates.json')).toThrow(message);
});

it('cuts a long value', () => {
  expect(() => parseGates({ version: 'x'.repeat(10_000), gates: [] }, 'gates.json')).toThrow(/^.{0,200}$/);
});

it('throws nothing but its own errors, whatever the file holds', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.jsonValue().map((gate) => toFile(gate)),
      ),
      (json) => {
        try {
          parseGates(json, 'gates.json');
        } catch (error) {
          expect(String(error)).toMatch(/^Error: gates\.json/);
        }
      },
    ),
  );
});
