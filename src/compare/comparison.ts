import type { Comparison } from '../metrics/compare.ts';
import type { Change } from './find-changes.ts';

/** Who answered on one side of a comparison, and what it was asked with. */
export type ComparedAgent = {
  readonly run: string;
  readonly agent: string;
  /** As its rows name them; empty where they name none. */
  readonly models: readonly string[];
  readonly prompt_hash: string;
  readonly trials: number;
};

/** One suite in two runs, by one agent each. */
export type SuiteComparison = {
  readonly suite: string;
  /** As run b names it. */
  readonly dataset: string;
  readonly a: ComparedAgent;
  readonly b: ComparedAgent;
  readonly figures: Comparison;
  /** What differs between the sides beside their answers. */
  readonly changes: readonly Change[];
  /** Ids that both runs have, with another question or truth; they are in no figure. */
  readonly changed_questions: readonly string[];
  /** What is not compared, and what else differs between the runs: a sentence each, about "A" and "B". */
  readonly notes: readonly string[];
};

/** Two runs compared, as JSON shows them; a is the baseline. */
export type RunComparison = {
  readonly version: 1;
  /** Names of the run folders. */
  readonly a: string;
  readonly b: string;
  readonly suites: readonly SuiteComparison[];
  /** What has no counterpart or cannot be read: a sentence each. */
  readonly not_compared: readonly string[];
};
