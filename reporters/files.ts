import { createRequire } from 'node:module';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { EXTENSION } from '../src/package.ts';
import { EXPORTS, isExport, listExports, type RunFile } from '../src/run/exports.ts';
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

/** What lies in a run folder under a name, or under several: "questions-*.json". */
type FileKind = Readonly<{
  name: string;
  /** What docs/results.md says of it. */
  holds: string;
  /** Whether it has questions or answers in CI too, as docs/datasets.md says. */
  hasTexts: boolean;
  /** Absent if something else writes it. */
  render?: (run: EndedRun) => readonly RunFile[];
}>;

/** What a run folder holds, in the order in which it is written. To add a file: an entry. */
export const FILES: readonly FileKind[] = [
  {
    name: 'manifest.json',
    holds: 'versions, settings, commit, hashes and the selected ids',
    hasTexts: false,
  },
  { name: 'questions-*.json', holds: 'what each suite asked', hasTexts: true },
  {
    name: 'prompts/',
    holds: 'the prompt templates of each suite, as `<suite>-<hash>.md`',
    hasTexts: false,
  },
  {
    name: 'samples.jsonl',
    holds: 'a row for each trial of each question, written as soon as it is graded',
    hasTexts: true,
  },
  {
    name: 'traces/',
    holds: 'prompt and steps of each case; cases without steps only if they failed',
    hasTexts: true,
  },
  {
    name: 'workspace/',
    holds: 'copies of work folders, with `EVAL_KEEP_WORKDIR`',
    hasTexts: true,
  },
  {
    name: 'end.json',
    holds:
      'how the run ended: what `-t` and tags left out, errors outside the answers, trials without a row, gates, calibrations of judges',
    hasTexts: false,
  },
  {
    name: 'summary.json',
    holds: 'the figures, the gates, and the comparisons with the baseline and between prompts',
    hasTexts: false,
    render: ({ published }) => [{ name: 'summary.json', lines: [renderSummary(published)] }],
  },
  {
    name: 'summary.md',
    holds: 'the same as tables',
    hasTexts: false,
    render: ({ published }) => [{ name: 'summary.md', lines: [renderSummaryMarkdown(published)] }],
  },
  ...Object.entries(EXPORTS).map(([name, { holds }]): FileKind => {
    const render: FileKind['render'] = ({ outcome: { manifest, results } }) =>
      isExport(name) ? listExports(name, manifest, results) : [];
    return { name, holds, hasTexts: true, render };
  }),
  {
    // Last: only it needs large modules. If they cannot be loaded, the other files are there.
    name: 'report.html',
    holds: 'the report',
    hasTexts: false,
    render: ({ outcome, remarks }) => {
      const { renderReport }: typeof import('./html/render-page.ts') = createRequire(
        import.meta.url,
      )(`./html/render-page${EXTENSION}`);
      const lines = [...toDetails(outcome), ...remarks];
      return [{ name: 'report.html', lines: renderReport(outcome, lines) }];
    },
  },
];

/** The files that are rendered when a run has ended. `remarks` are what is printed. */
export function* renderFiles(
  outcome: RunOutcome,
  remarks: readonly Line[] = toRemarks(outcome),
): Generator<RunFile, void> {
  const published = hideForPublic(outcome);
  for (const { render } of FILES) if (render) yield* render({ outcome, published, remarks });
}

function renderSummaryMarkdown(published: RunOutcome): string {
  const { manifest, summary, exit } = published;
  const remarks = [...toDetails(published), ...toRemarks(published)];
  // Not its path: the folder may be copied.
  const end = toLines('note', [`Run folder: ${manifest.run}`, exit.reason]);
  return renderMarkdown(summary, [...remarks, ...end], published);
}
