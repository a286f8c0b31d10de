import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasManifest, type Manifest, readManifest } from '../../src/store/manifest.ts';
import { readEnd } from '../../src/store/run-end.ts';
import { RUN_FILES } from '../../src/store/run-folder.ts';
import { tryOrUndefined } from '../../src/words/show.ts';
import { messageOf } from '../../src/words/thrown.ts';
import { type PastVariant, readPastVariants } from '../past-run.ts';
import { readSummary } from '../summary-file.ts';
import type { EntryVariant, RunEntry } from './data.ts';

/** The names of all runs of a folder of runs, the newest first. */
export function listRunNames(runs: string): readonly string[] {
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .filter((name) => isRunName(name) && hasManifest(join(runs, name)))
    .sort()
    .reverse();
}

/** Whether a text may be the name of a run folder: it leads to no other folder. */
export function isRunName(name: string): boolean {
  return /^[\w.-]{1,250}$/.test(name) && !/^\.{1,2}$/.test(name);
}

const CHANGING = [RUN_FILES.manifest, RUN_FILES.rows, RUN_FILES.end, RUN_FILES.summary];

/** A text that changes with the files of a run from which its figures are made. */
export function stampRun(folder: string): string {
  const stamps = CHANGING.map(({ name }) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.size}:${stats.mtimeMs}`;
  });
  return stamps.join();
}

/** A run that was not killed writes a row at the latest when this has passed after its longest deadline. */
const GRACE_MS = 60_000;

/** Whether a run goes on: it has not ended, and may still write. A killed one looks so for a while. */
export function isLiveRun(folder: string, manifest: Manifest, now = Date.now()): boolean {
  if ((tryOrUndefined(() => readEnd(folder)) ?? { ended_at: '' }).ended_at !== null) return false;
  const times = CHANGING.map(
    ({ name }) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  const deadlines = manifest.suites.flatMap(({ conditions }) =>
    conditions.flatMap(({ deadlines: own }) => own.map(([, seconds]) => seconds)),
  );
  return now - Math.max(...times) < GRACE_MS + 1000 * Math.max(0, ...deadlines);
}

/** A run for the list. One that cannot be read says why. */
export function readRunEntry(folder: string): RunEntry {
  const name = basename(folder);
  try {
    return toEntry(folder, readManifest(folder));
  } catch (error) {
    const entry = { name, started_at: '', suites: [], variants: [], gates: [0, 0] as const };
    return { ...entry, state: 'unreadable', problem: messageOf(error) };
  }
}

function toEntry(folder: string, manifest: Manifest): RunEntry {
  const summary = readSummary(folder);
  // A run without answers has no figures.
  const variants = tryOrUndefined(() => readPastVariants(folder, manifest)) ?? [];
  const deciding = (summary?.gates ?? []).filter(({ gate }) => gate.advisory !== true);
  const isWhole = summary?.complete ?? variants.every(({ all }) => all.states.not_run === 0);
  const hasEnded = (tryOrUndefined(() => readEnd(folder))?.ended_at ?? null) !== null;
  const ended = hasEnded ? (isWhole ? 'finished' : 'partial') : 'stopped';
  return {
    name: basename(folder),
    started_at: manifest.created_at,
    state: isLiveRun(folder, manifest) ? 'running' : ended,
    suites: manifest.suites.map(({ suite }) => suite),
    variants: variants.map(toEntryVariant),
    gates: [deciding.filter(({ holds }) => holds === true).length, deciding.length],
  };
}

function toEntryVariant(variant: PastVariant): EntryVariant {
  const { suite, dataset, agent, prompt, selection, isReplay, all } = variant;
  const { n, questions, accuracy, bounds, ci95, cost_usd, cost_at_least_usd } = all;
  const { not_run } = all.states;
  return {
    suite,
    dataset,
    agent: agent === `${suite} agent` ? 'own agent' : agent,
    prompt,
    series: JSON.stringify([selection, agent]),
    is_replay: isReplay || undefined,
    all: { n, questions, accuracy, bounds, ci95, cost_usd, cost_at_least_usd, not_run },
  };
}
