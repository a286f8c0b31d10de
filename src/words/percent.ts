/**
 * A rate for people: 0.5833 becomes "58.3 %". It gets more digits if it would otherwise look like 0
 * or 100 %.
 */
export function formatPercent(rate: number, digits = 1): string {
  const percent = rate * 100;
  const fromEnd = Math.min(percent, 100 - percent);
  let shown = digits;
  // The last term allows for rounding: 0.999 is a double whose distance from 1 is slightly less
  // than 0.001.
  while (fromEnd > 0 && shown < 20 && fromEnd * 10 ** shown < 1 - 1e-9) shown += 1;
  return `${percent.toFixed(shown)} %`;
}

/** Two rates with enough digits to tell them apart: never "60.0 % is below 60.0 %". */
export function formatPercents(left: number, right: number): readonly [string, string] {
  return tellApart(left, right, 1, formatPercent);
}

/** Two means of a named score, shares of true in per cent, with enough digits to tell them apart. */
export function formatMeans(kind: 'rate' | 'mean', left: number, right: number) {
  if (kind === 'rate') return formatPercents(left, right);
  return tellApart(left, right, 3, (value, digits) => value.toFixed(digits));
}

function tellApart(
  left: number,
  right: number,
  fewest: number,
  format: (value: number, digits: number) => string,
): readonly [string, string] {
  let digits = fewest;
  while (left !== right && digits < 12 && format(left, digits) === format(right, digits))
    digits += 1;
  return [format(left, digits), format(right, digits)];
}
