import { expect, test } from 'vitest';
import { describeRuling, type Opinion, type Ruling, toJudgeVerdicts } from './judge.ts';

function toRuling(costs: readonly (number | null)[], isNew: boolean): Ruling {
  const opinions = costs.map((cost, index) => {
    return {
      judge: `j${index}`,
      verdict: 'pass' as const,
      reason: `because ${index}`,
      cost,
      isNew,
      stop: null,
    };
  });
  return { verdict: 'pass', opinions, criterion: 'c', reference: null, asked: 'hash' };
}

test('adds the costs of all verdicts on an answer, those known before apart', () => {
  const [old, paid] = [toRuling([0.5], false), toRuling([0.25, 0.25], true)];
  expect(toJudgeVerdicts(paid, [old, paid])).toMatchObject({
    cost_usd: 1,
    new_cost_usd: 0.5,
    models: ['j0', 'j1'],
  });
  expect(toJudgeVerdicts(paid, [paid])).not.toHaveProperty('new_cost_usd');
  expect(toJudgeVerdicts(paid, [paid, toRuling([null], true)]).cost_usd).toBeNull();
});

test('describes a verdict in one line, with the words of a judge that decided', () => {
  const ruling = toRuling([0, 0, 0], true);
  const [first, ...others] = ruling.opinions;
  const split = { ...ruling, opinions: [{ ...first, verdict: 'fail' } as Opinion, ...others] };
  expect(describeRuling(split)).toBe('j0: fail, j1: pass, j2: pass (because 1)');
  expect(describeRuling({ ...split, verdict: null })).toMatch(/^no majority: .+ \(because 0\)$/);
});
