/** A difference of two rates in percentage points, "+6.7 pp": with as many digits as keep it from looking like 0. */
export function formatPoints(difference: number | null): string {
  return difference === null ? '-' : `${formatSigned(difference)} pp`;
}

/** "-2.3 to +47.7 pp". */
export function formatPointsInterval(interval: readonly [number, number] | null): string {
  return interval === null ? '-' : `${formatSigned(interval[0])} to ${formatSigned(interval[1])} pp`;
}

/** A p-value, "p = 0.63" or "p < 0.001", on the side of 0.05 on which it is, and whether that is noise. */
export function judgeP(p: number): string {
  return `${formatP(p)}: ${isSignificant(p) ? 'more than noise' : 'within noise'}`;
}

export function isSignificant(p: number): boolean {
  return p < SIGNIFICANT;
}

/** "0.93 times". */
export function formatRatio(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)} times`;
}

const SIGNIFICANT = 0.05;

function formatSigned(difference: number): string {
  const points = difference * 100;
  let digits = 1;
  while (points !== 0 && digits < 6 && Number(points.toFixed(digits)) === 0) digits += 1;
  const text = Math.abs(points).toFixed(digits);
  return `${points < 0 ? '-' : points > 0 ? '+' : ''}${text}`;
}

function formatP(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  let digits = 2;
  while (p !== SIGNIFICANT && digits < 12 && Number(p.toPrecision(digits)) === SIGNIFICANT) digits += 1;
  return `p = ${Number(p.toPrecision(digits))}`;
}
