import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { findAbandoned, removeAbandoned } from '../run/workdir.ts';
import { escapeLine } from '../text/show.ts';
import { plural } from '../text/wording.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

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
    print(`cannot be removed: ${what} (${escapeLine(reason, 400)}). Make it writable, or remove it by hand.`);
    return false;
  }
}

/** What an EVAL_DIR keeps of earlier runs. */
type Store = {
  readonly dir: string;
  readonly kept: readonly Kept[];
  /** Why an entry stays whatever the limits, or null. */
  whyHeld(entry: Kept): string | null;
  readonly nowMs: number;
};

/** What limits remove; and in words, behind a semicolon, what they would remove were it not held. */
function applyLimits({ kept, whyHeld, nowMs }: Store, limits: Limits) {
  const removals = chooseRemovals(kept, limits, nowMs, (entry) => whyHeld(entry) !== null);
  const named = chooseRemovals(kept, limits, nowMs, () => false);
  const reasons = named.flatMap((entry) => whyHeld(entry) ?? []);
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => `${reason}: ${length}`);
  return { removals, held: counts.length === 0 ? '' : `; ${reasons.length} held (${counts.join(', ')})` };
}

const MS_OF = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

const BYTES_OF = { k: 1e3, m: 1e6, g: 1e9 } as const;

const EXAMPLES = [
  ['--older-than 30d', { olderThanMs: parseAge('30d'), largerThan: null }],
  ['--older-than 7d', { olderThanMs: parseAge('7d'), largerThan: null }],
  ['--larger-than 1g', { olderThanMs: null, largerThan: parseSize('1g') }],
  ['--larger-than 100m', { olderThanMs: null, largerThan: parseSize('100m') }],
] as const;

/** Prints all that is kept, the oldest first, and what some limits would remove of it; gives the exit code. */
function listStore(store: Store, print: CommandContext['print']): number {
  const { dir, kept, whyHeld, nowMs } = store;
  for (const entry of kept.toSorted((a, b) => a.writtenMs - b.writtenMs)) {
    const why = whyHeld(entry);
    print(`${describeEntry(entry, nowMs)}${why === null ? '' : ` (held: ${why})`}`);
  }
  for (const [words, limits] of EXAMPLES) {
    const { removals, held } = applyLimits(store, limits);
    print(`${words} would remove ${removals.length} of ${kept.length}: ${formatBytes(sumBytes(removals))}${held}`);
  }
  print(`${kept.length} in ${showPath(dir)}: ${formatBytes(sumBytes(kept))}; without a limit nothing is removed`);
  return 0;
}

/** "PATH  1.5 MB, 31 days old". */
function describeEntry({ path, bytes, writtenMs }: Kept, nowMs: number): string {
  return `${showPath(path)}  ${formatBytes(bytes)}, ${formatAge(nowMs - writtenMs)} old`;
}

/** Relative to where the user is. */
function showPath(path: string): string {
  return escapeLine(relative('', path) || '.', 400);
}

function sumBytes(entries: readonly Kept[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A run folder or a file of the answer cache. */
export type Kept = {
  readonly path: string;
  readonly bytes: number;
  /** When something was last written to it, in ms since 1970. */
  readonly writtenMs: number;
};

/** What may stay; null sets no limit. */
export type Limits = {
  readonly olderThanMs: number | null;
  readonly largerThan: number | null;
};

/**
 * What to remove, oldest first: everything older than the age, then as much as brings the rest down to the size.
 * `isHeld` names what must stay whatever its age; it counts in the size.
 */
export function chooseRemovals(
  kept: readonly Kept[],
  { olderThanMs, largerThan }: Limits,
  nowMs: number,
  isHeld: (entry: Kept) => boolean,
): readonly Kept[] {
  const oldestFirst = kept.toSorted((a, b) => a.writtenMs - b.writtenMs);
  let left = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0);
  return oldestFirst.filter((entry) => {
    const tooOld = olderThanMs !== null && nowMs - entry.writtenMs > olderThanMs;
    const tooMuch = largerThan !== null && left > largerThan;
    if (isHeld(entry) || !(tooOld || tooMuch)) return false;
    left -= entry.bytes;
    return true;
  });
}

/** "30d" in ms; h, d and w are hours, days and weeks. Throws a UsageError. */
export function parseAge(text: string): number {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return Number(count) * MS_OF[unit];
  throw new UsageError(
    `--older-than must be hours, days or weeks, got ${JSON.stringify(text)}. Write it as 12h, 30d or 8w.`,
  );
}

/** "1g" in bytes; k, m and g are thousands, millions and thousand millions. Throws a UsageError. */
export function parseSize(text: string): number {
  const [, count, unit] = /^(\d{1,9}(?:\.\d{1,3})?)([kmg])$/i.exec(text) ?? [];
  const letter = unit?.toLowerCase();
  if (letter === 'k' || letter === 'm' || letter === 'g') return Number(count) * BYTES_OF[letter];
  throw new UsageError(`--larger-than must be a size, got ${JSON.stringify(text)}. Write it as 500m or 1.5g.`);
}

/** "1.5 MB": three figures at most, in the units of `parseSize`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  if (bytes < 999_500) return `${round(bytes / 1e3)} kB`;
  return bytes < 999_500_000 ? `${round(bytes / 1e6)} MB` : `${round(bytes / 1e9)} GB`;
}

/** "31 days", "5 hours". */
export function formatAge(ms: number): string {
  const hours = Math.max(0, Math.floor(ms / MS_OF.h));
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}

function round(value: number): string {
  return value < 99.95 ? value.toFixed(1) : value.toFixed(0);
}

/** Names that viva gives: anything else in these folders is the user's, and is no leftover. */
const RUN = /^\d{8}T\d{6}Z-[A-Za-z0-9.-]{1,100}$/;
const CACHE_FILE = /^[0-9a-z]{9,12}-\d{1,10}\.jsonl$/;

/** The run folders and the files of the answer cache in an EVAL_DIR. Links are left alone, and not followed. */
function findKept(dir: string): readonly Kept[] {
  const runs = entriesOf(join(dir, 'runs')).filter((entry) => entry.isDirectory() && RUN.test(entry.name));
  const suites = entriesOf(join(dir, 'cache')).filter((entry) => entry.isDirectory());
  const answers = suites
    .flatMap((suite) => entriesOf(join(suite.parentPath, suite.name)))
    .filter((entry) => entry.isFile() && CACHE_FILE.test(entry.name));
  return [...runs, ...answers].map(({ parentPath, name }) => measure(join(parentPath, name)));
}

/** What `latest` points to, and since when; null when there is no such link. */
function findLatest(dir: string): { readonly path: string; readonly sinceMs: number } | null {
  const link = join(dir, 'latest');
  if (!existsSync(link) || !lstatSync(link).isSymbolicLink()) return null;
  return { path: realpathSync(link), sinceMs: lstatSync(link).mtimeMs };
}

function entriesOf(folder: string) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

function measure(path: string): Kept {
  // A run under way makes and renames files meanwhile.
  const own = lstatSync(path, { throwIfNoEntry: false });
  if (own === undefined) return { path, bytes: 0, writtenMs: 0 };
  if (!own.isDirectory()) return { path, bytes: own.size, writtenMs: own.mtimeMs };
  const parts = readdirSync(path).map((name) => measure(join(path, name)));
  return {
    path,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    writtenMs: Math.max(own.mtimeMs, ...parts.map(({ writtenMs }) => writtenMs)),
  };
}

/**
 * Why an entry stays, or null: what `latest` points to stays, and so does whatever was written since that run began, its
 * kept answers among it; and the run that others are compared with.
 */
export function whyHeldIn(dir: string, baseline: string | undefined): (entry: Kept) => string | null {
  const latest = findLatest(dir);
  return ({ path, writtenMs }) => {
    if (isSame(path, latest?.path)) return 'the latest run';
    if (isSame(path, baseline)) return 'the baseline';
    return latest !== null && writtenMs >= latest.sinceMs ? 'written since the latest run began' : null;
  };
}

function isSame(path: string, other: string | undefined): boolean {
  return other !== undefined && existsSync(path) && existsSync(other) && realpathSync(path) === realpathSync(other);
}
