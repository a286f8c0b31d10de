import type { Usage } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';

/** No request has more tokens, so a higher number is a mistake. */
const MAX_COUNT = 1_000_000_000;

export function isCount(value: unknown, most = MAX_COUNT): value is number {
  return typeof value === 'number' && value >= 0 && value <= most;
}

export function isWhole(value: unknown): value is number {
  return isCount(value) && Number.isInteger(value);
}

/**
 * The fields of an object that a user wrote. Null counts as absent; a mistyped field is refused.
 */
export class Fields {
  readonly #value: object;
  readonly #refuse: (name: string, allowed: string, value: unknown) => Error;

  constructor(value: object, refuse: (name: string, allowed: string, value: unknown) => Error) {
    this.#value = value;
    this.#refuse = refuse;
  }

  read<T>(name: string, allowed: string, accepts: (value: unknown) => value is T): T | undefined {
    const value: unknown = Reflect.get(this.#value, name) ?? undefined;
    if (value === undefined || accepts(value)) return value;
    throw this.#refuse(name, allowed, value);
  }

  text(name: string): string | undefined {
    return this.read(name, 'a string', (value) => typeof value === 'string');
  }

  count(name: string, most = MAX_COUNT): number | undefined {
    const value: unknown = Reflect.get(this.#value, name) ?? undefined;
    if (value === undefined || isCount(value, most)) return value;
    // Predictions have four counts each, and formatting a number is slow.
    throw this.#refuse(name, `a number from 0 to ${most.toLocaleString('en-US')}`, value);
  }

  /**
   * Input and output are required unless `isWhole` is false: counts under another provider's names
   * would become 0.
   */
  usage({ isWhole = true } = {}): Usage | undefined {
    const value = this.read('usage', 'an object', isFields);
    if (value === undefined) return undefined;
    const counts = new Fields(value, this.#refuse);
    const tokens = (name: string) => {
      const count = counts.count(name);
      if (count === undefined && isWhole)
        throw this.#refuse(name, 'a number when "usage" is given', count);
      return count ?? 0;
    };
    return {
      input_tokens: tokens('input_tokens'),
      output_tokens: tokens('output_tokens'),
      cached_tokens: counts.count('cached_tokens') ?? 0,
      reasoning_tokens: counts.count('reasoning_tokens') ?? 0,
    };
  }
}
