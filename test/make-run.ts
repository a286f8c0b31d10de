import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentConditions,
  GRADER_VERSION,
  type Manifest,
  type SuiteManifest,
} from '../src/store/manifest.ts';
import { BEGUN, type StoredEnd } from '../src/store/run-end.ts';
import { RunWriter } from '../src/store/run-writer.ts';
import type { SampleResult } from '../src/words/row.ts';
import { makeFolder } from './make-folder.ts';

/** What a run folder's manifest says beside what its rows tell. */
type Facts = Readonly<{
  name?: string;
  /** Where it lies; a folder of its own unless given. */
  dir?: string;
  /** For every suite. */
  suite?: Partial<SuiteManifest>;
  config?: Readonly<Record<string, unknown>>;
  viva?: string;
  created_at?: string;
  /** What end.json says beside the usual; a run without it was killed. */
  end?: Partial<StoredEnd>;
}>;

/**
 * Makes a run folder with these rows, and a manifest that selected just what they answer; returns
 * its path.
 */
export function makeRun(
  rows: readonly SampleResult[],
  {
    name = 'run',
    dir = makeFolder(),
    suite = {},
    config = {},
    viva = '1',
    created_at = MANIFEST.created_at,
    end,
  }: Facts = {},
) {
  const folder = join(dir, name);
  mkdirSync(folder, { recursive: true });
  const suites = [...Map.groupBy(rows, (row) => row.suite).values()].map((ofSuite) => ({
    ...toManifest(ofSuite),
    ...suite,
  }));
  new RunWriter(folder).manifest({
    ...MANIFEST,
    run: name,
    created_at,
    versions: { viva },
    config,
    suites,
  });
  writeRows(folder, ...rows);
  if (end !== undefined) new RunWriter(folder).end({ ...BEGUN, ended_at: created_at, ...end });
  return folder;
}

export function writeRows(folder: string, ...rows: readonly SampleResult[]): void {
  const writer = new RunWriter(folder);
  for (const row of rows) writer.row(row);
  writer.close();
}

/** The plan of a suite of one question. */
export const PLANNED: SuiteManifest = {
  suite: 'mcq',
  eval_file: 'evals/mcq.eval.ts',
  files: [],
  exports: [],
  dataset: 'sample',
  source: null,
  placeholders: [],
  dataset_hash: 'data',
  prompt_hash: 'p',
  prompts: [],
  grader: GRADER_VERSION,
  matcher: null,
  agents: ['replay'],
  conditions: [],
  trials: 1,
  notes: [],
  agent_notes: [],
  questions: [{ id: 'a', group: 'all', hash: '' }],
  group_sizes: [],
  shard: null,
  unmatched_ids: [],
  plans: [],
  tools: [],
};

/** An agent that was asked without limits. */
export const CONDITIONS: AgentConditions = {
  agent: 'a',
  fingerprint: null,
  cache_key: null,
  deadlines: [],
  max_steps: null,
};

/** Questions of one group as a manifest has them. */
export function planned(ids: readonly string[], group = 'all'): SuiteManifest['questions'] {
  return ids.map((id) => ({ id, group, hash: '' }));
}

/** The manifest of a run that has planned nothing yet. */
export const MANIFEST: Manifest = {
  version: 1,
  run: 'run',
  created_at: '2026-01-01T00:00:00Z',
  versions: { viva: '1' },
  git_commit: null,
  config: {},
  suites: [],
};

export function toManifest(rows: readonly SampleResult[]): SuiteManifest {
  const [first] = rows;
  if (first === undefined) throw new Error('A suite needs a row.');
  const groupOf = new Map(rows.map(({ id, group }) => [id, group]));
  return {
    ...PLANNED,
    suite: first.suite,
    dataset: first.dataset,
    prompt_hash: first.prompt_hash,
    prompts: toPrompts(rows),
    agents: [...new Set(rows.map(({ agent }) => agent))],
    trials: Math.max(...rows.map(({ trial }) => trial)),
    questions: [...groupOf].map(([id, group]) => ({ id, group, hash: '' })),
  };
}

/** As a manifest has them where rows name one of several. */
function toPrompts(rows: readonly SampleResult[]): SuiteManifest['prompts'] {
  const hashes = new Map(
    rows.flatMap(({ prompt, prompt_hash }) =>
      prompt === undefined ? [] : [[prompt, prompt_hash]],
    ),
  );
  return [...hashes].map(([prompt, hash]) => ({
    hash,
    file: '',
    name: prompt.split('@')[0] ?? null,
  }));
}
