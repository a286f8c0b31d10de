import { toOneForm } from '../gaia/one-form.ts';

/** A number with its unit as written, or "" without one. */
export type Quantity = Readonly<{ value: Rational; unit: string }>;

/** Longer texts are not quantities. */
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
  if (!NUMBER_START.test(whole)) return null;
  for (let end = whole.length; end > 0; end--) {
    const unit = toUnit(whole.slice(end));
    const value = unit === null ? null : readNumber(whole.slice(0, end));
    if (unit === null || value === null || isOtherUnit(currency, unit.name)) continue;
    return {
      value: times(value, { top: 10n ** unit.zeros, bottom: 1n }),
      unit: currency === '' ? unit.name : currency,
    };
  }
  return null;
}

/** The start of whatever `readNumber` reads. A fraction may have a sign of its own. */
const NUMBER_START = /^[+\s-]*(?:[\d.]|\\frac)/;

/** Whether a quantity has a sign of currency and another unit: "$5 km". */
function isOtherUnit(currency: string, unit: string): boolean {
  return currency !== '' && unit !== '' && !isSameUnit(currency, unit);
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

const SCALE = new RegExp(`^ {0,2}(${Object.keys(ZEROS).join('|')})(?![a-z])`, 'i');

/**
 * The unit after a number, with the zeros of "million" and the like. Null if the text is not a unit.
 */
export function toUnit(text: string): Readonly<{ name: string; zeros: bigint }> | null {
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
    'times|dozen|score|mod|percentage points?|is|are|was|were|would|should',
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
  pct: '%',
  prozent: '%',
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

/**
 * Mathematics in one spelling: the signs of Unicode as LaTeX, LaTeX without spacing, sizes and
 * delimiters, and every command for text as `\text`. `\$` becomes `$`, degrees become `°`.
 */
export function toPlainMath(text: string): string {
  if (!SPELT_OTHERWISE.test(text)) return text.trim();
  return dropDelimiters(toOneForm(text))
    .replace(/\\math(?:rm|it|bf|sf) ?\{ ?([A-Za-z]) ?\}/g, '$1')
    .replace(/(?:,\\!|\{,\}) ?(?=\d)/g, ',')
    .replace(/&(lt|gt|le|ge|ne);/g, '\\$1 ')
    .replace(/\\not ?=/g, '\\ne ')
    .replace(/[！-～𝐀-𝟿]/gu, (sign) => sign.normalize('NFKC'))
    .replace(/[０-９¼-¾⅐-⅞]/g, (sign) =>
      sign.normalize('NFKC').replace(/^(\d+)⁄(\d+)$/, '\\frac{$1}{$2}'),
    )
    .replace(/[⁻⁰¹²³⁴-⁹]+/g, (power) => `^{${power.normalize('NFKC').replace('\u2212', '-')}}`)
    .replace(/[₀-₉]+/g, (index) => `_{${index.normalize('NFKC')}}`)
    .replace(/\\(?:[A-Za-z]+|[^A-Za-z])|[~−×·⋅÷⁄√∛∜π∞∪∈≠≤≥⩽⩾≦≧±≈∅\u00a0\u2009\u202f]/g, toSpelling)
    .replace(/\^ ?(?:\\circ|\{ ?\\circ ?\})/g, '°')
    .replace(/^–/, '-')
    .trim();
}

/** Signs without which a text has the spelling already, as most numbers and units. */
const SPELT_OTHERWISE = /[\\$&{~]|[^\n -~]/;

/** The dollar signs around formulas. One alone is a currency, also within such signs: "$$5$". */
function dropDelimiters(text: string): string {
  const count = text.match(/\\\$|\$/g)?.filter((sign) => sign === '$').length ?? 0;
  if (count % 2 === 1) return count > 1 ? text.replace(/^\$([\s\S]*)\$$/, '$1') : text;
  return text.replace(/\\\$|\$/g, (sign) => (sign === '$' ? '' : sign));
}

/** Each spelling with the signs and commands that mean it. */
const SPELLINGS: Readonly<Record<string, string>> = {
  '\\text':
    'text textbf textit textrm textsf texttt textnormal mathrm mathbf mathit mathsf mbox operatorname',
  '': 'left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle boxed fbox framebox , ! ( ) [ ]',
  ' ': '; : > quad qquad ~ \u00a0 \u2009 \u202f',
  '\\frac': 'dfrac tfrac cfrac',
  '\\{': 'lbrace',
  '\\}': 'rbrace',
  '\\ne ': 'neq ≠',
  '\\le ': 'leq leqslant leqq ≤ ⩽ ≦',
  '\\ge ': 'geq geqslant geqq ≥ ⩾ ≧',
  '<': 'lt',
  '>': 'gt',
  '(': 'langle',
  ')': 'rangle',
  '\\emptyset ': 'varnothing ∅',
  '°': 'degree',
  '-': '−',
  '/': '÷ ⁄',
  '\\times ': '×',
  '\\cdot ': '· ⋅',
  '\\sqrt ': '√',
  '\\sqrt[3] ': '∛',
  '\\sqrt[4] ': '∜',
  '\\pi ': 'π',
  '\\infty ': '∞',
  '\\cup ': '∪',
  '\\in ': '∈',
  '\\pm ': '±',
  '\\approx ': '≈',
};

const SPELLING_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([spelling, names]) =>
    names.split(' ').map((name) => [name, spelling]),
  ),
);

function toSpelling(written: string): string {
  const name = written.replace(/^\\/, '');
  return /^\\[$%&#_ ]$/.test(written) ? name : (SPELLING_OF.get(name) ?? written);
}

/** An exact number: a fraction with a positive denominator, not reduced. */
export type Rational = Readonly<{ top: bigint; bottom: bigint }>;

/** Longer texts are not read: the work for n digits grows faster than n. */
const MOST_DIGITS = 400;

/**
 * Reads a number exactly: 1,234.5, 1 234, 1e3, 1.5 x 10^3, 3/4, \frac{3}{4}, 1 3/4, 0.\overline{3}.
 * Null for any other text. The text has the spelling of `toPlainMath`.
 */
export function readNumber(text: string): Rational | null {
  if (text.length > MOST_DIGITS) return null;
  const [, sign, size = ''] = /^([+-]?)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const read = readMixed(size) ?? readFraction(size) ?? readDecimal(size);
  return read !== null && sign === '-' ? { ...read, top: -read.top } : read;
}

export function isSame(a: Rational, b: Rational): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

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
