import { expect } from 'vitest';
import type { EvalConfig } from '../settings.ts';
import { escapeLine, lineIf } from '../words/show.ts';
import type { SuiteDefinition } from './definition.ts';
import type { SuitePlan, Trial } from './plan.ts';

/**
 * The name of the snapshots of a trial, which no setting and no group of another record changes: agent
 * and trial are in it where the suite itself has several.
 */
export function nameSnapshots(
  { sample, lane, meta }: Trial,
  { agents = {}, trials = 1 }: Pick<SuiteDefinition, 'agents' | 'trials'>,
): string {
  const title = [
    sample.id,
    ...lineIf(Object.keys(agents).length > 1, lane.agent.name),
    ...(meta.prompt === undefined ? [] : [meta.prompt]),
    ...lineIf(trials > 1, `trial ${meta.trial}`),
  ];
  return `${meta.suite} > ${title.map((part) => escapeLine(part)).join(' | ')}`;
}

/** Whether a run asks all that a suite has: no setting selects a part, or renames its tests. */
export function asksAll(
  { share, dataset }: Pick<SuitePlan, 'share' | 'dataset'>,
  { agents, prompts, trialsSet }: Pick<EvalConfig, 'agents' | 'prompts' | 'trialsSet'>,
): boolean {
  const isWhole = share.length === dataset.samples.length;
  return isWhole && agents === null && prompts === null && !trialsSet;
}

/**
 * Keeps the stored snapshots of a suite that this run did not look at. Vitest takes them for obsolete:
 * it removes them with `-u`, and in CI they are an error. `scored` are the names of the tests whose
 * score ran.
 */
export function keepSnapshots(suite: string, scored: ReadonlySet<string>): void {
  const { snapshotState: state } = expect.getState();
  for (const key of state?.getUncheckedKeys() ?? []) {
    const name = key.replace(/ \d+$/, '');
    const isOfSuite = name.startsWith(`${suite} > `);
    if (isOfSuite && !isOfScored(name, scored)) state.markSnapshotsAsCheckedForTest(name);
  }
}

/** The name of a snapshot begins with that of its test; a hint or the name of a score may follow. */
function isOfScored(name: string, scored: ReadonlySet<string>): boolean {
  if (scored.has(name)) return true;
  const end = name.lastIndexOf(' > ');
  return end > 0 && isOfScored(name.slice(0, end), scored);
}
