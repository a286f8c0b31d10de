import { resolve } from 'node:path';
import type { PriceTable } from '../../agents/price.ts';
import { toTracedAnswer } from '../../agents/traced-answer.ts';
import { readSpans } from '../../data/files/genai-attributes.ts';
import { readGenAiTrace } from '../../data/files/genai-trace.ts';
import { type RecordedRequest, readRequests } from '../../data/files/recorded-requests.ts';
import type { OpenedRecords } from '../../data/load.ts';
import { openSource } from '../../data/source.ts';
import type { Answer, TraceStep } from '../../words/answer.ts';
import { omitNullish } from '../../words/fields.ts';
import { tryOrUndefined } from '../../words/show.ts';

/**
 * What spans say of an answer: an agent may return it as it is.
 *
 * @example
 * const { output, costUsd, trace }: AnswerOfSpans = await fromSpans(exporter.getFinishedSpans());
 * console.log(output, costUsd, trace.length);
 */
export type AnswerOfSpans = Pick<
  Answer,
  'model' | 'usage' | 'costUsd' | 'costEstimated' | 'steps'
> &
  Readonly<{
    /** Null where the spans have no texts: give your own. */
    output: string | null;
    trace: readonly TraceStep[];
  }>;

/**
 * The answer of an agent that emits OpenTelemetry's spans for generative AI: finished spans of the
 * JS SDK or of OTLP's JSON, those of one answer. `costUsd` is in US dollars: what the spans state,
 * else an estimate by `prices` (US dollars for a million tokens, by model) or list prices. Throws a
 * TypeError if none of the spans is a call of an agent, a model or a tool.
 *
 * @example
 * export default async ({ prompt }: Question) => {
 *   exporter.reset(); // an InMemorySpanExporter of @opentelemetry/sdk-trace-base
 *   const output = await askMyAgent(prompt);
 *   return { ...(await fromSpans(exporter.getFinishedSpans())), output };
 * };
 */
export async function fromSpans(
  spans: unknown,
  { prices = {} }: { readonly prices?: PriceTable } = {},
): Promise<AnswerOfSpans> {
  const found = readGenAiTrace(readSpans(spans));
  if (found === null) {
    throw new TypeError(
      'fromSpans got no span with "gen_ai.operation.name". Pass the finished spans of one answer, and flush them before.',
    );
  }
  return toTracedAnswer(found, prices);
}

/**
 * A request of a trace as a record. `map` of a suite may add a target.
 *
 * @example
 * await defineEval('again', {
 *   data: fromOtlp('traces.jsonl'),
 *   map: (record: OtlpRecord) => ({ ...record, target: record.metadata.output }),
 * });
 */
export type OtlpRecord = {
  /** The id of the trace, with that of its first span where the trace has several requests. */
  readonly id: string;
  /** What the user said; absent in a conversation. */
  readonly input?: string;
  /** The user's messages of a conversation. */
  readonly turns?: readonly string[];
  readonly metadata: {
    /** What the agent answered then; null if nothing was recorded. */
    readonly output: string | null;
    readonly model: string | null;
    /** In ISO 8601. */
    readonly time: string | null;
    /** The names of the tools that were called. */
    readonly tools: readonly string[];
  };
};

/**
 * The records of a suite from recorded requests. The file, relative to the eval file, has
 * OpenTelemetry's spans for generative AI, a JSON of OTLP on each line. What is left out becomes a
 * note. The load throws an error with file, line and remedy if no request is left.
 *
 * @example
 * await defineEval('asked', {
 *   data: fromOtlp('traces.jsonl'),
 *   score: ({ output }) => !output.includes('language model'),
 * });
 */
export function fromOtlp(
  path: string,
): (context: { readonly folder: string }) => Promise<OpenedRecords<OtlpRecord>> {
  return async ({ folder }) => {
    const file = resolve(folder, path);
    const { requests, notes } = readRequests(file);
    const source = await openSource({ path: file });
    const records = requests.map((request) => ({ line: request.line, value: toRecord(request) }));
    return { source: { ...source, notes }, records: { file, records } };
  };
}

function toRecord({ id, trace, messages, isCut }: RecordedRequest): OtlpRecord {
  const turns = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const calls = trace.trace.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name));
  return {
    id,
    ...(turns.length > 1 ? { turns } : omitNullish({ input: turns[0] })),
    metadata: {
      output: isCut ? null : trace.output,
      model: trace.model,
      time: tryOrUndefined(() => new Date(trace.from).toISOString()) ?? null,
      tools: [...new Set(calls)],
    },
  };
}
