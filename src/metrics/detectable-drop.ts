import { Z_95, Z_POWER_80 } from './normal.ts';

/** With fewer questions even a run that breaks every one has p > 0.05 (2 / 2^5). */
const MIN_QUESTIONS = 6;

/**
 * The smallest true drop from an accuracy (0..1) that n questions would show as p < 0.05 in four runs of five; null when
 * none would be: there is no more to lose than the accuracy. From Connor's sample size of the paired test, sqrt(n) drop = z95 sqrt(d) + z80 sqrt(d - drop^2), with
 * d the discordance (share of questions that flip), which a drop cannot exceed. An estimate: the exact test wants
 * slightly more.
 */
export function computeDetectableDrop(n: number, discordance: number, accuracy: number): number | null {
  if (n < MIN_QUESTIONS) return null;
  let [hidden, shown] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const drop = (hidden + shown) / 2;
    if (isShown(drop, n, Math.max(discordance, drop))) shown = drop;
    else hidden = drop;
  }
  return shown <= accuracy ? shown : null;
}

function isShown(drop: number, n: number, discordance: number): boolean {
  return Math.sqrt(n) * drop >= Z_95 * Math.sqrt(discordance) + Z_POWER_80 * Math.sqrt(discordance - drop ** 2);
}
