import type { GenAiTrace } from '../data/files/genai-trace.ts';
import type { Answer } from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import { loadCost, type PriceTable } from './price.ts';

/** What a trace says of an answer. The cost is what its spans state, else an estimate. */
export async function toTracedAnswer(
  { output, trace, usage, model, calls, cost }: GenAiTrace,
  prices: PriceTable = {},
): Promise<
  Pick<Answer, 'output' | 'model' | 'usage' | 'costUsd' | 'costEstimated' | 'steps'> &
    Pick<GenAiTrace, 'output' | 'trace'>
> {
  const estimate = cost === null ? await loadCost(calls, prices) : null;
  return {
    output,
    trace,
    steps: trace.length,
    ...omitNullish({ usage, model, costUsd: cost ?? estimate }),
    ...(estimate !== null && { costEstimated: true as const }),
  };
}
