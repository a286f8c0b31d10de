import { createRequire } from 'node:module';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { EXTENSION } from '../src/package.ts';
import { listExports, type RunFile } from './exports.ts';
import { toLines } from './lines.ts';
import { renderMarkdown } from './render.ts';
import { toDetails, toRemarks } from './run-remarks.ts';
import { hideForPublic, renderSummary } from './summary-file.ts';

/** The files of a run folder that have its figures, but its report. */
export function listFigureFiles(outcome: RunOutcome): readonly RunFile[] {
  const { manifest, summary, exit } = outcome;
  const published = hideForPublic(outcome);
  const remarks = [...toDetails(published), ...toRemarks(published)];
  // Not its path: the folder may be copied.
  const end = toLines('note', [`Run folder: ${manifest.run}`, exit.reason]);
  return [
    { name: 'summary.json', lines: [renderSummary(published)] },
    { name: 'summary.md', lines: [renderMarkdown(summary, [...remarks, ...end], published)] },
    ...listExports(outcome),
  ];
}

/**
 * The module that renders report.html. If it cannot be loaded, the other files, the tables and the
 * gates still work.
 */
export function loadPage(): typeof import('./html/render-page.ts') {
  return createRequire(import.meta.url)(`./html/render-page${EXTENSION}`);
}
