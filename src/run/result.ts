import type { TrialMeta } from '../store/trial-meta.ts';
import type { Answer, CutShort, Outcome, Progress } from '../words/answer.ts';
import type { SampleResult } from '../words/row.ts';
import type { Json, Sample } from '../words/sample.ts';
import { toText } from '../words/show.ts';
import type { Graded } from './named-scores.ts';
import type { Suite } from './suite.ts';

/** A row of samples.jsonl and its grade; null if nothing was graded. */
export type GradedRow = Readonly<{ row: SampleResult; grade: Graded | null }>;

/** Grades an outcome once and makes its row. Rejects with what a suite's score throws. */
export async function toRow(
  sample: Sample,
  trial: TrialMeta,
  outcome: Outcome,
  scoring: Pick<Suite, 'read' | 'extract' | 'grade'>,
  limitMs: number,
): Promise<GradedRow> {
  const head = { ...toHead(sample, trial), ...toSpent(outcome) };
  if (outcome.outcome === 'failed') return { row: { ...head, ...toFailed(outcome) }, grade: null };
  const { answer, latency_ms } = outcome;
  const toRowOf = (end: RowEnd) => ({ row: { ...head, ...end, latency_ms }, grade: null });
  const { output, reason = 'missing' } = answer;
  if (output === null) return toRowOf(toUnanswered(reason, null));
  const read = await scoring.read(output, limitMs);
  if ('problem' in read)
    return toRowOf(toUnanswered(answer.cutShort ?? read.reason, output, read.problem));
  const given = { output, value: read.value };
  if (sample.target === null) return toRowOf(toUngraded(given, answer, sample, scoring));
  const facts = { ...answer, latencyMs: latency_ms };
  const grade = await scoring.grade(read.value, sample.target, sample, facts, limitMs);
  return { row: { ...head, ...toGradedEnd(output, answer, sample, grade), latency_ms }, grade };
}

/** The row of an outcome that is not graded: with what it cost. `score`: since the suite's scores fail. */
export function toUngradable(
  sample: Sample,
  trial: TrialMeta,
  outcome: Outcome,
  { reason, why }: Readonly<{ reason: string; why: string }>,
): SampleResult {
  const { latency_ms } = outcome;
  const isKept = reason === 'score' && outcome.outcome === 'answered';
  const output = isKept ? outcome.answer.output : null;
  const end = { ...NOTHING, state: 'not_run', reason, explanation: why } as const;
  return { ...toHead(sample, trial), ...toSpent(outcome), ...end, output, latency_ms };
}

type RowEnd = ReturnType<typeof toUnanswered> | ReturnType<typeof toUngraded>;

/** An output as the agent returned it, and its value as scores get it. */
type GivenOutput = Readonly<{ output: Json; value: Json }>;

const NOTHING = { output: null, answer: null, how: null, rules: null, error: null } as const;

function toHead(sample: Sample, { run: _run, ...trial }: TrialMeta) {
  return {
    version: 1,
    ...trial,
    target: toOwnTarget(sample),
    accepts: sample.accepts,
    ...toOptionFacts(sample),
  } as const;
}

function toSpent(outcome: Outcome) {
  const spent: Progress = outcome.outcome === 'answered' ? outcome.answer : outcome.error.progress;
  return {
    model: spent.model ?? null,
    waited_ms: spent.waitedMs ?? 0,
    usage: spent.usage ?? null,
    cost_usd: spent.costUsd ?? null,
    cost_estimated: spent.costEstimated === true || undefined,
    cached: outcome.cached,
    attempts: outcome.attempts,
    steps: spent.steps ?? null,
    first_token_ms: spent.firstTokenMs,
    own_delay_ms: outcome.own_delay_ms,
    machine_load: outcome.machine_load,
    slots: outcome.slots,
    tool_calls: spent.toolCalls,
    conversation: spent.conversation,
    confidence: null,
    started_at: outcome.started_at,
    answered_at: outcome.answered_at,
  };
}

function toFailed({ error, latency_ms }: Outcome & { outcome: 'failed' }) {
  const { kind, message, status, requestId: request_id } = error;
  const state = kind === 'timed_out' ? 'timed_out' : 'errored';
  const facts = { kind, message, status, request_id };
  return {
    ...NOTHING,
    state,
    reason: kind,
    explanation: message,
    latency_ms,
    error: facts,
  } as const;
}

function toUnanswered(reason: string, output: Json, problem = `No answer: ${reason}.`) {
  return {
    ...NOTHING,
    state: 'no_answer',
    reason,
    output,
    how: 'none',
    explanation: problem,
  } as const;
}

function toUngraded(
  { output, value }: GivenOutput,
  { cutShort }: Answer,
  sample: Sample,
  { extract }: Pick<Suite, 'extract'>,
) {
  const { answer, how, certain } = extract(value, sample);
  if (answer === null) return toUnanswered(cutShort ?? 'empty', output);
  const explanation = 'No expected answer is known for this sample.';
  return {
    ...NOTHING,
    output,
    answer: toOwnLabels(answer, sample),
    how,
    explanation,
    ...toPresented(sample, answer),
    certain,
    state: 'ungraded',
    reason: cutShort ?? null,
  } as const;
}

function toGradedEnd(output: Json, { cutShort }: Answer, sample: Sample, grade: Graded) {
  const { state, reason, how, rules, confidence, certain, scores, judge, undecided } = grade;
  const facts = {
    output,
    how,
    rules,
    explanation: explainGrade(grade, cutShort, sample),
    confidence,
    ...toPresented(sample, grade.answer),
    certain,
    scores,
    judge,
    accepted: grade.accepted === undefined ? undefined : toOwnLabels(grade.accepted, sample),
    error: null,
  };
  const answer = toOwnLabels(grade.answer, sample);
  if (undecided !== undefined)
    return { ...facts, state: 'not_run', reason: undecided, answer } as const;
  if (state === 'no_answer')
    return { ...facts, state, reason: cutShort ?? reason ?? 'empty', answer: null } as const;
  return { ...facts, state, reason: cutShort ?? null, answer } as const;
}

function explainGrade(
  { explanation }: Graded,
  cutShort: CutShort | undefined,
  { presentation }: Sample,
): string {
  const words = new Set(explanation.split(/[^\p{L}\p{N}]+/u));
  const isNamed = Object.keys(presentation?.ownLabels ?? {}).some((label) => words.has(label));
  const labels = isNamed ? ' (labels as presented)' : '';
  const cut = cutShort === undefined ? '' : ` (the output was cut short: ${cutShort})`;
  return explanation + labels + cut;
}

/**
 * The row's fields about a multiple-choice question, except its answer; none for other questions.
 */
function toOptionFacts(sample: Sample): Pick<SampleResult, 'options' | 'multiple' | 'presented'> {
  const { choices, multiple } = sample;
  if (choices === undefined) return {};
  return {
    options: Object.keys(choices).length,
    multiple: multiple ?? null,
    ...toPresented(sample, null),
  };
}

/** The expected answer as the dataset has it, also where options were shuffled. */
export function toOwnTarget(sample: Sample): Json {
  return toOwnLabels(sample.target, sample);
}

/** The dataset's labels ("A,D") for those that the agent saw, if options were shuffled. */
function toOwnLabels(labels: Json, { presentation }: Sample): Json {
  if (labels === null || presentation === undefined) return labels;
  const ownLabels = new Map(Object.entries(presentation.ownLabels));
  const order = [...ownLabels.keys()];
  return toText(labels)
    .split(',')
    .map((label) => ownLabels.get(label) ?? label)
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .join(',');
}

/** How the options were shown, if they were shuffled. */
function toPresented(
  { presentation, target }: Sample,
  answer: Json,
): Pick<SampleResult, 'presented'> {
  if (presentation === undefined) return {};
  const { seed, ownLabels } = presentation;
  const shown = Object.keys(ownLabels);
  const placesOf = (labels: Json) =>
    toText(labels)
      .split(',')
      .flatMap((label) => (shown.includes(label) ? shown.indexOf(label) + 1 : []));
  return {
    presented: {
      seed,
      order: Object.values(ownLabels),
      target: target === null ? [] : placesOf(target),
      answer: answer === null ? null : placesOf(answer),
    },
  };
}
