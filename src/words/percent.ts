import { formatPercent } from './amounts.js';

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
