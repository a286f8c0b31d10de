import type { Tally } from '../../src/figures/groups.ts';
import { computeShare } from '../../src/figures/intervals.ts';
import { drawQuestions } from '../measure/draw.ts';
import type { Cell } from './cell.ts';

/**
 * The accuracy of 5 to 50 questions of any difficulty, with 1 trial, 3, or 10 of each fifth question
 * and 1 of the others, alone or in clusters of 5 (ICC 0.2). Each run draws its own rate within 5
 * points of p: at one fixed rate the coverage of counts leaps.
 */
export function listAccuracies(): readonly Cell[] {
  return (['1', '3', 'unequal'] as const).flatMap((trials) =>
    [false, true].flatMap((clusters) =>
      [0.3, 0.8].flatMap((rate) =>
        [5, 10, 20, 50].map((questions): Cell => {
          const often = trials === '1' ? '1 trial' : `${trials} trials`;
          return {
            line: `${often}, ${clusters ? 'clusters' : 'no clusters'}, p ${rate}`,
            size: questions,
            bar: questions < 10 ? 0.93 : 0.94,
            run: (draw) => {
              const value = rate - 0.05 + 0.1 * draw.random();
              const drawn = drawQuestions(draw, { questions, clusters }, value);
              const tallies = drawn.map(({ chance, ...question }, index): Tally => {
                const counted = countTrials(trials, index);
                return { ...question, counted, correct: draw.binomial(counted, chance) };
              });
              return { value, interval: computeShare(tallies)?.ci95 ?? [0, 1] };
            },
          };
        }),
      ),
    ),
  );
}

function countTrials(trials: '1' | '3' | 'unequal', index: number): number {
  if (trials === 'unequal') return index % 5 === 0 ? 10 : 1;
  return Number(trials);
}
