import { computeLabelFigures, computeMacroF1 } from '../../src/figures/label-figures.ts';
import type { Labelled } from '../../src/figures/labels.ts';
import { type Draw, drawQuestions } from '../measure/draw.ts';
import type { Cell } from './cell.ts';

/** How often each label is expected. */
const FREQUENCIES = [
  [0.5, 0.5],
  [0.85, 0.15],
  [0.5, 0.3, 0.2],
  [0.3, 0.2, 0.2, 0.1, 0.1, 0.1],
] as const;

/**
 * F1 of the first label and macro F1 of a classifier, which is right in about 60 or 85 % and else gives
 * any other label as often, on questions of any difficulty with 1 or 3 trials.
 */
export function listLabelFigures(): readonly Cell[] {
  return FREQUENCIES.flatMap((frequencies) =>
    [0.6, 0.85].flatMap((rate) =>
      [1, 3].flatMap((trials) =>
        (['F1', 'macro F1'] as const).flatMap((figure) =>
          [20, 50, 200].map((size): Cell => {
            const of = `${figure} of ${frequencies.join(', ')}`;
            const often = trials === 1 ? '1 trial' : `${trials} trials`;
            return {
              line: `${of}, right ${rate}, ${often}`,
              size,
              // With fewer questions few results have a label.
              bar: figure === 'macro F1' || size >= 50 ? 0.93 : 0.9,
              run: (draw) => simulate(draw, { frequencies, rate, trials, figure, size }),
            };
          }),
        ),
      ),
    ),
  );
}

type Setting = Readonly<{
  frequencies: readonly number[];
  rate: number;
  trials: number;
  figure: 'F1' | 'macro F1';
  size: number;
}>;

function simulate(draw: Draw, { frequencies, rate, trials, figure, size }: Setting) {
  const right = rate - 0.05 + 0.1 * draw.random();
  const questions = drawQuestions(draw, { questions: size, clusters: false }, right);
  const labels = frequencies.map((_, label) => String(label));
  const rows = questions.flatMap(({ chance }, index): readonly Labelled[] => {
    const expected = pick(draw, labels, frequencies);
    const others = labels.filter((label) => label !== expected);
    return Array.from({ length: trials }, () => ({
      expected,
      predicted: draw.random() < chance ? expected : pick(draw, others),
      question: String(index),
    }));
  });
  const scores = frequencies.map((share) => {
    const given = share * right + ((1 - share) * (1 - right)) / (labels.length - 1);
    return (2 * share * right) / (share + given);
  });
  const [first = 0] = scores;
  const macro = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return figure === 'F1'
    ? { value: first, interval: computeLabelFigures(rows, '0').f1?.ci95 ?? ([0, 1] as const) }
    : { value: macro, interval: computeMacroF1(rows)?.ci95 ?? ([0, 1] as const) };
}

function pick({ random }: Draw, labels: readonly string[], shares?: readonly number[]): string {
  let at = random();
  const each = 1 / labels.length;
  const found = labels.find((_, index) => {
    at -= shares?.[index] ?? each;
    return at < 0;
  });
  return found ?? labels[0] ?? '';
}
