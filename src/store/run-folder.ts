import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureFolder, readRegular } from '../data/files/read-file.ts';
import type { Trace } from '../words/conversation.ts';
import { isFields, omitNullish, pick } from '../words/fields.ts';
import type { SampleResult } from '../words/row.ts';
import type { Json, Sample, Shard, SimulatedUser } from '../words/sample.ts';
import { escapeJson, toTextOrNull, tryOrUndefined } from '../words/show.ts';
import { explainWrite } from '../words/write-error.ts';
import { writeJson, writeWhole } from './line-file.ts';

/**
 * Makes the folder of one run,
 * `<dir>/runs/<YYYYMMDDTHHMMSSZ>-<agent slug>[-shard-1-of-4|-merged][-2]/`, and returns its absolute
 * path. Processes that start in the same second get different folders. Shards on different machines
 * do too, so that their folders can be copied to one place for a merge.
 */
export function createRunFolder(
  dir: string,
  agentNames: readonly string[],
  now: Date,
  part: Shard | 'merged' | null = null,
): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const runs = resolve(dir, 'runs');
  const stem = `${stamp}-${slug(agentNames.join('+'))}${namePart(part)}`;
  for (let count = 1; ; count++) {
    const folder = join(runs, count === 1 ? stem : `${stem}-${count}`);
    try {
      ensureFolder(runs);
      mkdirSync(folder);
      return folder;
    } catch (cause) {
      if (existsSync(folder)) continue;
      const { why, remedy } = explainWrite(cause, 'set EVAL_DIR to another folder');
      throw new Error(`The run folder cannot be made: ${folder}: ${why}. ${remedy}.`, { cause });
    }
  }
}

function namePart(part: Shard | 'merged' | null): string {
  if (part === null) return '';
  return part === 'merged' ? '-merged' : `-shard-${part.index}-of-${part.count}`;
}

/** The agents and the shard of a run, as the name of its folder has them. */
export function readRunName(name: string): Readonly<{ agents: string; shard: Shard | null }> {
  const [part = '', index, count] = /-shard-(\d+)-of-(\d+)(?:-\d+)?$/.exec(name) ?? [];
  const agents = name.slice(0, name.length - part.length).replace(/^\d{8}T\d{6}Z-/, '');
  return { agents, shard: part === '' ? null : { index: Number(index), count: Number(count) } };
}

/** Removes the folder of a run that planned nothing, and `runs/` if it has no other run. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  // It throws if there are other runs.
  tryOrUndefined(() => rmdirSync(dirname(folder)));
}

/**
 * Points `<dir>/latest` at a run folder. It renames a new link over the old one, so that a link
 * always exists.
 */
export function linkLatest(folder: string): void {
  const link = join(dirname(dirname(folder)), 'latest');
  const aside = `${link}.${process.pid}`;
  try {
    rmSync(aside, { force: true });
    // On Windows a junction needs no right to make links.
    symlinkSync(join('runs', basename(folder)), aside, 'junction');
    // Windows renames nothing over a link to a folder.
    if (
      process.platform === 'win32' &&
      tryOrUndefined(() => lstatSync(link).isSymbolicLink()) === true
    )
      rmSync(link);
    renameSync(aside, link);
  } catch {
    // The file system has no links, or a folder has the link's name. The run does not need the
    // link.
    rmSync(aside, { force: true });
  }
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
  const short = plain.slice(0, 60) || 'agent';
  return short.replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$&-');
}

/** Writes the trace of a result and returns its path. A repeated trial replaces its file. */
export function writeTrace(
  runFolder: string,
  result: SampleResult,
  { sent, steps, messages }: Trace,
): string {
  const file = join(runFolder, toTracePath(result));
  ensureFolder(dirname(file));
  writeJson(file, {
    version: 1,
    ...pick(result, 'suite', 'dataset', 'agent', 'prompt', 'model', 'id', 'trial', 'group'),
    ...pick(result, 'state', 'reason'),
    sent,
    steps,
    ...omitNullish({ messages }),
    output: toTextOrNull(result.output, 2),
    ...pick(result, 'answer', 'usage', 'cost_usd', 'error'),
  });
  return file;
}

type TracedResult = Pick<SampleResult, 'suite' | 'agent' | 'prompt' | 'id' | 'trial'>;

/**
 * The file of a result's trace in the run folder:
 * traces/<suite>/<agent>/[<prompt>/]<id>-<hash>.<trial>.json. The hash is for names that differ
 * only in characters that `slug` removes.
 */
export function toTracePath({ suite, agent, prompt, id, trial }: TracedResult): string {
  const asked = prompt === undefined ? [] : [prompt];
  const hash8 = hash('sha256', JSON.stringify([suite, agent, id, ...asked])).slice(0, 8);
  return join(
    toTraceFolder(suite),
    slug(agent),
    ...asked.map(slug),
    `${slug(id)}-${hash8}.${trial}.json`,
  );
}

/** The folder with the traces of a suite in the run folder. */
function toTraceFolder(suite: string): string {
  return join('traces', slug(suite));
}

/**
 * Writes a prompt of a suite to the run folder and returns its path there. An edit in watch mode
 * adds a file.
 */
export function writePrompt(
  runFolder: string,
  suite: string,
  text: string,
  hash16: string,
): string {
  const file = toPromptFile(suite, hash16);
  ensureFolder(join(runFolder, 'prompts'));
  writeWhole(join(runFolder, file), text);
  return file;
}

/** The file of a prompt in the run folder. */
function toPromptFile(suite: string, promptHash: string): string {
  return join('prompts', `${slug(suite)}-${promptHash.slice(0, 8)}.md`);
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
  /**
   * Labels as the dataset has them, with the options' texts, in the order in which they were
   * presented.
   */
  choices?: readonly (readonly [label: string, text: string])[];
  /** The labels that the agent saw, if others. */
  labels?: readonly string[];
  /** Names of its files. */
  attachments?: readonly string[];
  /** Of a conversation. */
  turns?: readonly string[];
  user?: SimulatedUser;
}>;

/** Writes the questions of a suite, one file for each suite. A later watch run replaces it. */
export function writeQuestions(runFolder: string, suite: string, samples: readonly Sample[]): void {
  const questions = samples.map(toLogged);
  writeWhole(toQuestionFile(runFolder, suite), escapeJson({ version: 1, suite, questions }));
}

/**
 * The questions of a suite of a run, by id. Empty if the file is missing or cut off.
 */
export function readQuestions(
  runFolder: string,
  suite: string,
): ReadonlyMap<string, LoggedQuestion> {
  const read = (): unknown =>
    JSON.parse(readRegular(toQuestionFile(runFolder, suite)).toString('utf8'));
  const log = tryOrUndefined(read);
  return new Map(isLog(log) ? log.questions.map((question) => [question.id, question]) : []);
}

function isLog(value: unknown): value is { readonly questions: readonly LoggedQuestion[] } {
  return isFields(value) && Array.isArray(value['questions']);
}

/** The file with the questions of a suite. */
export function toQuestionFile(runFolder: string, suite: string): string {
  return join(runFolder, `questions-${slug(suite)}.json`);
}

function toLogged(sample: Sample): LoggedQuestion {
  const { id, input, choices, attachments, presentation, turns, user } = sample;
  const own = new Map(Object.entries(presentation?.ownLabels ?? {}));
  const options = Object.entries(choices ?? {}).map(
    ([label, text]) => [own.get(label) ?? label, text] as const,
  );
  return {
    id,
    input,
    ...(options.length === 0 ? {} : { choices: options }),
    ...(presentation && { labels: Object.keys(choices ?? {}) }),
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ name }) => name) }),
    ...omitNullish({ turns, user }),
  };
}

/** The current commit of a folder's checkout; null outside a checkout or without git. */
export function readGitCommit(folder: string): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

/** The page of a run, as a link that terminals open. */
export function toReportLink(runFolder: string): string {
  return pathToFileURL(join(runFolder, 'report.html')).href;
}
