import type { ComparedSide } from './compared-side.ts';

/** What must be known of a side before it has any result. */
export type SideIdentity = Pick<ComparedSide, 'suite' | 'dataset' | 'dataset_hash' | 'agent'>;

/**
 * The side of run a that a side of run b is compared with: the agent of the same name, or the only one where b has only
 * one too. A sentence that says why there is none otherwise.
 */
export function findPartner<Side extends SideIdentity>(
  b: SideIdentity,
  sidesA: readonly Side[],
  sidesB: readonly SideIdentity[],
): Side | string {
  const ofSuite = sidesA.filter(({ suite }) => suite === b.suite);
  const [first] = ofSuite;
  if (first === undefined) return `${nameSide(b)} is not compared: A has no such suite.`;
  if (!isSameDataset(first, b)) {
    return `${nameSide(b)} is not compared: A is about the dataset ${first.dataset}, B about ${b.dataset}.`;
  }
  const named = ofSuite.find(({ agent }) => agent === b.agent);
  if (named !== undefined) return named;
  const alone = ofSuite.length === 1 && sidesB.filter(({ suite }) => suite === b.suite).length === 1;
  if (alone) return first;
  return `${nameSide(b)} is not compared: in A the agents are ${ofSuite.map(({ agent }) => agent).join(', ')}.`;
}

/** A file may have been renamed, and a dataset may have grown: its questions are compared one by one. */
function isSameDataset(a: SideIdentity, b: SideIdentity): boolean {
  return a.dataset === b.dataset || a.dataset_hash === b.dataset_hash;
}

export function nameSide({ suite, agent }: Pick<SideIdentity, 'suite' | 'agent'>): string {
  return `${suite}, ${agent}`;
}
