import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { groupBySide, toSuiteKey } from '../metrics/groups.ts';
import { summarize } from '../metrics/summarize.ts';
import { hasRun } from '../states.ts';
import { listSides, type SuiteManifest } from '../store/manifest.ts';
import { toPromptFile } from '../store/run-folder.ts';
import { readRun, type StoredRun } from '../store/stored-run.ts';
import type { GroupSummary, SampleResult } from '../types.ts';

/**
 * What one agent achieved with one prompt in a run.
 */
type TriedPrompt = {
  readonly hash: string;
  /** Name of its file, as far as the run names it. */
  readonly name: string | null;
  /** Absolute path of the file with its text; null if no run stored it. */
  readonly file: string | null;
  readonly run: string;
  /** The figures of group "all", with bounds if not every question was asked. */
  readonly all: GroupSummary;
};

/** The figures of the newest whole run with a prompt, and how many runs asked with it. */
type RankedPrompt = TriedPrompt & { readonly runs: number };

/** The prompts that one agent was asked with on the same questions, the best first. */
export type PromptBlock = Pick<SampleResult, 'suite' | 'dataset' | 'agent'> & {
  readonly questions: number;
  /** What a newer block of the same title has changed. */
  readonly changed: readonly Part[];
  readonly prompts: readonly RankedPrompt[];
};

/**
 * What was tried in several runs, given with the newest run first. Other questions or another agent
 * make another block.
 */
export function rankPrompts(tried: readonly Tried[]): readonly PromptBlock[] {
  const toTitle = ({ suite, dataset, agent, questions }: Tried) =>
    JSON.stringify([suite, dataset, agent, questions]);
  const newestOf = new Map(tried.toReversed().map((one) => [toTitle(one), one]));
  const blocks = Map.groupBy(tried, (one) => toTitle(one) + JSON.stringify(one.parts));
  return [...blocks.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const byHash = Map.groupBy(own, ({ prompt }) => prompt.hash);
    const prompts = [...byHash.values()].flatMap((same) => {
      const all = same.map(({ prompt }) => prompt);
      // Not the best: the best of several tries would be luck.
      const shown = all.find((prompt) => prompt.all.accuracy !== null) ?? all[0];
      const file = all.find((prompt) => prompt.file !== null)?.file ?? null;
      return shown === undefined ? [] : [{ ...shown, file, runs: all.length }];
    });
    const { suite, dataset, agent, questions, parts } = first;
    const newest = newestOf.get(toTitle(first)) ?? first;
    const changed = PARTS.filter((part) => newest.parts[part] !== parts[part]);
    return [{ suite, dataset, agent, questions, changed, prompts: prompts.toSorted(byAccuracy) }];
  });
}

/** Those without an accuracy are last. */
function byAccuracy(a: TriedPrompt, b: TriedPrompt): number {
  return (b.all.accuracy ?? -1) - (a.all.accuracy ?? -1);
}

const PARTS = ['dataset', 'agent', 'questions'] as const;

type Part = (typeof PARTS)[number];

type Tried = Pick<PromptBlock, 'suite' | 'dataset' | 'agent' | 'questions'> & {
  /**
   * The same for prompts that may be ranked: a hash of the dataset and of the agent, and the ids.
   */
  readonly parts: Readonly<Record<Part, string | null>>;
  readonly prompt: TriedPrompt;
};

/** The prompts of a run, each with its figures, the last asked first. */
export function readTriedPrompts(folder: string): readonly Tried[] {
  const run = readRun(folder, {});
  const bySide = groupBySide(run.results);
  return run.manifest.suites.flatMap((entry) => {
    // Those of an earlier watch run stand there.
    if (run.end.carried.includes(entry.suite)) return [];
    const sides = listSides(entry).toReversed();
    return sides.flatMap((side) =>
      summarizeSide(run, entry, bySide.get(toSuiteKey({ ...entry, ...side })) ?? []),
    );
  });
}

function summarizeSide(
  { folder }: StoredRun,
  entry: SuiteManifest,
  results: readonly SampleResult[],
): readonly Tried[] {
  const first = results.find(({ agent_hash }) => agent_hash !== undefined) ?? results[0];
  // The prompt of predictions is not known.
  if (first === undefined || first.prompt_hash === '' || !results.some(hasRun)) return [];
  const { agent, agent_hash, prompt_hash } = first;
  const { suite, dataset, ids, share = ids } = entry;
  const all = summarize(results).suites[0]?.groups.at(-1);
  if (all === undefined) return [];
  const file = join(folder, toPromptFile(suite, prompt_hash));
  const prompt = {
    hash: prompt_hash,
    name: entry.prompts.find(({ hash }) => hash === prompt_hash)?.name ?? null,
    file: existsSync(file) ? file : null,
    run: basename(folder),
    all,
  };
  const parts = {
    dataset: entry.dataset_hash,
    agent: agent_hash ?? null,
    questions: JSON.stringify(share.toSorted()),
  };
  return [{ suite, dataset, agent, questions: share.length, parts, prompt }];
}
