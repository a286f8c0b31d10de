import { join } from 'node:path';
import { hidesRecords } from '../../src/hides-records.ts';
import { type LoggedQuestion, readQuestions } from '../../src/runs/question-log.ts';
import { writeWhole } from '../../src/runs/write-whole.ts';
import { findTraces } from './find-traces.ts';
import { renderPage } from './render-page.ts';
import type { ReportInput } from './report-input.ts';

/** Writes report.html into the folder of a run. */
export function writeReport(conclusion: ReportInput['conclusion'], remarks: readonly string[]): void {
  const { folder, manifest } = conclusion;
  const hides = hidesRecords(manifest.config);
  const questions = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  const page = renderPage({
    conclusion,
    remarks,
    questions(suite) {
      const known = questions.get(suite) ?? readQuestions(folder, suite);
      questions.set(suite, known);
      return known;
    },
    isHidden: ({ dataset }) => hides && dataset !== 'sample',
    trace: findTraces(folder),
  });
  writeWhole(join(folder, 'report.html'), page);
}
