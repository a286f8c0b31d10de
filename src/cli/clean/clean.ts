import { rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { toVisible } from '../../visible-text.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { formatAge, formatBytes, parseAge, parseSize } from './amounts.ts';
import { chooseRemovals, type Kept, type Limits } from './choose-removals.ts';
import { findKept } from './find-kept.ts';
import { isHeldIn } from './is-held.ts';

/** `pnpm viva clean`: removes run folders and kept answers of EVAL_DIR by age or until they are below a size. */
export const clean: Command = {
  name: 'clean',
  summary: 'removes old runs and kept answers (--older-than 30d, --larger-than 1g, --dry-run: only say which)',
  run: async ({ args, env, print }) => {
    const { dryRun, ...limits } = parseOptions(args);
    const dir = resolve(readConfig(env).dir);
    const kept = findKept(dir);
    const removals = chooseRemovals(kept, limits, Date.now(), isHeldIn(dir, env['EVAL_BASELINE']));
    const failed = removals.filter((entry) => !remove(entry, dryRun, print));
    const removed = sumBytes(removals) - sumBytes(failed);
    const count = `${removals.length - failed.length} of ${kept.length}`;
    const left = `${formatBytes(sumBytes(kept) - removed)} ${dryRun ? 'would be left' : 'left'}`;
    print(`${dryRun ? 'would remove' : 'removed'} ${count}: ${formatBytes(removed)}; ${left} in ${show(dir)}`);
    return failed.length === 0 ? 0 : 1;
  },
};

function parseOptions(args: readonly string[]): Limits & { readonly dryRun: boolean } {
  const { 'older-than': age, 'larger-than': size, 'dry-run': dryRun = false } = readOptions(args);
  if (age === undefined && size === undefined) {
    throw new UsageError(`clean needs to know what to remove, got no limit. Use ${FORMS}.`);
  }
  return {
    olderThanMs: age === undefined ? null : parseAge(age),
    largerThan: size === undefined ? null : parseSize(size),
    dryRun,
  };
}

const FORMS = '"pnpm viva clean --older-than 30d" or "--larger-than 1g" or both; --dry-run only says what it would do';

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'older-than': { type: 'string' },
        'larger-than': { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : String(cause)}. Use ${FORMS}.`, { cause });
  }
}

/** False when the entry could not be removed, which is printed. */
function remove({ path, bytes, writtenMs }: Kept, dryRun: boolean, print: CommandContext['print']): boolean {
  const what = `${show(path)}  ${formatBytes(bytes)}, ${formatAge(Date.now() - writtenMs)} old`;
  try {
    if (!dryRun) rmSync(path, { recursive: true });
    print(`${dryRun ? 'would remove' : 'removed'}  ${what}`);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print(`cannot be removed: ${what} (${toVisible(reason, 400)}). Make it writable, or remove it by hand.`);
    return false;
  }
}

/** Relative to where the user is. */
function show(path: string): string {
  return toVisible(relative('', path) || '.', 400);
}

function sumBytes(entries: readonly Kept[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
