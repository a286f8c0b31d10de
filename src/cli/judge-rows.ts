import { hash } from 'node:crypto';
import { readComparedRun } from '../compare/compared-run.ts';
import { decide } from '../judge/panel.ts';
import { listCriteria, toJudgeKey } from '../metrics/judge-calibration.ts';
import { resultKey } from '../store/sample-log.ts';
import type { CriterionVerdicts, SampleResult } from '../types.ts';

/** An answer that judges passed or failed by one criterion. */
export type JudgedRow = Pick<
  SampleResult,
  'suite' | 'dataset' | 'agent' | 'prompt' | 'id' | 'trial' | 'group'
> &
  Pick<SampleResult, 'question_hash' | 'multiple' | 'presented'> & {
    readonly output: string;
    readonly judge: CriterionVerdicts;
    readonly verdict: 'pass' | 'fail';
  };

/**
 * The verdicts of a run, one for each answer and criterion. A tie or "cannot tell" is no verdict to
 * measure.
 */
export function readJudgedRows(folder: string): readonly JudgedRow[] {
  return readComparedRun(folder).sides.flatMap(({ results }) =>
    results.flatMap((row) =>
      listCriteria(row).flatMap((judge): readonly JudgedRow[] => {
        const verdict = decide(judge.verdicts.map((each) => ({ verdict: each })));
        return verdict === null || row.output === null
          ? []
          : [{ ...row, output: row.output, judge, verdict }];
      }),
    ),
  );
}

/**
 * Names a row in a file of labels, also after a spreadsheet has changed its other cells. It begins
 * with a letter, so that no spreadsheet takes it for a number.
 */
export function toRowName(row: JudgedRow): string {
  const said = JSON.stringify([resultKey(row), row.output, toJudgeKey(row.judge)]);
  return `r${hash('sha256', said).slice(0, 15)}`;
}
