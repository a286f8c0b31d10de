import type { LoggedQuestion } from '../../src/runs/question-log.ts';
import type { SampleResult, TraceStep } from '../../src/types.ts';
import type { Conclusion } from '../conclude-run.ts';

/** Everything that report.html is made of. */
export type ReportInput = {
  readonly conclusion: Pick<
    Conclusion,
    'folder' | 'manifest' | 'summary' | 'settled' | 'comparison' | 'audit' | 'exit'
  >;
  readonly remarks: readonly string[];
  /** What a suite asked, by id. */
  questions(suite: string): ReadonlyMap<string, LoggedQuestion>;
  /** Whether the texts of a result must not be shown (DESIGN 5.10). */
  isHidden(result: SampleResult): boolean;
  /** How an answer came about: what is shown in the report, or the file that has it; null where there is nothing. */
  trace(result: SampleResult): { readonly steps: readonly TraceStep[] } | { readonly file: string } | null;
};
