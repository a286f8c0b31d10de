import type { TrialMeta } from '../runs/trial-meta.ts';
import type { Answer, CutShort, Grade, Progress, Sample, SampleResult } from '../types.ts';
import type { Asked } from './ask.ts';
import { choiceFacts, presentedFact, toOwnLabels } from './choice-facts.ts';

/** How a suite judges outputs. `verbatim` means that the output is the bare answer: nothing is extracted from it. */
export type Scoring = {
  /** Finds the answer in an output; used where no truth is known. */
  extract(output: string, sample: Sample): { readonly answer: string | null; readonly how: string };
  grade(output: string | null, target: string, sample: Sample, options: { readonly verbatim: boolean }): Grade;
};

/** The row of samples.jsonl for what came of asking. */
export function toResult(sample: Sample, trial: TrialMeta, asked: Asked, scoring: Scoring): SampleResult {
  const head = { ...identity(sample, trial), ...facts(asked) };
  if (asked.outcome === 'failed') return { ...head, ...failure(asked) };
  return { ...head, ...judge(sample, asked.answer, scoring), latency_ms: asked.latencyMs };
}

const NOTHING = { output: null, answer: null, how: null, rules: null, latency_ms: null, error: null } as const;

function identity(sample: Sample, { run: _run, ...trial }: TrialMeta) {
  return { version: 1, ...trial, target: toOwnLabels(sample.target, sample), ...choiceFacts(sample) } as const;
}

function facts(asked: Asked) {
  const spent: Progress = asked.outcome === 'answered' ? asked.answer : asked.error.progress;
  return {
    model: spent.model ?? null,
    waited_ms: spent.waitedMs ?? 0,
    usage: spent.usage ?? null,
    cost_usd: spent.cost ?? null,
    ...(spent.costEstimated === true ? { cost_estimated: true as const } : {}),
    cached: asked.cached,
    attempts: asked.attempts,
    steps: spent.steps ?? null,
    ...(asked.slots === undefined ? {} : { slots: asked.slots }),
    confidence: null,
    started_at: asked.startedAt,
    answered_at: asked.answeredAt,
  };
}

function failure({ error, latencyMs }: Asked & { outcome: 'failed' }) {
  const { kind, message, status, requestId } = error;
  return {
    ...NOTHING,
    state: kind === 'timed_out' ? 'timed_out' : 'errored',
    reason: kind,
    explanation: message,
    latency_ms: latencyMs,
    error: { kind, message, status, request_id: requestId },
  } as const;
}

function judge(sample: Sample, answer: Answer, scoring: Scoring) {
  if (answer.text === null) return unanswered(answer.reason ?? 'missing', null);
  const { cutShort = null } = answer;
  if (sample.target === null) return ungraded(answer.text, cutShort, sample, scoring);
  const {
    state,
    reason,
    answer: extracted,
    how,
    rules,
    explanation,
    confidence,
    partial,
  } = scoring.grade(answer.text, sample.target, sample, { verbatim: answer.verbatim === true });
  const presented = presentedFact(sample, extracted);
  const facts = { confidence, ...presented, ...(partial === undefined ? {} : { partial }) };
  const labels = sample.presentation === undefined ? '' : ' (labels as presented)';
  const cut = cutShort === null ? '' : ` (the output was cut short: ${cutShort})`;
  const common = { output: answer.text, how, rules, explanation: explanation + labels + cut, ...facts, error: null };
  if (state === 'no_answer') return { ...common, state, reason: cutShort ?? reason ?? 'empty', answer: null } as const;
  return { ...common, state, reason: cutShort, answer: toOwnLabels(extracted, sample) } as const;
}

function ungraded(text: string, cutShort: CutShort | null, sample: Sample, scoring: Scoring) {
  const { answer, how } = scoring.extract(text, sample);
  if (answer === null || answer.trim() === '') return unanswered(cutShort ?? 'empty', text);
  const explanation = 'No truth is known for this sample.';
  const own = toOwnLabels(answer, sample);
  return {
    state: 'ungraded',
    reason: cutShort,
    output: text,
    answer: own,
    how,
    rules: null,
    explanation,
    error: null,
  } as const;
}

function unanswered(reason: string, output: string | null) {
  const explanation = `No answer: ${reason}.`;
  return {
    state: 'no_answer',
    reason,
    output,
    answer: null,
    how: 'none',
    rules: null,
    explanation,
    error: null,
  } as const;
}
