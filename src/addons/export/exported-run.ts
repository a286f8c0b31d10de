import { basename, join } from 'node:path';
import { evaluatePastRun } from '../../../reporters/past-run.ts';
import type { Quotable, Subject } from '../../../reporters/quotation.ts';
import { toConditions, toSubject } from '../../../reporters/quote-run.ts';
import { readTrace } from '../../agents/returned-answer.ts';
import type { RunOutcome } from '../../figures/evaluate-run.ts';
import { groupByVariant, toSuiteKey } from '../../figures/groups.ts';
import { type Manifest, nameStoredPrompt } from '../../store/manifest.ts';
import { type LoggedQuestion, readPrompt, toTracePath } from '../../store/run-folder.ts';
import { readShownQuestions } from '../../store/run-reader.ts';
import type { TraceStep } from '../../words/answer.ts';
import { hideTexts } from '../../words/audience.ts';
import { listSteps, toTraceOutput } from '../../words/conversation.ts';
import { isFields, pick } from '../../words/fields.ts';
import type { SuiteSummary } from '../../words/figures.ts';
import { type SampleResult, wasAsked } from '../../words/row.ts';
import type { Message } from '../../words/sample.ts';
import { cutTexts, toText, toTextOrNull, tryOrUndefined } from '../../words/show.ts';

/** A run as it leaves this machine. */
export type ExportedRun = {
  readonly name: string;
  readonly manifest: Manifest;
  readonly variants: readonly ExportedVariant[];
};

/** A suite by one agent with one prompt. */
export type ExportedVariant = {
  readonly figures: SuiteSummary;
  /** What judged the answers: a matcher, or "score" for a suite's own code. */
  readonly scorer: string;
  /** Whether the texts of its records stay here. */
  readonly isHidden: boolean;
  readonly results: readonly SampleResult[];
  /** How often each question was planned. */
  readonly trials: number;
  readonly agent: Subject['agent'];
  readonly dataset: Subject['dataset'];
  readonly settings: Quotable['settings'];
  readonly deadlineSeconds: Quotable['deadlineSeconds'];
  /** The text is null where it is not known, and where it may show records that stay here. */
  readonly prompt: Readonly<{ name: string; text: string | null }>;
  /**
   * The trials whose agent was asked, one by one, because all traces together may not fit in
   * memory.
   */
  readonly listTrials: () => Iterable<ExportedTrial>;
};

/** A trial. Where records are hidden, none of its fields quotes one, and it has no turns. */
export type ExportedTrial = {
  readonly row: ExportedRow;
  readonly question: LoggedQuestion | null;
  /** What the agent was sent: the messages of its trace, or else the question. */
  readonly sent: readonly { readonly role: 'system' | 'user'; readonly text: string }[];
  /** Of a conversation: what was said after that and before the output. */
  readonly between: readonly Message[];
  readonly turns: readonly ExportedTurn[];
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
};

type ExportedTurn = { readonly role: 'system' | 'user'; readonly text: string } | Reply;

/** What a model says, with what its tools answered until `end`. */
export type Reply = Pick<TraceStep, 'text' | 'reasoning' | 'stop' | 'usage' | 'cost_usd'> &
  Span & {
    readonly role: 'assistant';
    readonly calls: readonly ToolCall[];
    readonly end: number;
  };

/** A tool call. `input` has its arguments as an object, whatever the model wrote. */
export type ToolCall = Span & {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string | null;
  readonly failed: boolean;
};

/** In ms since 1970. */
export type Span = { readonly from: number; readonly to: number };

type ExportedRow = Omit<SampleResult, keyof Texts> & Texts;

/** The fields of a row that may quote its record. */
type Texts = {
  readonly target: string | null;
  readonly output: string | null;
  readonly answer: string | null;
  readonly explanation: string;
  readonly confidence: string | number | null;
  readonly error: { readonly kind: string; readonly message: string } | null;
};

/**
 * Reads a run for export. Leaving the machine is publishing, so texts that CI hides stay out
 * everywhere unless `showGated`. Throws if the folder is not a run, or has no answers.
 */
export function readExportedRun(folder: string, showGated: boolean): ExportedRun {
  const run = evaluatePastRun(folder, { ci: true, showGated });
  const { manifest, summary, results } = run;
  const byVariant = groupByVariant(results);
  const variants = summary.suites.map((figures) => {
    const { suite } = figures;
    const isHidden = run.isHidden(suite);
    const rows = byVariant.get(toSuiteKey(figures)) ?? [];
    const entry = manifest.suites.find((each) => each.suite === suite);
    if (entry === undefined) throw new Error(`manifest.json has no suite ${suite}.`);
    const listTrials = () => readTrials(run, suite, rows, Date.parse(manifest.created_at));
    const { agent, dataset } = toSubject(entry, figures.agent, rows);
    const hash = rows[0]?.prompt_hash ?? '';
    return {
      ...{ figures, agent, dataset, isHidden, results: rows, listTrials },
      scorer: entry.matcher ?? 'score',
      trials: entry.trials,
      ...pick(toConditions(entry, figures.agent, rows, manifest), 'settings', 'deadlineSeconds'),
      prompt: {
        name: nameStoredPrompt(entry, hash),
        text: isHidden || hash === '' ? null : readPrompt(folder, suite, hash),
      },
    };
  });
  return { name: basename(folder), manifest, variants };
}

function* readTrials(
  run: RunOutcome,
  suite: string,
  rows: readonly SampleResult[],
  ranAt: number,
): Generator<ExportedTrial, void> {
  const isHidden = run.isHidden(suite);
  const questions = readShownQuestions(run, suite);
  for (const row of rows.filter(wasAsked)) {
    const startedAt = row.started_at === null ? ranAt : Date.parse(row.started_at);
    const answeredAt = row.answered_at === null ? startedAt : Date.parse(row.answered_at);
    const found = isHidden ? null : readTrace(join(run.folder, toTracePath(row)));
    // Watch mode leaves the traces of earlier answers.
    const trace = found?.output === toTraceOutput(row.output) ? found : null;
    const question = shorten(questions.get(row.id) ?? null);
    const asked =
      question === null ? [] : [{ role: 'user' as const, text: toText(question.input, 2) }];
    yield {
      row: shorten(showTexts(isHidden ? hideTexts(row) : row)),
      question,
      sent: trace?.sent?.messages ?? asked,
      between: shorten(trace?.messages?.slice(1, row.output === null ? undefined : -1) ?? []),
      turns: [...listTurns(trace === null ? [] : listSteps(trace), startedAt)],
      startedAt,
      // A replay is answered at once and has the latency of its recording.
      endedAt: Math.max(answeredAt, startedAt + (row.latency_ms ?? 0)),
    };
  }
}

/** A reply begins when what came before it has ended. Without a time it takes none. */
function* listTurns(steps: readonly TraceStep[], startedAt: number): Generator<ExportedTurn, void> {
  let from = startedAt;
  for (const [index, { role, tool_calls, at_ms = 0, ...reply }] of steps.entries()) {
    if (role === 'user' || role === 'system') {
      yield { role, text: reply.text ?? '' };
      continue;
    }
    const to = Math.max(from, startedAt + at_ms);
    const calls = tool_calls.map((call, place) => ({
      ...call,
      id: `call-${index + 1}.${place + 1}`,
      input: toArguments(call.arguments),
      from: to,
      to: Math.max(to, startedAt + (call.at_ms ?? 0)),
    }));
    const end = Math.max(to, ...calls.map((call) => call.to));
    yield { role: 'assistant', ...reply, calls, from, to, end };
    from = end;
  }
}

/** Why a reply ended, in Inspect's words. Providers have theirs, and a row its reason. */
export function toStopReason({ stop, calls }: Pick<Reply, 'stop' | 'calls'>): StopReason {
  const found = STOP_REASONS.find(([pattern]) => pattern.test(stop ?? ''));
  return found?.[1] ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}

type StopReason = 'stop' | 'tool_calls' | 'max_tokens' | 'model_length' | 'content_filter';

const STOP_REASONS: readonly (readonly [RegExp, StopReason])[] = [
  [/context/, 'model_length'],
  [/max|length/, 'max_tokens'],
  [/tool|function/, 'tool_calls'],
  [/filter|refusal/, 'content_filter'],
];

/** The form in which Inspect and OpenTelemetry take arguments. */
function toArguments(text: string): Readonly<Record<string, unknown>> {
  const value = tryOrUndefined((): unknown => JSON.parse(text));
  return isFields(value) ? value : { arguments: text };
}

/**
 * Cuts each text as traces do: viewers read a sample or a span as a whole. samples.jsonl has all
 * texts in full.
 */
export const shorten = <T>(value: T, longest = LONGEST): T => cutTexts(value, longest);

const LONGEST = 20_000;

/** A row with its values as texts. */
function showTexts({ target, output, answer, ...row }: SampleResult): ExportedRow {
  return {
    ...row,
    target: toTextOrNull(target),
    output: toTextOrNull(output, 2),
    answer: toTextOrNull(answer),
  };
}
