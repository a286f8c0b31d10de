import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isFolder } from '../data/files/read-file.ts';
import { plural, quote } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { messageOf } from '../words/thrown.ts';

/**
 * The absolute path of the run folder that a text names: a path, the name of a run of EVAL_DIR or
 * its beginning, a name that is cut in the middle, or `latest` for the newest run that has results.
 * `name` is the setting or argument with this text, for the error.
 */
export function findRun(text: string, dir: string, name: string): string {
  const folder = seekRun(text, dir, name);
  if (folder !== null) return folder;
  const runs = listRuns(dir);
  const names = [...runs.map((run) => basename(run)), ...runs];
  const newest = runs.at(-1);
  const rest =
    newest === undefined
      ? `No run in ${join(dir, 'runs')} has results yet.`
      : `The newest is ${basename(newest)}.`;
  const remedy = didYouMean(text, names) || ` ${rest}`;
  throw new Error(
    `${name} must be an earlier run (its folder or name), or latest, got ${quote(text)}.${remedy}`,
  );
}

/**
 * The folder of the run that `RUN` or `RUN:NAME` names, and NAME; null without one. A path may have
 * colons of its own.
 */
export function findRunAndName(
  text: string,
  dir: string,
  argument: string,
): Readonly<{ folder: string; name: string | null }> {
  const colons = [...text.matchAll(/:/g)].map(({ index }) => index);
  const isRun = (end: number) => seekRun(text.slice(0, end), dir, argument) !== null;
  const end = [text.length, ...colons].find(isRun) ?? colons[0] ?? text.length;
  const name = end === text.length ? null : text.slice(end + 1);
  return { folder: findRun(text.slice(0, end), dir, argument), name };
}

/** Like `findRun`, but null if the text names no run. Throws if several runs begin with it. */
function seekRun(text: string, dir: string, name: string): string | null {
  const [folder, ...others] = listMatches(text, dir);
  if (folder === undefined) return null;
  // Follow the link: `latest` points to another folder after the next run.
  if (others.length === 0) return realpathSync(folder);
  const several = `${name} must name one run, but ${plural(others.length + 1, 'run')} begin with ${quote(text)}`;
  throw new Error(
    `${several}. Write more of the name, as in ${basename(others.at(-1) ?? folder)}.`,
  );
}

/**
 * The settings, with the folder of the run for each replay that names one: `replay:latest`,
 * `replay:RUN`.
 */
export function resolveReplays<Config extends Replaying>(config: Config): Config {
  const agents = config.agents?.map((spec) => {
    // A path may be a file of predictions.
    if (spec.kind !== 'replay' || spec.target === '' || existsSync(spec.target)) return spec;
    const name = `${spec.setting ?? 'EVAL_AGENT'}=replay`;
    const find = spec.target === 'latest' ? findRun : seekRun;
    return { ...spec, target: find(spec.target, config.dir, name) ?? spec.target };
  });
  return { ...config, agents: agents ?? null };
}

type Replaying = Readonly<{
  agents: readonly Readonly<{ kind: string; target: string; setting?: string }>[] | null;
  dir: string;
}>;

function listMatches(text: string, dir: string): readonly string[] {
  if (text === 'latest') return listRuns(dir).slice(-1);
  // Before all runs are looked at: hundreds of paths may be given.
  const exact = [resolve(text), join(dir, 'runs', text)].find(isFolder);
  if (exact !== undefined) return [exact];
  // A name may be given as a table shows it, cut in the middle.
  const [start = '', ...others] = text.split('…');
  const end = others.at(-1) ?? '';
  return listRuns(dir).filter(
    (run) => basename(run).startsWith(start) && basename(run).endsWith(end),
  );
}

/**
 * What `read` finds in each run with results, the newest first. A folder that is not a run, or that
 * another version wrote, does not hide the others: `unreadable` says why it is left out.
 */
export function readRuns<T>(dir: string, read: (folder: string) => readonly T[]): FoundRuns<T> {
  const unreadable: string[] = [];
  const found = listRuns(dir)
    .toReversed()
    .flatMap((folder) => {
      try {
        return read(folder);
      } catch (error) {
        unreadable.push(messageOf(error));
        return [];
      }
    });
  return { found, unreadable };
}

type FoundRuns<T> = Readonly<{ found: readonly T[]; unreadable: readonly string[] }>;

/**
 * The folders of the runs with results (a dry run has none), the newest last: names begin with the
 * time.
 */
function listRuns(dir: string): readonly string[] {
  const runs = join(dir, 'runs');
  const folders = existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run)) : [];
  const sizeOf = (folder: string) =>
    statSync(join(folder, 'samples.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
  return folders.filter((folder) => sizeOf(folder) > 0).sort();
}
