/*
 * How amounts are written. This is JavaScript, because the report's page has the file as it is.
 */

/**
 * US dollars with enough digits to tell small amounts apart; "-" if the amount is not known.
 *
 * @example
 * formatDollars(12); // '$12.00'
 * formatDollars(0.01234); // '$0.012'
 * @param {number | null} [usd]
 */
export function formatDollars(usd) {
  if (usd == null) return '-';
  return `$${usd === 0 || usd >= 0.995 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

/**
 * US dollars with the digits that they have, at most to a millionth: beside a limit, $0.300001 must
 * not look like $0.30.
 * @param {number} usd
 */
export function formatExactDollars(usd) {
  return `$${Number(usd.toFixed(6))}`;
}

/**
 * Milliseconds as "850 ms", "12.4 s" or "180 s"; "-" if not known.
 * @param {number | null} [ms]
 */
export function formatLatency(ms) {
  if (ms == null) return '-';
  if (ms < 1000) return `${ms < 10 && ms > 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return ms < 100_000 ? formatSeconds(ms) : `${Math.round(ms / 1000)} s`;
}

/**
 * Milliseconds in seconds, however few they are: "0.9 s".
 * @param {number} ms
 */
export function formatSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * The value of a named score: "true", "0.813"; "-" without a value.
 * @param {boolean | number | null} [score]
 */
export function formatScoreValue(score) {
  if (score == null) return '-';
  return typeof score === 'number' ? String(Number(score.toFixed(3))) : String(score);
}

/**
 * A rate for people: 0.5833 becomes "58.3 %". It gets more digits if it would otherwise look like 0
 * or 100 %.
 * @param {number} rate
 */
export function formatPercent(rate, digits = 1) {
  const percent = rate * 100;
  const fromEnd = Math.min(percent, 100 - percent);
  let shown = digits;
  // The last term allows for rounding: 0.999 is a double whose distance from 1 is slightly less
  // than 0.001.
  while (fromEnd > 0 && shown < 20 && fromEnd * 10 ** shown < 1 - 1e-9) shown += 1;
  return `${percent.toFixed(shown)} %`;
}
