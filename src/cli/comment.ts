import { join } from 'node:path';
import { readSummary } from '../../reporters/summary-file.ts';
import { readText } from '../data/files/read-file.ts';
import { findRun } from '../store/find-run.ts';
import { disarmCommands, escapeControls } from '../words/show.ts';
import {
  type Command,
  type CommandContext,
  parseWords,
  RUN_HELP,
  readRunSettings,
  UsageError,
} from './command.ts';

/** `viva comment`: prints the Markdown of a run for its pull request. Asks no agent. */
export const comment: Command = {
  usage: `[RUN]${RUN_HELP} (the default)`,
  page: 'ci.md#run-it-on-github',
  run: async ({ args, env, isTerminal, write }) => {
    const { positionals } = parseWords(args, {}, true);
    if (positionals.length > 1)
      throw new UsageError(`Expected one run, got ${positionals.length}.`);
    const folder = findRun(positionals[0] ?? 'latest', readRunSettings(env).dir, 'RUN');
    const body = toBody(folder, findJobPage(env));
    const shown = isTerminal ? body.split('\n').map(escapeControls).join('\n') : body;
    write(`${shown}\n`);
    return 0;
  },
};

/** The address of this job's page, which has the whole summary; null outside GitHub and GitLab. */
function findJobPage(env: CommandContext['env']): string | null {
  const {
    GITHUB_SERVER_URL = 'https://github.com',
    GITHUB_REPOSITORY,
    GITHUB_RUN_ID,
    CI_JOB_URL = null,
  } = env;
  if (GITHUB_RUN_ID === undefined || GITHUB_REPOSITORY === undefined) return CI_JOB_URL;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}

/** The most characters of a comment on GitHub, with the line break at its end. */
const LONGEST = 65_535;

/**
 * The run's summary.md, which may be published. What is said of the comment itself comes first, so
 * that a long summary can be cut at any line.
 */
function toBody(folder: string, page: string | null): string {
  // It may be printed to the log of a job.
  const summary = disarmCommands(readText(join(folder, 'summary.md'))).trimEnd();
  const isCompared = readSummary(folder)?.comparison !== undefined;
  const toHead = (said: string) => {
    const baseline = 'Not compared with an earlier run: `EVAL_BASELINE` is not set.';
    const parts = [said, isCompared ? '' : baseline].filter((part) => part !== '');
    return parts.map((part) => `${part}\n\n`).join('');
  };
  const link = page === null ? null : `the [page of the job](${page})`;
  const whole = `${toHead(link === null ? '' : `See ${link}.`)}${summary}`;
  if (whole.length <= LONGEST) return whole;
  const head = toHead(`This is the beginning: ${link ?? 'summary.md of the run'} has all of it.`);
  const most = LONGEST - head.length - 1;
  const end = summary.lastIndexOf('\n', most);
  return `${head}${summary.slice(0, end === -1 ? most : end)}`;
}
