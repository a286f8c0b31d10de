/** An exact number: a fraction with a positive denominator, not reduced. */
export type Rational = Readonly<{ top: bigint; bottom: bigint }>;

/** Longer texts are not read: the work for n digits grows faster than n. */
const MAX_LENGTH = 400;

/**
 * Reads a number exactly: 1,234.5, 1 234, 1e3, 1.5 x 10^3, 3/4, \frac{3}{4}, 1 3/4, 0.\overline{3}.
 * Null for any other text. The text has the spelling of `toPlainMath`.
 */
export function readNumber(text: string): Rational | null {
  if (text.length > MAX_LENGTH) return null;
  const [, sign, size = ''] = /^([+-]?)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const read = readMixed(size) ?? readFraction(size) ?? readDecimal(size);
  return read !== null && sign === '-' ? { ...read, top: -read.top } : read;
}

/** Whether two numbers are the same value. */
export function isSame(a: Rational, b: Rational): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

/** Multiplies. */
export function times(a: Rational, b: Rational): Rational {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom };
}

/** Whether the difference of two numbers is at most `most`. */
export function isWithin(a: Rational, b: Rational, most: Rational): boolean {
  const top = a.top * b.bottom - b.top * a.bottom;
  return (top < 0n ? -top : top) * most.bottom <= most.top * a.bottom * b.bottom;
}

const MIXED = /^(\d{1,20}) ?(\\frac.{1,60})$|^(\d{1,20}) (\d{1,20}\/\d{1,20})$/;

/** "1 3/4" and "1\frac{3}{4}", but not "2\frac{5}{4}", which is a product. */
function readMixed(text: string): Rational | null {
  const [, a, b, whole = a, part = b] = MIXED.exec(text) ?? [];
  const fraction = readFraction(part ?? '');
  if (
    whole === undefined ||
    fraction === null ||
    fraction.top < 0n ||
    fraction.top >= fraction.bottom
  )
    return null;
  return { top: BigInt(whole) * fraction.bottom + fraction.top, bottom: fraction.bottom };
}

const FRACTION = /^\\frac ?(?:\{([^{}]+)\}|(\d)) ?(?:\{([^{}]+)\}|(\d))$|^([^/]+)\/([^/]+)$/;

function readFraction(text: string): Rational | null {
  const parts = FRACTION.exec(text)?.slice(1).filter(Boolean) ?? [];
  const [over = null, under = null] = parts.map((part) => readNumber(part));
  if (over === null || under === null || under.top === 0n) return null;
  const sign = under.top < 0n ? -1n : 1n;
  return { top: sign * over.top * under.bottom, bottom: sign * over.bottom * under.top };
}

const WHOLE = String.raw`(\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d*)`;
const POWER = String.raw` ?(?:x|\*|\\times|\\cdot) ?10 ?\^ ?\{?([+-]?\d{1,4})\}?`;
const DECIMAL = new RegExp(
  String.raw`^${WHOLE}(?:\.(\d*)(?:\\overline ?\{(\d+)\})?)?(?:e([+-]?\d{1,4})|${POWER})?$`,
  'i',
);

function readDecimal(text: string): Rational | null {
  const match = DECIMAL.exec(text.replace(/^10 ?\^/, '1x10^'));
  if (match === null) return null;
  const [, whole = '', places = '', repeated = '', e, power = e ?? '0'] = match;
  const digits = whole.replace(/[, ]/g, '') + places;
  if (digits + repeated === '') return null;
  const bottom = 10n ** BigInt(places.length);
  const nines = repeated === '' ? 1n : 10n ** BigInt(repeated.length) - 1n;
  const top = repeated === '' ? BigInt(digits) : BigInt(digits + repeated) - BigInt(digits || '0');
  const shift = BigInt(power);
  return shift < 0n
    ? { top, bottom: bottom * nines * 10n ** -shift }
    : { top: top * 10n ** shift, bottom: bottom * nines };
}
