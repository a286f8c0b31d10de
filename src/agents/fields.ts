import type { Usage } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import { nameCounts } from './token-names.ts';

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
   * Tokens by viva's names or as an SDK returns them, where the input includes what was cached.
   * Undefined where an SDK does not know them; input and output are required otherwise.
   */
  usage(): Usage | undefined {
    const value = this.read('usage', 'an object', isFields);
    if (value === undefined) return undefined;
    const { counts, nameOf, isInputUncached } = nameCounts(value);
    const { input_tokens = null, output_tokens = null } = counts;
    if (input_tokens === null && output_tokens === null && 'input_tokens' in counts)
      return undefined;
    const refuse = (name: string, allowed: string, found: unknown) =>
      this.#refuse(nameOf(name), allowed, found);
    const named = new Fields(counts, refuse);
    const required = (name: string) => {
      const count = named.count(name);
      if (count === undefined) throw refuse(name, 'a number when "usage" is given', count);
      return count;
    };
    const cached_tokens = named.count('cached_tokens') ?? 0;
    const written = named.count('cache_write_tokens') ?? 0;
    return {
      input_tokens: required('input_tokens') + (isInputUncached ? cached_tokens + written : 0),
      output_tokens: required('output_tokens'),
      cached_tokens,
      reasoning_tokens: named.count('reasoning_tokens') ?? 0,
      ...(written > 0 && { cache_write_tokens: written }),
    };
  }
}
