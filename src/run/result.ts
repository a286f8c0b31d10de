import type { TrialMeta } from '../store/trial-meta.ts';
import type { Answer, CutShort, Outcome, Progress } from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import type { SampleResult } from '../words/row.ts';
import type { Json, Sample } from '../words/sample.ts';
import { toText } from '../words/show.ts';
import type { Graded } from './grade-by-scores.ts';
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
  const head = { ...identity(sample, trial), ...factsOf(outcome) };
  if (outcome.outcome === 'failed') return { row: { ...head, ...toFailed(outcome) }, grade: null };
  const { answer, latency_ms } = outcome;
  const toRowOf = (end: RowEnd) => ({ row: { ...head, ...end, latency_ms }, grade: null });
  const { output, reason = 'missing' } = answer;
  if (output === null) return toRowOf(toUnanswered(reason, null));
  const read = await scoring.read(output);
  if ('problem' in read)
    return toRowOf(toUnanswered(answer.cutShort ?? read.reason, output, read.problem));
  const said = { output, value: read.value };
  if (sample.target === null) return toRowOf(toUngraded(said, answer, sample, scoring));
  const grade = await scoring.grade(read.value, sample.target, sample, answer, limitMs);
  return { row: { ...head, ...toGraded(output, answer, sample, grade), latency_ms }, grade };
}

type RowEnd = ReturnType<typeof toUnanswered> | ReturnType<typeof toUngraded>;

/** An output as the agent returned it, and its value as scores get it. */
type GivenOutput = Readonly<{ output: Json; value: Json }>;

const NOTHING = { output: null, answer: null, how: null, rules: null, error: null } as const;

function identity(sample: Sample, { run: _run, ...trial }: TrialMeta) {
  return {
    version: 1,
    ...trial,
    target: toOwnLabels(sample.target, sample),
    ...omitNullish({ accepts: sample.accepts }),
    ...choiceFacts(sample),
  } as const;
}

function factsOf(outcome: Outcome) {
  const spent: Progress = outcome.outcome === 'answered' ? outcome.answer : outcome.error.progress;
  return {
    model: spent.model ?? null,
    waited_ms: spent.waitedMs ?? 0,
    usage: spent.usage ?? null,
    cost_usd: spent.cost ?? null,
    ...(spent.costEstimated === true && { cost_estimated: true as const }),
    cached: outcome.cached,
    attempts: outcome.attempts,
    steps: spent.steps ?? null,
    ...omitNullish({
      first_token_ms: spent.firstTokenMs,
      slots: outcome.slots,
      conversation: spent.conversation,
    }),
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
  const own = {
    output,
    answer: toOwnLabels(answer, sample),
    how,
    explanation,
    ...omitNullish({ certain }),
  };
  return { ...NOTHING, ...own, state: 'ungraded', reason: cutShort ?? null } as const;
}

function toGraded(output: Json, { cutShort }: Answer, sample: Sample, grade: Graded) {
  const { state, reason, how, rules, confidence, certain, scores, judge, undecided } = grade;
  const accepted = grade.accepted === undefined ? null : toOwnLabels(grade.accepted, sample);
  const facts = {
    output,
    how,
    rules,
    explanation: explain(grade, cutShort, sample),
    confidence,
    ...presentedFact(sample, grade.answer),
    ...omitNullish({ certain, scores, judge, accepted }),
    error: null,
  };
  const own = toOwnLabels(grade.answer, sample);
  if (undecided !== undefined)
    return { ...facts, state: 'not_run', reason: undecided, answer: own } as const;
  if (state === 'no_answer')
    return { ...facts, state, reason: cutShort ?? reason ?? 'empty', answer: null } as const;
  return { ...facts, state, reason: cutShort ?? null, answer: own } as const;
}

function explain(
  { explanation }: Graded,
  cutShort: CutShort | undefined,
  { presentation }: Sample,
): string {
  const labels = presentation === undefined ? '' : ' (labels as presented)';
  const cut = cutShort === undefined ? '' : ` (the output was cut short: ${cutShort})`;
  return explanation + labels + cut;
}

/**
 * The row's fields about a multiple-choice question, except its answer; none for other questions.
 */
function choiceFacts(sample: Sample): Pick<SampleResult, 'options' | 'multiple' | 'presented'> {
  const { choices, multiple } = sample;
  if (choices === undefined) return {};
  return {
    options: Object.keys(choices).length,
    multiple: multiple ?? null,
    ...presentedFact(sample, null),
  };
}

/** The dataset's labels ("A,D") for those that the agent saw, if options were shuffled. */
function toOwnLabels(labels: Json, { presentation }: Sample): Json {
  if (labels === null || presentation === undefined) return labels;
  const ownLabels = new Map(Object.entries(presentation.ownLabels));
  const order = [...ownLabels.keys()];
  const own = toText(labels)
    .split(',')
    .map((label) => ownLabels.get(label) ?? label);
  return own.sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(',');
}

/** The positions of the right and the chosen options, if options were shuffled. */
function presentedFact(
  { presentation, target }: Sample,
  answer: Json,
): Pick<SampleResult, 'presented'> {
  if (presentation === undefined || target === null) return {};
  const { seed, ownLabels } = presentation;
  const order = Object.keys(ownLabels);
  const placesOf = (labels: Json) =>
    toText(labels)
      .split(',')
      .flatMap((label) => (order.includes(label) ? order.indexOf(label) + 1 : []));
  return {
    presented: {
      seed,
      target: placesOf(target),
      answer: answer === null ? null : placesOf(answer),
    },
  };
}
