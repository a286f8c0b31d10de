import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeJson, writeLines, writeWhole } from '../src/runs/write-whole.ts';
import type { Conclusion } from './conclude-run.ts';
import { renderAnswers, renderSubmission, submissionIds } from './gaia-files.ts';
import { renderMarkdown } from './markdown.ts';

/** Writes what a run folder holds beside its rows: summary.json, summary.md and, for GAIA, answers and submission; report.html last. */
export function writeRunFiles(conclusion: Conclusion, remarks: readonly string[]): void {
  const { folder, summary, gates, trials, comparison, audit } = conclusion;
  writeJson(join(folder, 'summary.json'), {
    ...summary,
    gates,
    trials,
    ...(comparison === null ? {} : { comparison }),
    ...(audit.suites.length === 0 ? {} : { audit: audit.suites }),
  });
  writeWhole(join(folder, 'summary.md'), renderMarkdown(summary, remarks, comparison));
  for (const entry of conclusion.manifest.suites.filter(({ suite }) => suite === 'gaia')) {
    const { suite, agents } = entry;
    for (const [index, agent] of agents.entries()) {
      const results = conclusion.settled.results.filter((row) => row.suite === suite && row.agent === agent);
      // One agent keeps the plain names; several are told apart by their place in EVAL_AGENT, which is a safe name.
      const suffix = agents.length === 1 ? '' : `-${index + 1}`;
      writeWhole(join(folder, `answers${suffix}.csv`), renderAnswers(results));
      writeLines(join(folder, `submission${suffix}.jsonl`), renderSubmission(submissionIds(entry), results));
    }
  }
  loadPage().writeReport(conclusion, remarks);
}

/** What makes report.html. Loaded apart, and at once: without it the other files, the tables and the gates are still there. */
export function loadPage(): typeof import('./html/write-report.ts') {
  return createRequire(import.meta.url)('./html/write-report.ts');
}
