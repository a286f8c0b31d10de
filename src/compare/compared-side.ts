import { basename } from 'node:path';
import type { AgentConditions, Manifest, SuiteManifest } from '../runs/manifest.ts';
import type { SampleResult } from '../types.ts';

/** What one agent did in one suite of a run: one side of a comparison. */
export type ComparedSide = {
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  /** Name of the run folder, or of the turn in watch mode. */
  readonly run: string;
  readonly dataset_hash: string;
  readonly prompt_hash: string;
  readonly trials: number;
  /** Version of viva that graded it. */
  readonly viva: string;
  /** How many verdicts differ since its outputs were graded again; absent where they were not. */
  readonly regraded?: number;
  /** What an answer may depend on beside agent, prompt and question, as the manifest words it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the agent's answers depend on, hashed; null where the manifest does not say. */
  readonly conditions: Pick<AgentConditions, 'fingerprint' | 'cache_key' | 'deadlines' | 'max_steps'> | null;
  /** As in `--shard=1/4`; null for a whole run. */
  readonly shard: { readonly index: number; readonly count: number } | null;
  /** One for each selected trial. */
  readonly results: readonly SampleResult[];
};

/** Settings under which the same agent may answer otherwise. */
const SETTINGS = ['timeoutSeconds', 'maxSteps', 'shuffleChoices', 'cacheKey', 'hostedTools'] as const;

/** The sides of a run, one for each suite and agent, in the order of its manifest; results in that of the dataset. */
export function toSides(folder: string, manifest: Manifest, results: readonly SampleResult[]): readonly ComparedSide[] {
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, manifest.config[name] ?? null]));
  const shared = { run: basename(folder), viva: manifest.versions['viva'] ?? '?', settings };
  const byName = Map.groupBy(results, ({ suite, agent }) => JSON.stringify([suite, agent]));
  return manifest.suites.flatMap((suite) => {
    const place = new Map(suite.ids.map((id, index) => [id, index]));
    return suite.agents.map((agent) => {
      const own = byName.get(JSON.stringify([suite.suite, agent])) ?? [];
      const inOrder = own.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
      const conditions = findConditions(suite, agent);
      return { ...toFacts(suite), ...shared, agent, conditions, results: inOrder };
    });
  });
}

function toFacts({ suite, dataset, dataset_hash, prompt_hash, trials, shard }: SuiteManifest) {
  return { suite, dataset, dataset_hash, prompt_hash, trials, shard };
}

/** A manifest may come from elsewhere, or from an older version. */
function findConditions({ conditions }: SuiteManifest, agent: string): AgentConditions | null {
  if (!Array.isArray(conditions)) return null;
  return conditions.find((other: AgentConditions | null) => other?.agent === agent) ?? null;
}
