import { appendFileSync } from 'node:fs';
import type { TestModule, Vitest } from 'vitest/node';
import type { Exit } from '../src/metrics/exit-code.ts';
import { REFUSED } from '../src/run/provided-run.ts';
import { redact } from '../src/text/secrets.ts';
import { escapeLine } from '../src/text/show.ts';

/** Failures of modules and of tests that are no evals: the exit code must not forgive them. Refusals stand apart. */
export function outsideFailures(module: TestModule, secrets: readonly string[]): string[] {
  const errors = module.errors().filter(({ name }) => name !== REFUSED);
  const broken = errors.map(({ message }) => `${module.relativeModuleId}: ${message}`);
  const failed = [...module.children.allTests('failed')].filter((test) => test.meta().eval === undefined);
  return [...broken, ...failed.map(({ fullName }) => fullName)].map((text) => escapeLine(redact(text, secrets)));
}

/** What anything thrown says, in text that a terminal may show, without the user's keys. */
export function describeError(error: unknown, secrets: readonly string[]): string {
  return escapeLine(redact(messageOf(error), secrets));
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error) return String(error.message);
  return "an error whose message Vitest's report (blob) does not hold. Read what the shard printed.";
}

/** An eval file of which nothing was asked, since something was wrong that could be known before. */
export type RefusedFile = { readonly file: string; readonly why: string };

/** A refusal may list all that is wrong with the settings. */
const MAX_SHOWN = 2_000;

/** Vitest's reporters that print no errors. */
const SILENT = ['json', 'junit', 'blob', 'html', 'tap', 'tap-flat', 'github-actions', 'hanging-process'];

/** The refused ones among modules. Where Vitest prints the reason itself, it is not said twice. */
export function findRefused(
  modules: readonly TestModule[],
  { reporters }: Vitest['config'],
  secrets: readonly string[],
): readonly RefusedFile[] {
  const names = reporters.flatMap((reporter) => (Array.isArray(reporter) ? [reporter[0]] : []));
  const isPrinted = names.some((name) => !SILENT.includes(name));
  return modules.flatMap((module) => {
    const error = module.errors().find(({ name }) => name === REFUSED);
    if (error === undefined) return [];
    const why = escapeLine(redact(error.message, secrets).replaceAll('\n', ' '), MAX_SHOWN);
    return [{ file: module.relativeModuleId, why: isPrinted ? 'see the error above' : why }];
  });
}

/** What a job of GitHub Actions tells its programs. */
export type GithubJob = {
  /** File whose Markdown is shown on the run's page. */
  readonly stepSummary: string | null;
};

/** Reads the job from the environment; null outside GitHub Actions. */
export function readGithubJob(env: Readonly<Record<string, string | undefined>>): GithubJob | null {
  return env['GITHUB_ACTIONS'] === 'true' ? { stepSummary: env['GITHUB_STEP_SUMMARY'] ?? null } : null;
}

/** Adds a Markdown summary to the page of the job. Throws when the page's file cannot be written. */
export function addToJobPage({ stepSummary }: GithubJob, summary: string): void {
  if (stepSummary !== null) appendFileSync(stepSummary, `${summary.trimEnd()}\n\n`);
}

/** The annotation of a run that failed, as a workflow command to print; null for one that did not. */
export function toAnnotation({ code, reason }: Exit): string | null {
  return code === 0 ? null : `::error title=evals::${escapeCommand(reason)}`;
}

/** A line break would end the command, and the rest of a hostile text could be another one. */
function escapeCommand(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
