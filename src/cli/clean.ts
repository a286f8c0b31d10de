import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { findAbandoned, removeAbandoned } from '../run/workdir.ts';
import { findRun } from '../store/find-run.ts';
import { escapeLine, quote, showPath } from '../text/show.ts';
import { messageOf, tryOrUndefined } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { type Command, type CommandContext, parseWords, UsageError } from './command.ts';

/** `viva clean`: removes old run folders and cached answers of EVAL_DIR. */
export const clean: Command = {
  name: 'clean',
  summary: 'removes old runs and cached answers',
  usage:
    '[--older-than 30d] [--dry-run], where --dry-run removes nothing; without an age it lists everything',
  run: async ({ args, env, print }) => {
    const { 'older-than': age, 'dry-run': dryRun = false } = parseWords(args, OPTIONS).values;
    if (age === undefined && !dryRun)
      throw new UsageError('clean needs --older-than or --dry-run, got none.');
    const olderThanMs = age === undefined ? null : parseAge(age);
    const did = dryRun ? 'would remove' : 'removed';
    const abandoned = (await findAbandoned(env['TMPDIR'])).length;
    if (!dryRun) await removeAbandoned(env['TMPDIR']);
    if (abandoned > 0) print(`${did}  work folders of killed runs: ${abandoned}`);
    // A wrong setting of a run does not matter here.
    const dir = resolve(readConfig({ EVAL_DIR: env['EVAL_DIR'] }).dir);
    const entries = findEntries(dir, env['EVAL_BASELINE']);
    if (olderThanMs !== null) return removeFrom(dir, entries, olderThanMs, dryRun, print);
    for (const entry of entries)
      print(
        `${describe(entry)}${entry.keptBecause === null ? '' : ` (not removed: ${entry.keptBecause})`}`,
      );
    print(
      `${entries.length} in ${showPath(dir)}: ${formatBytes(sumBytes(entries))}; without an age nothing is removed`,
    );
    return 0;
  },
};

const OPTIONS = {
  'older-than': { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

const AGES: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** "30d" in ms. Throws a UsageError. */
function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([a-z])$/.exec(text) ?? [];
  const value = Number(count) * (AGES[unit] ?? Number.NaN);
  if (!Number.isNaN(value)) return value;
  throw new UsageError(
    `--older-than must be hours, days or weeks, such as 12h, 30d or 8w, got ${quote(text)}.`,
  );
}

/** A run folder or a file of the answer cache. */
type Entry = {
  readonly path: string;
  readonly bytes: number;
  /** Time of the last write, in ms since 1970. */
  readonly writtenMs: number;
  /** Why it must stay, whatever its age, or null. */
  readonly keptBecause: string | null;
};

/** Names that viva gives. Everything else in these folders belongs to the user. */
const RUN = /^\d{8}T\d{6}Z-[A-Za-z0-9.-]{1,100}$/;
const CACHE_FILE = /^[0-9a-z]{9,12}-\d{1,10}\.jsonl$/;

/**
 * The run folders and the files of the answer cache in an EVAL_DIR, the oldest first. Links are not
 * followed.
 */
function findEntries(dir: string, baseline: string | undefined): readonly Entry[] {
  const runs = readFolder(join(dir, 'runs')).filter(
    (entry) => entry.isDirectory() && RUN.test(entry.name),
  );
  const suites = readFolder(join(dir, 'cache')).filter((entry) => entry.isDirectory());
  const answers = suites
    .flatMap((suite) => readFolder(join(suite.parentPath, suite.name)))
    .filter((entry) => entry.isFile() && CACHE_FILE.test(entry.name));
  const reasonToKeep = findReasons(dir, baseline);
  return [...runs, ...answers]
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { bytes, writtenMs } = measure(path);
      return { path, bytes, writtenMs, keptBecause: reasonToKeep(path) };
    })
    .sort((a, b) => a.writtenMs - b.writtenMs);
}

function readFolder(folder: string) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

function measure(path: string): Pick<Entry, 'bytes' | 'writtenMs'> {
  // A run may make and rename files at the same time.
  const own = lstatSync(path, { throwIfNoEntry: false });
  if (own === undefined) return { bytes: 0, writtenMs: 0 };
  if (!own.isDirectory()) return { bytes: own.size, writtenMs: own.mtimeMs };
  const parts = readdirSync(path).map((name) => measure(join(path, name)));
  return {
    bytes: sumBytes(parts),
    writtenMs: Math.max(own.mtimeMs, ...parts.map(({ writtenMs }) => writtenMs)),
  };
}

/** Why an entry must stay, or null. */
function findReasons(dir: string, baseline = ''): (path: string) => string | null {
  const latest = tryOrUndefined(() => realpathSync(join(dir, 'latest')));
  const kept =
    baseline === '' ? undefined : tryOrUndefined(() => findRun(baseline, dir, 'EVAL_BASELINE'));
  return (path) => {
    const real = realpathSync(path);
    if (real === latest) return 'the latest run';
    return real === kept ? 'the baseline' : null;
  };
}

function removeFrom(
  dir: string,
  entries: readonly Entry[],
  olderThanMs: number,
  dryRun: boolean,
  print: CommandContext['print'],
): number {
  const due = entries.filter(({ writtenMs }) => Date.now() - writtenMs > olderThanMs);
  const removals = due.filter(({ keptBecause }) => keptBecause === null);
  const kept = [...new Set(due.flatMap(({ keptBecause }) => keptBecause ?? []))].join(', ');
  const did = dryRun ? 'would remove' : 'removed';
  const failed = removals.filter((entry) => {
    try {
      if (!dryRun) rmSync(entry.path, { recursive: true });
      print(`${did}  ${describe(entry)}`);
      return false;
    } catch (error) {
      const why = escapeLine(messageOf(error), 400);
      print(
        `cannot be removed: ${describe(entry)} (${why}). Make it writable, or remove it by hand.`,
      );
      return true;
    }
  });
  const bytes = sumBytes(removals) - sumBytes(failed);
  const left = `${formatBytes(sumBytes(entries) - bytes)} ${dryRun ? 'would be left' : 'left'} in ${showPath(dir)}`;
  print(
    `${did} ${removals.length - failed.length} of ${entries.length}: ${formatBytes(bytes)}; ${left}${kept === '' ? '' : `; kept: ${kept}`}`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** "PATH  1.5 MB, 31 days old". */
function describe({ path, bytes, writtenMs }: Entry): string {
  const hours = Math.max(0, Math.floor((Date.now() - writtenMs) / 3_600_000));
  const age = hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
  return `${showPath(path)}  ${formatBytes(bytes)}, ${age} old`;
}

/** Three figures: "1.5 MB". */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${['', 'kB', 'MB', 'GB'][power]}`;
}

function sumBytes(entries: readonly Pick<Entry, 'bytes'>[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
