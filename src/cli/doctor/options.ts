import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

/** Throws a UsageError for a word that is no option of the doctor. */
export function assertOptions(args: readonly string[]): void {
  try {
    parseOptions(args);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${message}. Use "pnpm viva doctor" or "pnpm viva doctor --yes".`, { cause });
  }
}

/** Whether the user agreed beforehand to calls that may cost money. */
export function isAgreed(args: readonly string[]): boolean {
  return parseOptions(args).yes === true;
}

function parseOptions(args: readonly string[]) {
  return parseArgs({ args: [...args], options: { yes: { type: 'boolean', short: 'y' } } }).values;
}
