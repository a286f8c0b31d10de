/** A rate as people read it, 0.5833 is "58.3 %": with as many more digits as tell it from 0 and from 100 %. */
export function formatPercent(rate: number, digits = 1): string {
  const percent = rate * 100;
  const distance = Math.min(percent, 100 - percent);
  let shown = digits;
  while (distance > 0 && shown < MOST_DIGITS && distance * 10 ** shown < 1 - ROUNDING) shown += 1;
  return `${percent.toFixed(shown)} %`;
}

/** Two rates with as many digits as it takes to tell them apart: never "60.0 % is below 60.0 %". */
export function formatPercents(left: number, right: number): readonly [string, string] {
  let digits = 1;
  while (left !== right && digits < 12 && formatPercent(left, digits) === formatPercent(right, digits)) digits += 1;
  return [formatPercent(left, digits), formatPercent(right, digits)];
}

/** More than a double has below 100. */
const MOST_DIGITS = 20;

/** 0.999 is a double whose distance from 1 is slightly less than 0.001. */
const ROUNDING = 1e-9;
