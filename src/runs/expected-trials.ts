import type { SuiteManifest } from './manifest.ts';
import type { TrialMeta } from './trial-meta.ts';

/** Every trial that a suite of a run was to have, agent by agent for each sample; their questions are not known. */
export function listExpectedTrials(suite: SuiteManifest, run: string): readonly TrialMeta[] {
  const { dataset, agents, trials, ids, groups, prompt_hash } = suite;
  return ids.flatMap((id, index) =>
    agents.flatMap((agent) =>
      Array.from({ length: trials }, (_, trial) => {
        const group = groups[index] ?? 'all';
        const identity = { suite: suite.suite, dataset, agent, id, trial: trial + 1, group };
        return { ...identity, prompt_hash, question_hash: '', run };
      }),
    ),
  );
}
