import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearest } from '../text/nearest.ts';

/**
 * The absolute path of the run folder that a text names: a path, or `latest` for the newest run of EVAL_DIR that has
 * results. `name` is what the text was given for, for the error.
 */
export function findRun(text: string, dir: string, name: string): string {
  const path = text === 'latest' ? findLatest(dir) : resolve(text);
  // Links are followed, since `latest` moves on with the next run.
  if (path !== null && isFolder(path)) return realpathSync(path);
  throw new Error(
    `${name} must be the folder of an earlier run, or latest, got ${JSON.stringify(text)}. ${suggest(text, dir)}`,
  );
}

/** A dry run, or one that was refused, leaves a folder without results, which is no run to compare with. */
function findLatest(dir: string): string | null {
  const byName = listRuns(dir).sort().reverse();
  return [join(dir, 'latest'), ...byName].find(hasResults) ?? null;
}

function hasResults(folder: string): boolean {
  return (statSync(join(folder, 'samples.jsonl'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function suggest(text: string, dir: string): string {
  const known = listRuns(dir).filter(hasResults);
  return known.length === 0
    ? `No run in ${join(dir, 'runs')} has results yet.`
    : `Did you mean ${nearest(text, known)}?`;
}

function listRuns(dir: string): string[] {
  const runs = join(dir, 'runs');
  return existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run)) : [];
}
