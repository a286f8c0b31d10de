import { Z_95 } from './normal.ts';

/**
 * 95 % Bonett-Price interval of a mean paired difference (each -1..1), within -1..1: the plain normal interval after
 * adding one question that got better (+1) and one that got worse (-1). With one trial each this is their adjusted
 * Wald interval; the two extra questions keep it honest when few questions or none changed. With several trials the
 * differences are smaller than theirs, so it errs on the wide side: with 3 trials it holds the truth in 99 % of
 * simulated runs of 20 questions, 97 % of 50, 96 % of 165.
 */
export function computePairedInterval(differences: readonly number[]): readonly [number, number] {
  const n = differences.length + 2;
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / n;
  const half = Z_95 * Math.sqrt((computeDiscordance(differences) - mean ** 2) / n);
  return [Math.max(-1, mean - half), Math.min(1, mean + half)];
}

/** Mean squared difference, the two extra questions included: with one trial each the share of questions that flip. */
export function computeDiscordance(differences: readonly number[]): number {
  return differences.reduce((sum, difference) => sum + difference ** 2, 2) / (differences.length + 2);
}

/** Half the width of the interval when not one of n questions changes: no smaller drop can ever be ruled out. */
export function computeSmallestMargin(n: number): number {
  return (Z_95 * Math.SQRT2) / (n + 2);
}
