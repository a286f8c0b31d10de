import type { LimitFunction } from 'p-limit';
import type { TestContext } from 'vitest';
import { appendResult } from '../runs/sample-log.ts';
import { type TrialMeta, toResultMeta } from '../runs/trial-meta.ts';
import type { Agent, Sample, SampleResult } from '../types.ts';
import { ask } from './ask.ts';
import { hideGated, toFailure, withoutStack } from './failure.ts';
import { toQuestion } from './question.ts';
import { type Scoring, toResult } from './to-result.ts';

/** One trial of one sample by one agent, ready to run. */
export type Trial = {
  readonly sample: Sample;
  readonly agent: Agent;
  /** Admits calls of this agent's provider. */
  readonly limit: LimitFunction;
  readonly meta: TrialMeta;
};

/** What the trials of a suite share. */
export type TrialSetting = {
  readonly prompt: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** Whether questions, truths and answers must not be shown. */
  readonly gated: boolean;
  readonly scoring: Scoring;
  deadlineMs(sample: Sample): number;
  /** Throws when the output is not the target. */
  assert(output: string, target: string, sample: Sample, options: { readonly verbatim: boolean }): void;
};

/**
 * One sample's way through a generated test: ask under the deadline once a slot is held, grade, write the row, show it
 * in the test's meta, then assert. The row is on disk before anything can fail the test.
 */
export async function runTrial(trial: Trial, setting: TrialSetting, { task, signal }: TestContext): Promise<void> {
  const { sample, agent, limit, meta } = trial;
  const question = toQuestion(sample, setting.prompt);
  const options = { trial: meta.trial, deadlineMs: setting.deadlineMs(sample), cancelled: signal };
  const asked = await limit(() => ask(agent, question, options));
  const result = toResult(sample, meta, asked, setting.scoring);
  appendResult(setting.folder, result);
  task.meta.eval = toResultMeta(meta, result, setting.gated);
  const failure = toFailure(asked, result);
  const verbatim = asked.outcome === 'answered' && asked.answer.verbatim === true;
  showFailure(result, setting.gated, () => {
    if (failure !== null) throw failure;
    if (result.output !== null && sample.target !== null) {
      setting.assert(result.output, sample.target, sample, { verbatim });
    }
  });
}

function showFailure(result: SampleResult, gated: boolean, assert: () => void): void {
  try {
    assert();
  } catch (error) {
    throw gated ? hideGated(result) : withoutStack(error);
  }
}
