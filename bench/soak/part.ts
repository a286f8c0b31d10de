import type { Project } from '../overhead/projects.ts';

/** One run of the soak: what is started, and what must have come of it. */
export type Part = {
  readonly name: string;
  readonly project: Project;
  readonly expected: readonly Expected[];
  /** How often each was asked, counted by who was asked: by `toKey`. */
  calls(): ReadonlyMap<string, number>;
  /** What else is wrong once the run is over, in words. */
  findLeft?(): readonly string[];
  close?(): void;
};

/** What must have become of one sample of one agent. */
export type Expected = {
  readonly agent: string;
  readonly id: string;
  /** What was played, for messages. */
  readonly kind: string;
  readonly state: string;
  /** Where it is known which. */
  readonly reason?: string | null;
  /** Exactly so many, or at least and at most. */
  readonly calls: number | readonly [number, number];
};

export function toKey({ agent, id }: Pick<Expected, 'agent' | 'id'>): string {
  return `${agent} ${id}`;
}

/** The counts of a file with a line for each call of the one agent of a run. */
export function countCalls(agent: string, lines: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of lines.trim().split('\n'))
    counts.set(toKey({ agent, id }), (counts.get(toKey({ agent, id })) ?? 0) + 1);
  return counts;
}
