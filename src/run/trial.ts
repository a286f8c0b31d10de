import { setImmediate } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { isCorrect } from '../states.ts';
import type { CacheParts } from '../store/cache.ts';
import { writeTrace } from '../store/run-folder.ts';
import { appendResult, appendResultSoon, type TrialMeta, toNotRun, toResultMeta } from '../store/sample-log.ts';
import { hideOwnWords } from '../text/hide-records.ts';
import { AgentError, type Sample, type SampleResult } from '../types.ts';
import { type Asked, type Obtained, obtain, type Station } from './ask.ts';
import { attachFiles, type Content } from './attachments.ts';
import { hideInAsked, printUnder } from './confine.ts';
import { toQuestion } from './prompt.ts';
import {
  cutFrames,
  hideGated,
  type Scoring,
  showFirstLine,
  showQuestion,
  showTarget,
  toFailure,
  toResult,
} from './result.ts';
import { type Stream, streamSteps } from './stream-steps.ts';
import { isWorkdirKept, keepWorkdir, type Unkept, Workdir } from './workdir.ts';

/** One trial of one sample by one agent, ready to run. */
export type Trial = {
  readonly sample: Sample;
  readonly station: Station;
  readonly meta: TrialMeta;
  /** What a kept answer must have in common with this trial; null when the agent's answers are not kept. */
  readonly parts: CacheParts | null;
  /** What its attachments held when it was planned; null when the agent's answers are not kept. */
  readonly contents: readonly Content[] | null;
  readonly deadlineMs: number;
};

/** What the trials of a suite share. */
export type TrialSetting = {
  readonly prompt: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** Whether questions, truths and answers must not be shown. */
  readonly gated: boolean;
  readonly scoring: Scoring;
  readonly maxSteps: number | null;
  /** Whose work folders stay, below workspace/ in the run folder. */
  readonly keepWorkdir: 'failed' | 'all' | 'none';
  /** Hears of each work folder that was not kept whole, and why. */
  readonly onUnkept?: (unkept: Unkept) => void;
  /** Whether an agent's steps are shown as they happen. */
  readonly streams: boolean;
  /** Whether a failed case shows its trace and its attachments in the Vitest UI. */
  readonly attaches: boolean;
  /** Whether a failed case shows its whole question, as the Vitest UI does; a terminal shows the first line. */
  readonly showsWholeQuestions: boolean;
  /** Throws when the output is not the target. */
  assert(output: string, target: string, sample: Sample, options: { readonly verbatim: boolean }): void;
};

/**
 * One sample's way through a generated test: get the answer, grade, write the row, show it in the test's meta, then
 * assert. The row of an answer that was paid for is on disk before anything can fail the test.
 */
export async function runTrial(trial: Trial, setting: TrialSetting, context: TestContext): Promise<void> {
  const recalled = recall(trial.station, trial.sample.id, trial.meta.trial, trial.parts);
  if (recalled !== null) {
    await takeBreath();
    return conclude(recalled, null, trial, setting, context);
  }
  const workdir = new Workdir(trial.sample.attachments, trial.contents);
  try {
    const stream = makeStream(trial, setting, context.task.name);
    const obtained = await printUnder(context.task, () => ask(workdir, trial, setting, context.signal, stream));
    if (obtained.outcome === 'not_asked') return skip(trial, setting, context, obtained.reason);
    await conclude(obtained, workdir, trial, setting, context, stream);
  } finally {
    await workdir.remove();
  }
}

/**
 * `workdir` is null for what was recalled: to have it again costs nothing, so its row may wait for others. The row of a
 * case that fails may not: with --bail its worker is killed.
 */
async function conclude(
  asked: Asked,
  workdir: Workdir | null,
  trial: Trial,
  setting: TrialSetting,
  context: TestContext,
  stream: Partial<Stream> = {},
): Promise<void> {
  const result = toResult(trial.sample, trial.meta, asked, setting.scoring);
  const shown = setting.gated ? hideOwnWords(result) : result;
  stream.onResult?.(shown);
  const mayWait = workdir === null && isCorrect(result);
  record(result, mayWait ? appendResultSoon : appendResult, trial.station, setting.folder);
  context.task.meta.eval = toResultMeta(trial.meta, shown, setting.gated ? null : trial.sample.input);
  const { trace } = asked.outcome === 'answered' ? asked.answer : asked.error.progress;
  const traceFile = trace === undefined ? null : writeTrace(setting.folder, result, trace);
  // No await where none is needed: the matcher finds only the latest grade remembered.
  if (isWorkdirKept(result, setting)) await keepWorkdir(workdir, trial, result, setting);
  try {
    assertResult(trial.sample, asked, result, setting);
  } catch (error) {
    const isUnrecorded = trial.station.agent.recall !== undefined && result.reason === 'missing';
    if (!setting.gated) addQuestion(error, result, trial.sample, setting, isUnrecorded);
    if (setting.attaches) await attachFiles(context, traceFile, trial.sample.attachments);
    throw setting.gated ? hideGated(shown) : cutFrames(error, result, isUnrecorded);
  }
}

/** Predictions miss by the hundred, and a terminal prints equal errors once: a question would make each another one. */
function addQuestion(
  error: unknown,
  { output }: SampleResult,
  sample: Sample,
  { showsWholeQuestions }: TrialSetting,
  isUnrecorded: boolean,
): void {
  if (isUnrecorded && !showsWholeQuestions) return;
  if (output === null) showTarget(error, sample);
  if (showsWholeQuestions) showQuestion(error, sample);
  else showFirstLine(error, sample);
}

/** Where a result cannot be written, further ones would be paid for in vain. */
function record(result: SampleResult, append: typeof appendResult, { gate }: Station, folder: string): void {
  try {
    append(folder, result);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    gate.stop('disk', `A result cannot be written to ${folder} (${said}). Free space there and run again.`);
    throw error;
  }
}

/** The test's name tells questions, agents and trials apart. */
function makeStream({ station }: Trial, { streams, gated }: TrialSetting, name: string): Partial<Stream> {
  return streams ? streamSteps({ name, gated, secrets: station.secrets ?? [] }) : {};
}

function ask(
  workdir: Workdir,
  trial: Trial,
  setting: TrialSetting,
  cancelled: AbortSignal,
  { onAsked, onProgress }: Partial<Stream>,
): Promise<Obtained> {
  const { sample, station, parts, deadlineMs, meta } = trial;
  const question = toQuestion(sample, setting.prompt, workdir);
  const heard = { ...(onAsked && { onAsked }), ...(onProgress && { onProgress }) };
  const options = { trial: meta.trial, deadlineMs, maxSteps: setting.maxSteps, workdir, cancelled, ...heard };
  return obtain(station, question, parts, options);
}

/** A trial that was not asked is skipped, with the reason; a cancelled run leaves no row, as a crash does. */
function skip({ sample, meta, station }: Trial, setting: TrialSetting, context: TestContext, reason: string): void {
  if (reason !== 'interrupted')
    appendResult(setting.folder, toNotRun(meta, sample.target, reason, explain(station, reason)));
  context.skip(`not run: ${reason}`);
}

function explain({ gate, agent }: Station, reason: string): string {
  return gate.whyStopped(agent.name) ?? `The agent was not asked: ${reason}.`;
}

function assertResult(sample: Sample, asked: Asked, result: SampleResult, setting: TrialSetting): void {
  const failure = toFailure(asked, result);
  if (failure !== null) throw failure;
  if (result.output === null) return;
  if (sample.target === null) {
    requireAnswer(result);
    return;
  }
  const verbatim = asked.outcome === 'answered' && asked.answer.verbatim === true;
  setting.assert(result.output, sample.target, sample, { verbatim });
}

/** Where no truth is known an answer must at least be there. */
function requireAnswer({ state, reason }: SampleResult): void {
  if (state === 'no_answer') throw new Error(`No answer: ${reason}. It counts as none, whatever the truth is.`);
}

/**
 * What is known without asking anyone: the answer in the cache, or what the agent of a recording said. Null when the
 * question is to be asked. It needs no slot, no deadline and no prompt.
 */
function recall(station: Station, id: string, trial: number, parts: CacheParts | null): Asked | null {
  const kept = parts === null ? null : (station.answers?.find(parts) ?? null);
  if (kept !== null) return kept;
  const said = station.agent.recall?.(id, trial);
  if (said === undefined) return null;
  const now = new Date().toISOString();
  const times = { startedAt: now, answeredAt: now, latencyMs: said.latencyMs ?? null, attempts: 1, cached: false };
  const asked: Asked =
    said instanceof AgentError
      ? { ...times, outcome: 'failed', error: said }
      : { ...times, outcome: 'answered', answer: said };
  return hideInAsked(asked, station.secrets ?? []);
}

/** Longest time in ms for which trials that wait for nothing keep everything else from running. */
const LONGEST_MS = 20;

let last = performance.now();
let breath: Promise<void> | null = null;

/**
 * Lets the process turn to other things now and then. Recalled trials run one after the other without a pause: no result
 * would be reported, and no Ctrl-C heard, before the last of them. Null when there is no need to wait.
 */
function takeBreath(): Promise<void> | null {
  if (breath === null && performance.now() - last > LONGEST_MS) breath = breathe();
  return breath;
}

async function breathe(): Promise<void> {
  await setImmediate();
  breath = null;
  last = performance.now();
}
