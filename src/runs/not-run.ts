import type { Sample, SampleResult } from '../types.ts';
import type { TrialMeta } from './trial-meta.ts';

/** The row of a trial that has no result: the agent was not asked, or what it said was lost. */
export function toNotRun(
  { run: _run, ...trial }: TrialMeta,
  target: Sample['target'],
  reason: string,
  explanation: string,
): SampleResult {
  return {
    version: 1,
    ...trial,
    target,
    state: 'not_run',
    reason,
    explanation,
    output: null,
    answer: null,
    how: null,
    rules: null,
    latency_ms: null,
    error: null,
    model: null,
    waited_ms: 0,
    usage: null,
    cost_usd: null,
    cached: false,
    attempts: 0,
    steps: null,
    confidence: null,
    started_at: null,
    answered_at: null,
  };
}
