import type { TestContext } from 'vitest';
import type { CacheParts } from '../runs/answer-cache.ts';
import { toNotRun } from '../runs/not-run.ts';
import { appendResult } from '../runs/sample-log.ts';
import { saveWorkdir } from '../runs/saved-workdir.ts';
import { writeTrace } from '../runs/trace-file.ts';
import { type TrialMeta, toResultMeta } from '../runs/trial-meta.ts';
import type { Sample, SampleResult } from '../types.ts';
import type { Asked } from './ask.ts';
import { hideGated, toFailure, withoutFrames } from './failure.ts';
import { type Obtained, obtain, type Station } from './obtain.ts';
import { toQuestion } from './question.ts';
import { type Scoring, toResult } from './to-result.ts';
import { Workdir } from './workdir.ts';

/** One trial of one sample by one agent, ready to run. */
export type Trial = {
  readonly sample: Sample;
  readonly station: Station;
  readonly meta: TrialMeta;
  /** What a kept answer must have in common with this trial; null when the agent's answers are not kept. */
  readonly parts: CacheParts | null;
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
  /** Throws when the output is not the target. */
  assert(output: string, target: string, sample: Sample, options: { readonly verbatim: boolean }): void;
};

/**
 * One sample's way through a generated test: get the answer, grade, write the row, show it in the test's meta, then
 * assert. The row is on disk before anything can fail the test.
 */
export async function runTrial(trial: Trial, setting: TrialSetting, context: TestContext): Promise<void> {
  const workdir = new Workdir(trial.sample.attachments);
  try {
    await runIn(workdir, trial, setting, context);
  } finally {
    workdir.remove();
  }
}

async function runIn(workdir: Workdir, trial: Trial, setting: TrialSetting, context: TestContext): Promise<void> {
  const obtained = await getAnswer(workdir, trial, setting, context.signal);
  if (obtained.outcome === 'not_asked') return skip(trial, setting, context, obtained.reason);
  const result = toResult(trial.sample, trial.meta, obtained, setting.scoring);
  keep(result, trial, setting, context);
  const { trace } = obtained.outcome === 'answered' ? obtained.answer : obtained.error.progress;
  if (trace !== undefined) writeTrace(setting.folder, result, trace);
  keepWorkdir(workdir, result, setting);
  try {
    assertResult(trial.sample, obtained, result, setting);
  } catch (error) {
    throw setting.gated ? hideGated(result) : withoutFrames(error, result);
  }
}

function getAnswer(workdir: Workdir, trial: Trial, setting: TrialSetting, cancelled: AbortSignal): Promise<Obtained> {
  const { sample, station, parts, deadlineMs, meta } = trial;
  const question = toQuestion(sample, setting.prompt, workdir);
  const { maxSteps } = setting;
  return obtain(station, question, parts, { trial: meta.trial, deadlineMs, maxSteps, workdir, cancelled });
}

/** A replay, and an answer from the cache, have no work folder to keep. */
function keepWorkdir(workdir: Workdir, result: SampleResult, { folder, keepWorkdir }: TrialSetting): void {
  const failed = result.state !== 'correct' && result.state !== 'ungraded';
  if (keepWorkdir === 'all' || (keepWorkdir === 'failed' && failed)) saveWorkdir(folder, workdir.made, result);
}

/** A trial that was not asked is skipped, with the reason; a cancelled run leaves no row, as a crash does. */
function skip({ sample, meta }: Trial, setting: TrialSetting, context: TestContext, reason: string): void {
  if (reason !== 'interrupted')
    appendResult(setting.folder, toNotRun(meta, sample.target, reason, `The agent was not asked: ${reason}.`));
  context.skip(`not run: ${reason}`);
}

function keep(result: SampleResult, { meta }: Trial, { folder, gated }: TrialSetting, { task }: TestContext): void {
  appendResult(folder, result);
  task.meta.eval = toResultMeta(meta, result, gated);
}

function assertResult(sample: Sample, asked: Asked, result: SampleResult, setting: TrialSetting): void {
  const failure = toFailure(asked, result);
  if (failure !== null) throw failure;
  if (result.output === null || sample.target === null) return;
  const verbatim = asked.outcome === 'answered' && asked.answer.verbatim === true;
  setting.assert(result.output, sample.target, sample, { verbatim });
}
