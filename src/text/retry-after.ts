/**
 * How many milliseconds a server asks to wait in its Retry-After header: seconds, or a date (RFC 9110, 10.2.3), 0 for one
 * that has passed. Null where it says nothing that can be read.
 */
export function readRetryAfter(header: string | null): number | null {
  const said = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(said)) return Number(said) * 1000;
  // A date has letters; Date.parse reads years into bare numbers, also into "-5".
  const ms = /[a-z]/i.test(said) ? Date.parse(said) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
