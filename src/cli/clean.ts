import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../settings.ts';
import { quote, showPath } from '../words/show.ts';
import { WriteError } from '../words/write-error.ts';
import { type Command, parseWords, UsageError } from './command.ts';

/** `viva clean`: removes old run folders and cached answers of EVAL_DIR. */
export const clean: Command = {
  usage: `--older-than 30d [--dry-run]
  --older-than  the least age of what is removed, in hours, days or weeks: 12h, 30d or 8w
  --dry-run     lists what would be removed, and removes nothing`,
  page: 'results.md#files-of-a-run',
  run: async ({ args, env, print }) => {
    const { 'older-than': age, 'dry-run': dryRun = false } = parseWords(args, OPTIONS).values;
    if (age === undefined) throw new UsageError('--older-than is missing.');
    const oldest = Date.now() - parseAge(age);
    // A wrong setting of a run does not matter here.
    const dir = resolve(readConfig({ EVAL_DIR: env['EVAL_DIR'] }).dir);
    const all = listEntries(dir);
    const due = all.filter((path) => lstatSync(path).mtimeMs < oldest);
    const did = dryRun ? 'would remove' : 'removed';
    for (const path of due) {
      if (!dryRun) remove(path);
      print(`${did}  ${showPath(path)}`);
    }
    print(`${did} ${due.length} of ${all.length} in ${showPath(dir)}`);
    return 0;
  },
};

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true });
  } catch (error) {
    throw new WriteError(path, error, 'removed');
  }
}

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

/** Names that viva gives. Everything else in these folders belongs to the user. */
const RUN = /^\d{8}T\d{6}Z-[A-Za-z0-9.-]{1,100}$/;
/** Of answers, and of what an agent was made of. */
const CACHE_FILE = /^(?:[0-9a-z]{9,12}-\d{1,10}\.jsonl|[0-9a-f]{16}\.json)$/;

/** The run folders and the files of the answer cache in an EVAL_DIR. Links are not followed. */
function listEntries(dir: string): readonly string[] {
  const runs = readFolder(join(dir, 'runs')).filter(
    (entry) => entry.isDirectory() && RUN.test(entry.name),
  );
  const answers = readFolder(join(dir, 'cache'))
    .filter((entry) => entry.isDirectory())
    .flatMap((suite) => readFolder(join(suite.parentPath, suite.name)))
    .filter((entry) => entry.isFile() && CACHE_FILE.test(entry.name));
  return [...runs, ...answers].map(({ parentPath, name }) => join(parentPath, name));
}

function readFolder(folder: string) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}
