/** How the text of one environment variable becomes a value; `parse` gives undefined for a text that is not allowed. */
export type Parser<T> = {
  readonly allowed: string;
  parse(text: string): T | undefined;
};

/** Any text. */
export function text(allowed: string): Parser<string> {
  return { allowed, parse: (value) => value };
}

/** One of a few words. */
export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return { allowed: values.join(' or '), parse: (value) => values.find((known) => known === value) };
}

/** Parts between commas, each of a form. */
export function list(allowed: string, pattern: RegExp): Parser<readonly string[]> {
  return {
    allowed,
    parse: (value) => {
      const parts = value.split(',').map((part) => part.trim());
      return parts.every((part) => pattern.test(part)) ? parts : undefined;
    },
  };
}

/** A whole number within bounds. */
export function integer(least: number, most: number): Parser<number> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    parse: (value) => within(/^\d{1,15}$/.test(value) ? Number(value) : Number.NaN, least, most),
  };
}

/** A decimal number within bounds, without sign or exponent; `what` names its unit. */
export function number(what: string, least: number, most: number): Parser<number> {
  return {
    allowed: `${what} from ${least} to ${most}`,
    parse: (value) =>
      within(/^\d{1,15}(\.\d{1,20})?$|^\.\d{1,20}$/.test(value) ? Number(value) : Number.NaN, least, most),
  };
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

/** Yes or no. */
export function flag(): Parser<boolean> {
  return {
    allowed: '1 or 0',
    parse: (value) =>
      value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : undefined,
  };
}
