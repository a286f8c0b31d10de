import { hash } from 'node:crypto';
import { join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { nonEmpty } from '../words/fields.ts';
import type { SampleResult } from '../words/row.ts';
import type { Json, Sample, Shard, SimulatedUser } from '../words/sample.ts';
import { escapeJson, tryOrUndefined } from '../words/show.ts';
import { readLines } from './line-file.ts';

/** What lies in a run folder under a name, or under several: "questions-*.json". */
export type RunFileKind = Readonly<{
  name: string;
  isFolder?: true;
  /** What docs/results.md says of it. */
  holds: string;
  /** Whether it has questions or answers in CI too, as docs/datasets.md says. */
  hasTexts?: true;
  /** Whether a merge takes it over from shards. */
  isTakenOver?: true;
}>;

/**
 * The files and folders of a run, in the order in which they are written. To add one, add an entry,
 * and if it is rendered when a run has ended, another in `reporters/files.ts`.
 */
export const RUN_FILES = {
  manifest: {
    name: 'manifest.json',
    holds: 'versions, settings, commit, hashes and the selected ids',
  },
  questions: {
    name: 'questions-*.json',
    holds: 'what each suite asked',
    hasTexts: true,
    isTakenOver: true,
  },
  prompts: {
    name: 'prompts',
    isFolder: true,
    holds: 'the prompt templates of each suite, as `<suite>-<hash>.md`',
    isTakenOver: true,
  },
  rows: {
    name: 'samples.jsonl',
    holds:
      'a row for each trial of each question, written as soon as it is graded; the last row of a trial counts: a score that fails later adds one',
    hasTexts: true,
  },
  traces: {
    name: 'traces',
    isFolder: true,
    holds: 'prompt and steps of each case; cases without steps only if they failed',
    hasTexts: true,
    isTakenOver: true,
  },
  workspace: {
    name: 'workspace',
    isFolder: true,
    holds: 'copies of work folders, with `EVAL_KEEP_WORKDIR`',
    hasTexts: true,
    isTakenOver: true,
  },
  end: {
    name: 'end.json',
    holds:
      'how the run ended: what `-t` and tags left out, errors outside the answers, trials without a row, gates, calibrations of judges',
  },
  summary: {
    name: 'summary.json',
    holds: 'the figures, the gates, and the comparisons with the baseline and between prompts',
  },
  tables: { name: 'summary.md', holds: 'the same as tables' },
  report: { name: 'report.html', holds: 'the report' },
} as const satisfies Readonly<Record<string, RunFileKind>>;

/** Whether a merge takes over what lies under this name in the folder of a shard. */
export function isTakenOver(name: string): boolean {
  return Object.values<RunFileKind>(RUN_FILES).some((kind) => {
    const [start = '', end] = kind.name.split('*');
    const isOfKind =
      end === undefined ? name === start : name.startsWith(start) && name.endsWith(end);
    return kind.isTakenOver === true && isOfKind;
  });
}

/** The agents and the shard of a run, as the name of its folder has them. */
export function readRunName(name: string): Readonly<{ agents: string; shard: Shard | null }> {
  const [part = '', index, count] = /-shard-(\d+)-of-(\d+)(?:-\d+)?$/.exec(name) ?? [];
  const agents = name.slice(0, name.length - part.length).replace(/^\d{8}T\d{6}Z-/, '');
  return { agents, shard: part === '' ? null : { index: Number(index), count: Number(count) } };
}

/**
 * A folder name from agents' names: letters, digits, dot and hyphen, at most 61 characters. Windows
 * has devices in place of files of some names, also with an extension.
 */
export function slug(name: string): string {
  const plain = name
    .slice(0, 1000)
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  const short = plain.slice(0, 60).replace(/(?<![-.])[-.]+$/, '') || 'agent';
  return short.replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$&-');
}

type TracedResult = Pick<SampleResult, 'suite' | 'agent' | 'prompt' | 'id' | 'trial'>;

/**
 * The file of a result's trace in the run folder:
 * traces/<suite>/<agent>/[<prompt>/]<id>-<hash>.<trial>.json. The hash is for names that differ
 * only in characters that `slug` removes.
 */
export function toTracePath({ suite, agent, prompt, id, trial }: TracedResult): string {
  const named = prompt === undefined ? [] : [prompt];
  const hash8 = hash('sha256', JSON.stringify([suite, agent, id, ...named])).slice(0, 8);
  return join(
    RUN_FILES.traces.name,
    slug(suite),
    slug(agent),
    ...named.map(slug),
    `${slug(id)}-${hash8}.${trial}.json`,
  );
}

/** The copy of a trial's work folder: workspace/<suite>/<agent>/<id>-<hash>.<trial>. */
export function toWorkspacePath(result: TracedResult): string {
  const path = relative(RUN_FILES.traces.name, toTracePath(result));
  return join(RUN_FILES.workspace.name, path.replace(/\.json$/, ''));
}

export function toPromptFile(suite: string, promptHash: string): string {
  return posix.join(RUN_FILES.prompts.name, `${slug(suite)}-${promptHash.slice(0, 8)}.md`);
}

/** The text of a prompt of a run; null if its file is missing. */
export function readPrompt(runFolder: string, suite: string, promptHash: string): string | null {
  return (
    tryOrUndefined(() =>
      readRegular(join(runFolder, toPromptFile(suite, promptHash))).toString('utf8'),
    ) ?? null
  );
}

/** A question as reports show it. Rows of samples.jsonl name it by its id. */
export type LoggedQuestion = Readonly<{
  id: string;
  input: Json;
  /** Labels with the options' texts, in the dataset's order. Rows say in which one each trial saw them. */
  choices?: readonly (readonly [label: string, text: string])[];
  attachments?: readonly string[];
  /** Where each lies, relative to the run folder. */
  files?: readonly string[];
  /** Of a conversation. */
  turns?: readonly string[];
  user?: SimulatedUser;
}>;

/**
 * The questions of a suite of a run, by id. Empty if the file is missing or not of this version; what
 * was cut off is left out.
 */
export function readQuestions(
  runFolder: string,
  suite: string,
): ReadonlyMap<string, LoggedQuestion> {
  const file = join(runFolder, toQuestionFile(suite));
  const questions = new Map<string, LoggedQuestion>();
  if (!isFile(file)) return questions;
  const [head = '', ...lines] = readLines(file);
  if (!head.startsWith('{"version":1,')) return questions;
  for (const line of lines) {
    const question = tryOrUndefined((): LoggedQuestion => JSON.parse(line.replace(/,$/, '')));
    if (typeof question?.id === 'string') questions.set(question.id, question);
  }
  return questions;
}

/**
 * The lines of a file of questions: together a JSON object, which may be longer than a string can be,
 * and each question a line.
 */
export function* toQuestionLines(
  suite: string,
  samples: readonly Sample[],
  runFolder: string,
): Generator<string, void> {
  const head = escapeJson({ version: 1, suite, questions: [] });
  yield `${head.slice(0, -2)}\n`;
  for (const [place, sample] of samples.entries())
    yield `${escapeJson(toLoggedQuestion(sample, runFolder))}${place < samples.length - 1 ? ',' : ''}\n`;
  yield `${head.slice(-2)}\n`;
}

export function toQuestionFile(suite: string): string {
  return RUN_FILES.questions.name.replace('*', slug(suite));
}

function toLoggedQuestion(sample: Sample, runFolder: string): LoggedQuestion {
  const { id, input, choices, attachments, turns, user } = sample;
  return {
    id,
    input,
    choices: nonEmpty(Object.entries(choices ?? {})),
    attachments: nonEmpty(attachments.map(({ name }) => name)),
    files: nonEmpty(attachments.map(({ path }) => relative(runFolder, path).replaceAll(sep, '/'))),
    turns,
    user,
  };
}

/** The page of a run, as a link that terminals open. */
export function toReportLink(runFolder: string): string {
  return pathToFileURL(join(runFolder, RUN_FILES.report.name)).href;
}
