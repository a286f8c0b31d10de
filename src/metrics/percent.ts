/** A rate as people read it: 0.5833 is "58.3 %". */
export function formatPercent(rate: number, digits = 1): string {
  return `${(rate * 100).toFixed(digits)} %`;
}

/** Two rates with as many digits as it takes to tell them apart: never "60.0 % is below 60.0 %". */
export function formatPercents(left: number, right: number): readonly [string, string] {
  let digits = 1;
  while (left !== right && digits < 12 && formatPercent(left, digits) === formatPercent(right, digits)) digits += 1;
  return [formatPercent(left, digits), formatPercent(right, digits)];
}
