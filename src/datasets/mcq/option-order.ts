import { hash } from 'node:crypto';
import { isAllStatement, isNoneStatement } from '../../scoring/mcq/all-none.ts';
import { shuffle } from '../seeded-shuffle.ts';

/**
 * Options in an order that follows from a text alone: shuffled with the first 32 bits of its SHA-256 as the seed.
 * "All of the above" and its like come last, where they are true of the same options as before.
 */
export function orderOptions<T extends object>(
  options: readonly T[],
  textOf: (option: T) => string,
  key: string,
): readonly T[] {
  const closing = options.filter((option) => isClosing(textOf(option)));
  const others = options.filter((option) => !closing.includes(option));
  return [...shuffle(others, Number.parseInt(hash('sha256', key).slice(0, 8), 16)), ...closing];
}

/** Whether an option speaks of all others. */
export function isClosing(text: string): boolean {
  return isAllStatement(text) || isNoneStatement(text);
}
