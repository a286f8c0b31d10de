import type { GenAiTrace } from '../data/files/genai-trace.ts';
import type { Answer, TraceStep } from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import { loadCost, type PriceTable } from './price.ts';

/** An agent's answer, read from its spans. */
export type AnswerOfSpans = Pick<Answer, 'model' | 'usage' | 'cost' | 'costEstimated' | 'steps'> &
  Readonly<{
    /** Null where the spans have no texts: give your own. */
    output: string | null;
    trace: readonly TraceStep[];
  }>;

/**
 * The answer of an agent that emits OpenTelemetry's spans for generative AI: finished spans of the
 * JS SDK or of OTLP's JSON, those of one answer. The cost is what they state, else an estimate by
 * `prices` or list prices. Throws if none of them is a call of an agent, a model or a tool.
 */
export async function fromSpans(
  spans: unknown,
  { prices = {} }: { readonly prices?: PriceTable } = {},
): Promise<AnswerOfSpans> {
  const [{ readGenAiTrace }, { readSpans }] = await Promise.all([
    import('../data/files/genai-trace.ts'),
    import('../data/files/genai-attributes.ts'),
  ]);
  const found = readGenAiTrace(readSpans(spans));
  if (found === null) {
    throw new TypeError(
      'fromSpans got no span with "gen_ai.operation.name". Pass the finished spans of one answer, and flush them before.',
    );
  }
  return toAnswer(found, prices);
}

/** The answer of a trace. */
export async function toAnswer(
  { output, trace, usage, model, calls, cost }: GenAiTrace,
  prices: PriceTable = {},
): Promise<AnswerOfSpans> {
  const estimate = cost === null ? await loadCost(calls, prices) : null;
  return {
    output,
    trace,
    steps: trace.length,
    ...omitNullish({ usage, model, cost: cost ?? estimate }),
    ...(estimate !== null && { costEstimated: true as const }),
  };
}
