import { createRequire } from 'node:module';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { EXTENSION } from '../src/package.ts';
import { EXPORTS, isExport, listExports, type RunFile } from '../src/run/exports.ts';
import { RUN_FILES, type RunFileKind } from '../src/store/run-folder.ts';
import { toDetails, toRemarks } from './remarks.ts';
import { renderMarkdown } from './render.ts';
import { hideForPublic, renderSummary } from './summary-file.ts';
import { type Line, toLines } from './terminal.ts';

/** A run that has ended, and what is printed below its tables. */
type EndedRun = Readonly<{
  outcome: RunOutcome;
  /** The same as it may be published. */
  published: RunOutcome;
  remarks: readonly Line[];
}>;

/** What a run folder holds, with the files that suites ask for. */
export const FILES: readonly RunFileKind[] = [
  ...Object.values(RUN_FILES),
  ...Object.entries(EXPORTS).map(([name, { holds }]) => ({ name, holds, hasTexts: true as const })),
];

/** Renders a file of RUN_FILES when a run has ended. */
const RENDERED = {
  summary: ({ published }) => [renderSummary(published)],
  tables: ({ published }) => [renderSummaryMarkdown(published)],
  // Last: only it needs large modules. If they cannot be loaded, the other files are there.
  report: ({ outcome, remarks }) => {
    const { renderReport }: typeof import('./page/report.ts') = createRequire(import.meta.url)(
      `./page/report${EXTENSION}`,
    );
    return renderReport(outcome, [...toDetails(outcome), ...remarks]);
  },
} as const satisfies Partial<Record<keyof typeof RUN_FILES, (run: EndedRun) => Iterable<string>>>;

/** The files that are rendered when a run has ended. `remarks` are what is printed. */
export function* renderFiles(
  outcome: RunOutcome,
  remarks: readonly Line[] = toRemarks(outcome),
): Generator<RunFile, void> {
  const run = { outcome, published: hideForPublic(outcome), remarks };
  for (const name of Object.keys(EXPORTS))
    if (isExport(name)) yield* listExports(name, outcome.manifest, outcome.results);
  for (const key of ['summary', 'tables', 'report'] as const)
    yield { name: RUN_FILES[key].name, lines: RENDERED[key](run) };
}

function renderSummaryMarkdown(published: RunOutcome): string {
  const { manifest, summary, exit } = published;
  const remarks = [...toDetails(published), ...toRemarks(published)];
  // Not its path: the folder may be copied.
  const end = toLines('note', [`Run folder: ${manifest.run}`, exit.reason]);
  return renderMarkdown(summary, [...remarks, ...end], published);
}
