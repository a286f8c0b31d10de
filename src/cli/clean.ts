import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { findAbandoned, removeAbandoned } from '../run/workdir.ts';
import { escapeLine, showPath } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { type Command, type CommandContext, parseWords, UsageError } from './command.ts';

/** `pnpm viva clean`: removes run folders and kept answers of EVAL_DIR by age or until they are below a size. */
export const clean: Command = {
  name: 'clean',
  summary:
    'removes old runs and kept answers (--older-than 30d, --larger-than 1g, --dry-run: only say which, or all there is)',
  run: async ({ args, env, print }) => {
    const { 'older-than': age, 'larger-than': size, 'dry-run': dryRun = false } = parseWords(args, OPTIONS, USE).values;
    const isLimited = age !== undefined || size !== undefined;
    if (!isLimited && !dryRun) throw new UsageError(`clean needs to know what to remove, got no limit. ${USE}`);
    const limits = toLimits(age, size);
    const removed = dryRun ? 'would remove' : 'removed';
    const abandoned = findAbandoned(env['TMPDIR']).length;
    if (!dryRun) removeAbandoned(env['TMPDIR']);
    if (abandoned > 0) print(`${removed}  work folders that killed runs have left: ${abandoned}`);
    const dir = resolve(readConfig(env).dir);
    const kept = findKept(dir, env['EVAL_BASELINE']);
    return isLimited ? removeFrom(dir, kept, limits, dryRun, print) : list(dir, kept, print);
  },
};

const OPTIONS = {
  'older-than': { type: 'string' },
  'larger-than': { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

const USE =
  'Use "pnpm viva clean --older-than 30d" or "--larger-than 1g" or both; --dry-run only says what it would do.';

type Print = CommandContext['print'];

function removeFrom(dir: string, kept: readonly Kept[], limits: Limits, dryRun: boolean, print: Print): number {
  const { removals, held } = applyLimits(kept, limits);
  const did = dryRun ? 'would remove' : 'removed';
  const failed = removals.filter((entry) => {
    try {
      if (!dryRun) rmSync(entry.path, { recursive: true });
      print(`${did}  ${describe(entry)}`);
      return false;
    } catch (error) {
      const why = escapeLine(messageOf(error), 400);
      print(`cannot be removed: ${describe(entry)} (${why}). Make it writable, or remove it by hand.`);
      return true;
    }
  });
  const bytes = sumBytes(removals) - sumBytes(failed);
  const left = `${formatBytes(sumBytes(kept) - bytes)} ${dryRun ? 'would be left' : 'left'} in ${showPath(dir)}`;
  print(`${did} ${removals.length - failed.length} of ${kept.length}: ${formatBytes(bytes)}; ${left}${held}`);
  return failed.length === 0 ? 0 : 1;
}

/** Prints all that is kept, the oldest first, and what some limits would remove of it; gives the exit code. */
function list(dir: string, kept: readonly Kept[], print: Print): number {
  for (const entry of kept) print(`${describe(entry)}${entry.held === null ? '' : ` (held: ${entry.held})`}`);
  for (const [age, size] of [['30d'], ['7d'], [undefined, '1g'], [undefined, '100m']]) {
    const words = age === undefined ? `--larger-than ${size}` : `--older-than ${age}`;
    const { removals, held } = applyLimits(kept, toLimits(age, size));
    print(`${words} would remove ${removals.length} of ${kept.length}: ${formatBytes(sumBytes(removals))}${held}`);
  }
  print(`${kept.length} in ${showPath(dir)}: ${formatBytes(sumBytes(kept))}; without a limit nothing is removed`);
  return 0;
}

/** "PATH  1.5 MB, 31 days old". */
function describe({ path, bytes, writtenMs }: Kept): string {
  const hours = Math.max(0, Math.floor((Date.now() - writtenMs) / 3_600_000));
  const age = hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
  return `${showPath(path)}  ${formatBytes(bytes)}, ${age} old`;
}

/** Three figures, in the units of a limit: "1.5 MB". */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${['', 'kB', 'MB', 'GB'][power]}`;
}

/** A run folder or a file of the answer cache. */
type Kept = {
  readonly path: string;
  readonly bytes: number;
  /** When something was last written to it, in ms since 1970. */
  readonly writtenMs: number;
  /** Why it stays whatever the limits, or null. */
  readonly held: string | null;
};

/** What may stay. */
type Limits = { readonly olderThanMs: number; readonly largerThan: number };

const AGE = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const SIZE = { k: 1e3, m: 1e6, g: 1e9 };

/** "30d" and "1.5g" as numbers; without one there is no limit. Throws a UsageError. */
function toLimits(age: string | undefined, size: string | undefined): Limits {
  return {
    olderThanMs: parse('--older-than', age, AGE, 'hours, days or weeks', '12h, 30d or 8w'),
    largerThan: parse('--larger-than', size?.toLowerCase(), SIZE, 'a size', '500m or 1.5g'),
  };
}

type Units = Readonly<Record<string, number>>;

function parse(option: string, text: string | undefined, units: Units, allowed: string, examples: string): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([a-z])$/.exec(text) ?? [];
  const value = Number(count) * (units[unit] ?? Number.NaN);
  if (!Number.isNaN(value)) return value;
  throw new UsageError(`${option} must be ${allowed}, got ${JSON.stringify(text)}. Write it as ${examples}.`);
}

/**
 * What limits remove of entries, the oldest of which is first: everything older than the age, then as much as brings the
 * rest below the size. What is held stays, and counts in the size: `held` says in words what limits name of it.
 */
function applyLimits(kept: readonly Kept[], { olderThanMs, largerThan }: Limits) {
  let left = sumBytes(kept);
  const due = kept.filter(({ bytes, writtenMs, held }) => {
    const isDue = Date.now() - writtenMs > olderThanMs || left > largerThan;
    if (isDue && held === null) left -= bytes;
    return isDue;
  });
  const reasons = due.flatMap(({ held }) => held ?? []);
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => `${reason}: ${length}`);
  const held = counts.length === 0 ? '' : `; ${reasons.length} held (${counts.join(', ')})`;
  return { removals: due.filter((entry) => entry.held === null), held };
}

function sumBytes(entries: readonly Pick<Kept, 'bytes'>[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Names that viva gives: anything else in these folders is the user's. */
const RUN = /^\d{8}T\d{6}Z-[A-Za-z0-9.-]{1,100}$/;
const CACHE_FILE = /^[0-9a-z]{9,12}-\d{1,10}\.jsonl$/;

/** The run folders and the files of the answer cache in an EVAL_DIR, the oldest first. Links are not followed. */
function findKept(dir: string, baseline: string | undefined): readonly Kept[] {
  const runs = entriesOf(join(dir, 'runs')).filter((entry) => entry.isDirectory() && RUN.test(entry.name));
  const suites = entriesOf(join(dir, 'cache')).filter((entry) => entry.isDirectory());
  const answers = suites
    .flatMap((suite) => entriesOf(join(suite.parentPath, suite.name)))
    .filter((entry) => entry.isFile() && CACHE_FILE.test(entry.name));
  const whyHeld = whyHeldIn(dir, baseline);
  return [...runs, ...answers]
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { bytes, writtenMs } = measure(path);
      return { path, bytes, writtenMs, held: whyHeld(path, writtenMs) };
    })
    .sort((a, b) => a.writtenMs - b.writtenMs);
}

function entriesOf(folder: string) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

function measure(path: string): Pick<Kept, 'bytes' | 'writtenMs'> {
  // A run under way makes and renames files meanwhile.
  const own = lstatSync(path, { throwIfNoEntry: false });
  if (own === undefined) return { bytes: 0, writtenMs: 0 };
  if (!own.isDirectory()) return { bytes: own.size, writtenMs: own.mtimeMs };
  const parts = readdirSync(path).map((name) => measure(join(path, name)));
  return {
    bytes: sumBytes(parts),
    writtenMs: Math.max(own.mtimeMs, ...parts.map(({ writtenMs }) => writtenMs)),
  };
}

/**
 * Why an entry stays, or null: the run that `latest` points to, whatever was written since that run began, such as its
 * kept answers, and the run that others are compared with.
 */
function whyHeldIn(dir: string, baseline = ''): (path: string, writtenMs: number) => string | null {
  const link = join(dir, 'latest');
  const isLink = existsSync(link) && lstatSync(link).isSymbolicLink();
  const since = isLink ? lstatSync(link).mtimeMs : Number.POSITIVE_INFINITY;
  const isSame = (path: string, other: string) => existsSync(other) && realpathSync(path) === realpathSync(other);
  return (path, writtenMs) => {
    if (isLink && isSame(path, link)) return 'the latest run';
    if (isSame(path, baseline)) return 'the baseline';
    return writtenMs >= since ? 'written since the latest run began' : null;
  };
}
