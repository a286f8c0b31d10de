import { type Rational, readNumber, times } from './number.ts';
import { toPlainMath } from './plain-math.ts';

/** A number with its unit as written, or "" without one. */
export type Quantity = { readonly value: Rational; readonly unit: string };

/** Longer texts are no quantities. */
const MAX_LENGTH = 200;

/**
 * Reads one number with or without a unit: "$5", "12 %", "1,234.5 km", "x = 3/4", "about 17
 * million". Null for any other text, also for two numbers ("5 or 6") and for words that change the
 * number ("5 dozen").
 */
export function readQuantity(written: string): Quantity | null {
  if (written.length > MAX_LENGTH) return null;
  const plain = toPlainMath(written).replace(/\\text ?\{([^{}]*)\}/g, ' $1');
  const text = plain.replace(LEAD, '').replace(/\.$/, '').replaceAll(/\s+/g, ' ').trim();
  const [, sign = '', currency = '', amount] = CURRENCY.exec(text) ?? [];
  // The longest start that is a number: "1e3 km" is not 1 with the unit "e3 km".
  const whole = amount === undefined ? text : sign + amount;
  for (let end = whole.length; end > 0; end--) {
    const unit = toUnit(whole.slice(end));
    const value = unit === null ? null : readNumber(whole.slice(0, end));
    if (unit === null || value === null || (currency !== '' && unit.name !== '')) continue;
    return {
      value: times(value, { top: 10n ** unit.zeros, bottom: 1n }),
      unit: currency + unit.name,
    };
  }
  return null;
}

const LEAD = /^(?:\w=|\w =|=|\\approx|~|about |approximately |approx\. )\s?/i;
const CURRENCY = /^([+-]?) ?(US\$|[$€£¥]|USD|EUR|GBP) ?(.+)$/;

const ZEROS: Readonly<Record<string, bigint>> = {
  hundred: 2n,
  thousand: 3n,
  million: 6n,
  billion: 9n,
  trillion: 12n,
};
const SCALE = new RegExp(`^ ?(${Object.keys(ZEROS).join('|')})(?![a-z])`, 'i');

/**
 * The unit behind a number, with the zeros of "million" and the like. Null if the text is no unit.
 */
export function toUnit(text: string): { readonly name: string; readonly zeros: bigint } | null {
  const [written = '', scale = ''] = SCALE.exec(text) ?? [];
  const name = text.slice(written.length).trim();
  const zeros = ZEROS[scale.toLowerCase()] ?? 0n;
  // "5k" and "5M" are five thousand and five million, "5 K" and "5 M" have a unit.
  const isShort = /^(?:k|K|M|B|bn|mn|T)$/.test(text);
  return name === '' || (isUnit(name) && !isShort) ? { name, zeros } : null;
}

const WORDS = /^(?:[%°$€£¥]|°[CF]|[\p{L}µ°][\p{L}µ°·*/^{} .-]{0,40}(?:\^? ?\{?-?[1-9]\}?)?)$/u;
/** Letters and words that make another number of it, or a formula. */
const OTHER = new RegExp(
  `(?<!\\p{L})(?:${[
    '[abceijknopqruvwxyz]|[BDEGIMOPQRSUXYZ]|or|and|to|of|out|than|not|more|less|plus|minus',
    'times|dozen|score|mod|percentage points?',
  ].join('|')})(?!\\p{L})`,
  'u',
);

function isUnit(name: string): boolean {
  return WORDS.test(name) && !OTHER.test(name) && name.split(' ').length <= 4;
}

/** Whether two units are the same: "Meters" and "meter", "cm²" and "cm^2", "dollars" and "$". */
export function isSameUnit(a: string, b: string): boolean {
  return toKey(a) === toKey(b);
}

const NAMES: Record<string, string> = {
  percent: '%',
  dollar: '$',
  us$: '$',
  usd: '$',
  euro: '€',
  degree: '°',
};

/** The case of short units counts: mW is not MW. */
function toKey(unit: string): string {
  const key = toPlainMath(unit).replace(/\\text ?|[\s.·{}^]/g, '');
  const word = /^[a-z$]{3,}$/i.test(key) ? key.toLowerCase().replace(/(?<=.{3})s$/, '') : key;
  return NAMES[word] ?? word;
}
