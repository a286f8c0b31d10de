import { expect, it } from 'vitest';
import { judgeProbabilities } from './stated-probability.ts';

/** Answers such as "0.9 right", each to a question of its own. */
function toStated(answers: string) {
  return answers.split(', ').map((answer, index) => {
    const [share, verdict] = answer.split(' ');
    return { id: String(index), share: Number(share), isCorrect: verdict === 'right' };
  });
}

it.each([
  ['1 right, 0 wrong', 0, 1],
  ['0 right, 1 wrong', 1, 0],
  ['0.5 right, 0.5 wrong', 0.25, 0.5],
  ['0.9 right, 0.8 right, 0.7 wrong', 0.18, 1],
  ['0.9 right, 0.6 wrong, 0.5 right, 0.4 wrong', 0.195, 0.75],
  ['0.9 right, 0.9 wrong, 0.5 wrong', 1.07 / 3, 0.75],
])('%s has the Brier score %d and the AUROC %d', (answers, brier, auroc) => {
  const figures = judgeProbabilities(toStated(answers));
  expect(figures?.brier.value).toBeCloseTo(brier, 12);
  expect(figures?.auroc?.value).toBeCloseTo(auroc, 12);
  for (const rate of [figures?.brier, figures?.auroc]) {
    const [low = 1, high = 0] = rate?.ci95 ?? [];
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBeLessThanOrEqual(1);
    expect(low).toBeLessThanOrEqual(rate?.value ?? -1);
    expect(high).toBeGreaterThanOrEqual(rate?.value ?? 2);
    expect(high - low).toBeGreaterThan(0.1);
  }
});

it('returns no AUROC without a wrong answer, and nothing without a probability', () => {
  expect(judgeProbabilities(toStated('0.9 right, 1 right'))).toMatchObject({ n: 2, auroc: null });
  expect(judgeProbabilities([])).toBeNull();
});

it('has a wide interval if few answers are all right', () => {
  const { brier } = judgeProbabilities(toStated('0.9 right, 0.9 right, 0.9 right')) ?? {};
  expect(brier?.value).toBeCloseTo(0.01, 12);
  expect(brier?.ci95[1]).toBeGreaterThan(0.5);
});

it('counts a question once for the intervals, whatever its trials', () => {
  const once = toStated('0.9 right, 0.6 wrong, 0.5 right, 0.4 wrong');
  const thrice = [...once, ...once, ...once];
  expect(judgeProbabilities(thrice)).toEqual({
    ...judgeProbabilities(once),
    n: 12,
    brier: {
      n: 4,
      value: expect.closeTo(0.195, 12),
      ci95: judgeProbabilities(once)?.brier.ci95.map((end) => expect.closeTo(end, 9)),
    },
  });
});
