import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Kept } from './choose-removals.ts';

/** Names that viva gives: anything else in these folders is the user's, and is no leftover. */
const RUN = /^\d{8}T\d{6}Z-[A-Za-z0-9.-]{1,100}$/;
const CACHE_FILE = /^[0-9a-z]{9,12}-\d{1,10}\.jsonl$/;

/** The run folders and the files of the answer cache in an EVAL_DIR. Links are left alone, and not followed. */
export function findKept(dir: string): readonly Kept[] {
  const runs = entriesOf(join(dir, 'runs')).filter((entry) => entry.isDirectory() && RUN.test(entry.name));
  const suites = entriesOf(join(dir, 'cache')).filter((entry) => entry.isDirectory());
  const answers = suites
    .flatMap((suite) => entriesOf(join(suite.parentPath, suite.name)))
    .filter((entry) => entry.isFile() && CACHE_FILE.test(entry.name));
  return [...runs, ...answers].map(({ parentPath, name }) => measure(join(parentPath, name)));
}

/** What `latest` points to, and since when; null when there is no such link. */
export function findLatest(dir: string): { readonly path: string; readonly sinceMs: number } | null {
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
