import type { createAgents } from '../agents/index.ts';
import type { EvalConfig } from '../config.ts';
import type { HubSettings } from '../datasets/hub/hub-source.ts';
import type { HubProgress } from '../datasets/hub/snapshot.ts';
import type { Dataset, Grade, Sample } from '../types.ts';

/** All that a suite supplies: where its samples come from, what agents are asked, and how outputs are judged. */
export type Suite = {
  readonly suite: string;
  /** The prompt template; `prompt.ts` has its placeholders. */
  readonly prompt: string;
  /** The file that a bare `replay` answers from. */
  readonly predictions: string;
  /** Whether EVAL_LEVEL picks among the groups of this suite, of which the last is the hardest. */
  readonly hasLevels?: boolean;
  /** Deadline of one question in seconds, unless EVAL_TIMEOUT is set. */
  timeoutSeconds(group: string): number;
  load(config: EvalConfig, access: LoadAccess): Dataset | Promise<Dataset>;
  /** Makes the agents that one spec of EVAL_AGENT stands for; `createAgents` unless given. */
  readonly agents?: typeof createAgents;
  /** Finds the answer in an output; used where no expected answer is known. */
  extract(output: string, sample: Sample): { readonly answer: string | null; readonly how: string };
  /** Judges an output; `verbatim` means that it is the bare answer, from which nothing is to be extracted. */
  grade(output: string | null, target: string, sample: Sample, options: { readonly verbatim: boolean }): Grade;
  /** Throws when the grade of an output is not correct. */
  assert(grade: Grade, output: string, target: string): void;
};

/** What a loader may need beside the settings: how the Hub is reached, and who hears how far a download is. */
type LoadAccess = { readonly hub: HubSettings; readonly onProgress: (progress: HubProgress) => void };
