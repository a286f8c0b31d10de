import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { toSuiteKey } from '../src/metrics/groups.ts';
import { labelPrompt, listSides, readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import { readEnd } from '../src/store/run-end.ts';
import type { GroupSummary, SuiteSummary } from '../src/types.ts';
import { evaluatePastRun } from './past-run.ts';
import { readSummary } from './summary-file.ts';
import {
  formatAccuracy,
  formatInterval,
  formatTime,
  formatTotalCost,
  nameCount,
  type Table,
} from './tables.ts';

/** The figures of one suite, agent and prompt in an earlier run. */
export type PastSide = Pick<SuiteSummary, 'suite' | 'dataset' | 'agent'> & {
  /** Name of the run folder. */
  readonly run: string;
  readonly folder: string;
  readonly started_at: string;
  readonly prompt: string;
  readonly prompt_hash: string;
  /** Whether the run asked with several prompts. */
  readonly isOneOfSeveral: boolean;
  /** The same text for runs on the same questions of the same dataset. */
  readonly selection: string;
  /** The figures of group "all". */
  readonly all: GroupSummary;
};

/**
 * The sides of a run: from its summary.json, or from its rows if it was killed before that was
 * written.
 */
export function readPastSides(folder: string): readonly PastSide[] {
  const manifest = readManifest(folder);
  const { suites } = readSummary(folder) ?? evaluatePastRun(folder, {}).summary;
  const { carried } = readEnd(folder);
  const shared = { run: basename(folder), folder, started_at: manifest.created_at };
  return manifest.suites.flatMap((entry) => {
    const { suite, dataset } = entry;
    // Those of an earlier watch run stand there.
    if (carried.includes(suite)) return [];
    return listSides(entry).flatMap((side): readonly PastSide[] => {
      const key = toSuiteKey({ suite, dataset, ...side });
      const all = suites.find((summary) => toSuiteKey(summary) === key)?.groups.at(-1);
      if (all === undefined) return [];
      const { agent, prompt_hash } = side;
      const isOneOfSeveral = side.prompt !== undefined;
      const asked = { prompt: nameStoredPrompt(entry, prompt_hash), prompt_hash, isOneOfSeveral };
      return [
        {
          ...shared,
          suite,
          dataset,
          agent,
          ...asked,
          selection: toSelection(entry, all, folder),
          all,
        },
      ];
    });
  });
}

/**
 * "short.md@1a2b3c4d", or the digits alone where the run does not name the file; predictions name
 * no prompt.
 */
export function nameStoredPrompt({ prompts }: SuiteManifest, prompt_hash: string): string {
  if (prompt_hash === '') return 'not known';
  const kept = prompts.find(({ hash }) => hash === prompt_hash);
  return kept === undefined ? prompt_hash.slice(0, 8) : labelPrompt(kept.name, prompt_hash);
}

/** What a name or a tag has left out is not known here: such a run is like no other. */
function toSelection(entry: SuiteManifest, { questions }: GroupSummary, folder: string): string {
  const { suite, dataset, dataset_hash, ids, share = ids } = entry;
  const asked = questions === share.length ? share.toSorted() : folder;
  return hash('sha256', JSON.stringify([suite, dataset, dataset_hash, asked]));
}

const COUNT = 'n';

const COLUMNS: readonly (readonly [
  head: string,
  align: 'left' | 'right',
  cell: (side: PastSide) => string,
])[] = [
  ['run', 'left', ({ run }) => run],
  ['started', 'left', ({ started_at }) => started_at.slice(0, 16).replace('T', ' ')],
  ['suite', 'left', ({ suite }) => suite],
  ['dataset', 'left', ({ dataset }) => dataset],
  ['agent', 'left', ({ agent }) => agent],
  ['prompt', 'left', ({ prompt }) => prompt],
  [COUNT, 'right', ({ all }) => String(all.n)],
  ['accuracy', 'right', ({ all }) => formatAccuracy(all)],
  ['95 % interval', 'right', ({ all }) => formatInterval(all.ci95)],
  ['median', 'right', ({ all }) => formatTime(all.median_latency_ms, all.median_censored)],
  ['cost', 'right', ({ all }) => formatTotalCost(all)],
];

const ALL_HEADS = COLUMNS.map(([head]) => head);

/** A row for each side, with these columns. */
export function toSidesTable(
  sides: readonly PastSide[],
  shown: readonly string[] = ALL_HEADS,
): Table {
  const columns = shown.flatMap((name) => COLUMNS.filter(([head]) => head === name));
  const rows = sides.map((side) => columns.map(([, , cell]) => cell(side)));
  const count = nameCount(sides.map(({ all }) => all));
  const heads = columns.map(([head]) => (head === COUNT ? count : head));
  return { align: columns.map(([, align]) => align), rows: [heads, ...rows] };
}
