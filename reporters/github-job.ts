import { appendFileSync } from 'node:fs';
import type { Exit } from '../src/figures/exit-code.ts';

/** The parts of a GitHub Actions job that viva uses. */
export type GithubJob = {
  /** The file whose Markdown GitHub shows on the run's page. */
  readonly stepSummary: string | null;
};

/** Reads the job from the environment; null outside GitHub Actions. */
export function readGithubJob(env: Readonly<Record<string, string | undefined>>): GithubJob | null {
  return env['GITHUB_ACTIONS'] === 'true'
    ? { stepSummary: env['GITHUB_STEP_SUMMARY'] ?? null }
    : null;
}

/** Adds a Markdown summary to the page of the job. Throws if the file cannot be written. */
export function addToJobPage({ stepSummary }: GithubJob, summary: string): void {
  if (stepSummary !== null) appendFileSync(stepSummary, `${summary.trimEnd()}\n\n`);
}

/**
 * The annotation of a failed run, as a workflow command to print; null for a run that did not fail.
 */
export function toAnnotation({ code, reason }: Pick<Exit, 'code' | 'reason'>): string | null {
  return code === 0 ? null : `::error title=evals::${escapeCommand(reason)}`;
}

/** A line break would end the command, and the rest of a hostile text could be another command. */
function escapeCommand(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
