/**
 * The values of an EVAL_* setting or of a model's parameter. `parse` returns undefined for a text
 * that is not allowed.
 */
export type ValueParser<T> = {
  /** The allowed values in words, after "must be". */
  readonly allowed: string;
  parse(text: string): T | undefined;
};

/** A decimal number between bounds, without sign or exponent. `what` names its unit. */
export function numberFrom(least: number, most: number, what = 'a number'): ValueParser<number> {
  return bounded(/^(?:\d{1,15}|(?=\.))(?:\.\d{1,20})?$/, least, most, what);
}

/** A whole number between bounds. The default maximum is more than any count of tokens. */
export function wholeNumber(least: number, most = 1_000_000_000): ValueParser<number> {
  return bounded(/^\d{1,15}$/, least, most, 'a whole number');
}

function bounded(form: RegExp, least: number, most: number, what: string): ValueParser<number> {
  return {
    allowed: `${what} from ${least} to ${most}`,
    parse: (text) => {
      const value = form.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

export const SEED: ValueParser<number> = {
  ...wholeNumber(0, 999_999_999_999_999),
  allowed: 'a whole number of at most 15 digits',
};

export function oneOf<const T extends string>(...values: readonly T[]): ValueParser<T> {
  return {
    allowed: values.join(', ').replace(/, ([^,]*)$/, ' or $1'),
    parse: (text) => values.find((value) => value === text),
  };
}

/** The switch of a parameter, as in `stream=on`. */
export function onOff(): ValueParser<boolean> {
  return {
    allowed: 'on or off',
    parse: (text) => (['on', 'off'].includes(text) ? text === 'on' : undefined),
  };
}

/** The switch of a setting, as in EVAL_STREAM=1. */
export function flag(): ValueParser<boolean> {
  return {
    allowed: '1 or 0',
    parse: (text) =>
      /^(?:1|0|true|false)$/.test(text) ? text === '1' || text === 'true' : undefined,
  };
}

/** A list with commas whose parts are all valid. */
export function listOf(
  allowed: string,
  isValid: (part: string) => boolean,
): ValueParser<readonly string[]> {
  return {
    allowed,
    parse: (text) => {
      const parts = text.split(',').map((part) => part.trim());
      return parts.every(isValid) ? parts : undefined;
    },
  };
}

/** A path, and the name of the suite that it is for if one is given. */
export type PathOfSuite = Readonly<{ suite: string | null; path: string }>;

/** Paths separated by commas, each with the name of a suite and "=" before it if wanted. */
export function pathsOfSuites(allowed: string): ValueParser<readonly PathOfSuite[]> {
  return {
    allowed,
    parse: (text) => {
      const paths = text.split(',').map((part) => {
        const [, suite = null, path = ''] = /^(?:([^=]*)=)?(.*)$/.exec(part) ?? [];
        return { suite: suite?.trim() ?? null, path: path.trim() };
      });
      return paths.every(({ suite, path }) => suite !== '' && path !== '') ? paths : undefined;
    },
  };
}

export function anyText(allowed: string): ValueParser<string> {
  return { allowed, parse: (text) => text };
}

/** A server's address. One with a user or password is refused, since reports show the address. */
export function serverUrl(): ValueParser<string> {
  return {
    allowed: 'an http or https address without user and password',
    parse: (text) => {
      const url = URL.parse(text);
      const isWeb = url !== null && /^https?:$/.test(url.protocol);
      return isWeb && url.username + url.password === '' ? text : undefined;
    },
  };
}
