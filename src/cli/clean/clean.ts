import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { toVisible } from '../../text/visible-text.ts';
import { findAbandoned, removeAbandoned } from '../../trial/abandoned-workdirs.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { formatBytes, parseAge, parseSize } from './amounts.ts';
import type { Kept, Limits } from './choose-removals.ts';
import { findKept } from './find-kept.ts';
import { whyHeldIn } from './is-held.ts';
import { applyLimits, describeEntry, listStore, type Store, showPath, sumBytes } from './store.ts';

/** `pnpm viva clean`: removes run folders and kept answers of EVAL_DIR by age or until they are below a size. */
export const clean: Command = {
  name: 'clean',
  summary:
    'removes old runs and kept answers (--older-than 30d, --larger-than 1g, --dry-run: only say which, or all there is)',
  run: async ({ args, env, print }) => {
    const { dryRun, ...limits } = parseOptions(args);
    const dir = resolve(readConfig(env).dir);
    removeWorkdirs(env['TMPDIR'], dryRun, print);
    const store: Store = { dir, kept: findKept(dir), whyHeld: whyHeldIn(dir, env['EVAL_BASELINE']), nowMs: Date.now() };
    if (limits.olderThanMs === null && limits.largerThan === null) return listStore(store, print);
    return removeFrom(store, limits, dryRun, print);
  },
};

type Print = CommandContext['print'];

/** What killed runs left of attachments goes in any case. */
function removeWorkdirs(temporary: string | undefined, dryRun: boolean, print: Print): void {
  const abandoned = findAbandoned(temporary);
  if (abandoned.length === 0) return;
  if (!dryRun) removeAbandoned(temporary);
  print(`${dryRun ? 'would remove' : 'removed'}  work folders that killed runs have left: ${abandoned.length}`);
}

function removeFrom(store: Store, limits: Limits, dryRun: boolean, print: Print): number {
  const { dir, kept, nowMs } = store;
  const { removals, held } = applyLimits(store, limits);
  const failed = removals.filter((entry) => !remove(entry, nowMs, dryRun, print));
  const removed = sumBytes(removals) - sumBytes(failed);
  const count = `${removals.length - failed.length} of ${kept.length}`;
  const left = `${formatBytes(sumBytes(kept) - removed)} ${dryRun ? 'would be left' : 'left'}`;
  print(`${dryRun ? 'would remove' : 'removed'} ${count}: ${formatBytes(removed)}; ${left} in ${showPath(dir)}${held}`);
  return failed.length === 0 ? 0 : 1;
}

/** Without a limit only a dry run is allowed: it lists what there is. */
function parseOptions(args: readonly string[]): Limits & { readonly dryRun: boolean } {
  const { 'older-than': age, 'larger-than': size, 'dry-run': dryRun = false } = readOptions(args);
  if (age === undefined && size === undefined && !dryRun) {
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
function remove(entry: Kept, nowMs: number, dryRun: boolean, print: Print): boolean {
  const what = describeEntry(entry, nowMs);
  try {
    if (!dryRun) rmSync(entry.path, { recursive: true });
    print(`${dryRun ? 'would remove' : 'removed'}  ${what}`);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print(`cannot be removed: ${what} (${toVisible(reason, 400)}). Make it writable, or remove it by hand.`);
    return false;
  }
}
