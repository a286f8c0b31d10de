import { sumUsage } from '../data/files/usage.ts';
import type { Answer, AnswerContext, TraceStep, Usage } from '../words/answer.ts';
import { field, listField, omitNullish, textField } from '../words/fields.ts';
import type { Json, Question } from '../words/sample.ts';
import { isCount } from './fields.ts';
import { findMaker, loadCost, type PriceTable } from './price.ts';

/**
 * What `generateText`, `streamText` and the agents of the AI SDK get: spread it into their options.
 *
 * @example
 * const ask = (prompt: string, options: AiSdkOptions) => generateText({ model, prompt, ...options });
 * await defineEval('a', { data: './a.jsonl', agent: aiSdk(({ prompt }, options) => ask(prompt, options)) });
 */
export type AiSdkOptions = {
  readonly abortSignal: AbortSignal;
  /** Notes each step, so that a call that times out still reports its trace, tokens and cost. */
  readonly onStepFinish: (step: unknown) => void;
};

/**
 * The question, with its prompt also as messages of the AI SDK.
 *
 * @example
 * const toSystem = ({ id }: AiSdkQuestion) => `This is ticket ${id}.`;
 * const agent = aiSdk((question, options) =>
 *   generateText({ model, system: toSystem(question), messages: question.messages, ...options }),
 * );
 */
export type AiSdkQuestion<Input = Json> = Omit<Question<Input>, 'messages'> & {
  readonly messages: { role: 'user' | 'assistant'; content: string }[];
};

/**
 * What a call gave as its output: the object that it asked for, else its text.
 *
 * @example
 * type Text = AiSdkOutput<{ text: string }>; // string
 * type Invoice = AiSdkOutput<{ object: { total: number } }>; // { total: number }
 */
export type AiSdkOutput<Result> = 0 extends 1 & Result
  ? // biome-ignore lint/suspicious/noExplicitAny: a result of any type may have any output.
    any
  : Result extends string
    ? string
    : Result extends { readonly object: infer Output }
      ? Awaited<Output>
      : Result extends { readonly output: infer Output }
        ? OrText<Awaited<Output>>
        : Result extends { readonly experimental_output: infer Output }
          ? OrText<Awaited<Output>>
          : Result extends { readonly text: unknown }
            ? string
            : // biome-ignore lint/suspicious/noExplicitAny: it is not known what this call returns.
              any;

/** In AI SDK 5 a call without an object has an output of type never. */
type OrText<Output> = [Output] extends [never] ? string : Exclude<Output, undefined>;

/**
 * Makes an agent of a call of the AI SDK (5 to 7), which returns what `generateText`, `streamText`,
 * `agent.generate` or `agent.stream` return. Its answers have output, steps with tool calls, tokens, the
 * time of the first token of a stream in ms, and a cost in US dollars by `prices` or list prices.
 *
 * @example
 * await defineEval('capitals', {
 *   data: './capitals.jsonl',
 *   agent: aiSdk(({ messages }, options) => generateText({ model, messages, ...options })),
 * });
 */
export function aiSdk<Input = Json, Result = unknown>(
  call: (
    question: AiSdkQuestion<Input>,
    options: AiSdkOptions,
    context: AnswerContext,
  ) => Result | PromiseLike<Result>,
  { prices = {} }: { readonly prices?: PriceTable } = {},
) {
  const answer = async (
    question: Question<Input>,
    context: AnswerContext,
  ): Promise<Answer<AiSdkOutput<Result>>> => {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const seen: SeenStep[] = [];
    const onStepFinish = (step: unknown) => {
      seen.push({ step, at_ms: elapsed() });
      void describeSteps([...seen], prices).then((progress) => context.onProgress?.(progress));
    };
    const messages = question.messages.map(({ role, content }) => ({ role, content }));
    const options = { abortSignal: context.signal, onStepFinish };
    try {
      const result = await call({ ...question, messages }, options, context);
      const firstTokenMs = await readStream(result, elapsed);
      const steps = await collectSteps(result, seen);
      const output = (await readOutput(result)) as AiSdkOutput<Result>;
      return { output, ...(await describeSteps(steps, prices)), ...omitNullish({ firstTokenMs }) };
    } catch (error) {
      if (!isUnfit(error)) throw error;
      return { output: null, reason: 'schema', ...(await describeSteps(seen, prices)) };
    }
  };
  return { priced: true, answer };
}

/** A step of the SDK and when it ended, in ms since the start of the question. */
type SeenStep = { readonly step: unknown; readonly at_ms?: number | undefined };

/** Reads a stream to its end. Returns when its first text or reasoning came; null without one. */
async function readStream(result: unknown, elapsed: () => number): Promise<number | null> {
  const stream = get(result, 'fullStream');
  if (!isIterable(stream)) return null;
  let first: number | null = null;
  for await (const part of stream) {
    const type = textField(part, 'type');
    if (type === 'error') throw field(part, 'error');
    const piece = textField(part, 'text') ?? textField(part, 'textDelta');
    if (piece !== null && /^(?:text|reasoning)(?:-delta)?$/.test(type ?? '')) first ??= elapsed();
  }
  return first;
}

/** The result of `generateObject` is itself the only step. */
async function collectSteps(
  result: unknown,
  seen: readonly SeenStep[],
): Promise<readonly SeenStep[]> {
  const steps: unknown = await get(result, 'steps');
  if (Array.isArray(steps))
    return steps.map((step, index) => ({ step, at_ms: seen[index]?.at_ms }));
  if (seen.length > 0) return seen;
  const names = ['text', 'usage', 'response', 'finishReason'] as const;
  const values = await Promise.all(names.map((name) => get(result, name)));
  return [{ step: Object.fromEntries(names.map((name, index) => [name, values[index]])) }];
}

/** An object where the call asked for one, else the text. */
async function readOutput(result: unknown): Promise<unknown> {
  if (typeof result === 'string') return result;
  try {
    for (const name of ['object', 'output', 'experimental_output']) {
      const output = await get(result, name);
      if (output !== undefined) return output;
    }
  } catch (error) {
    // A reply that ends with calls of tools has none.
    if (!/^AI_NoOutput/.test(textField(error, 'name') ?? '')) throw error;
  }
  return (await get(result, 'text')) ?? null;
}

/** Whether the model returned an object that does not fit its schema, or no JSON. */
function isUnfit(error: unknown): boolean {
  return /^AI_(?:NoObjectGenerated|TypeValidation|JSONParse)Error$/.test(
    textField(error, 'name') ?? '',
  );
}

async function describeSteps(steps: readonly SeenStep[], prices: PriceTable) {
  const calls = await Promise.all(steps.map(({ step }) => readCall(step)));
  const usages = calls.flatMap(({ usage }) => usage ?? []);
  const cost = await loadCost(calls, prices);
  const usage = usages.length === calls.length && usages.length > 0 ? sumUsage(usages) : null;
  return {
    steps: steps.length,
    trace: steps.map(toTraceStep),
    ...omitNullish({ model: calls.at(-1)?.model, usage, costUsd: cost }),
    ...(cost !== null && { costEstimated: true as const }),
  };
}

async function readCall(step: unknown) {
  const [asked, metadata] = [field(step, 'model'), field(step, 'providerMetadata')];
  const model = textField(field(step, 'response'), 'modelId') ?? textField(asked, 'modelId');
  // Steps of 5 name no provider, but have its metadata, if any, under its name.
  const named = textField(asked, 'provider') ?? Object.keys(metadata ?? {})[0];
  const provider = named ?? (model === null ? null : await findMaker(model));
  return { model, provider, ...readUsage(field(step, 'usage')) };
}

function toTraceStep({ step, at_ms }: SeenStep): TraceStep {
  const content = listField(step, 'content');
  const ends = content.filter((part) =>
    /^tool-(?:result|error)$/.test(textField(part, 'type') ?? ''),
  );
  const calls = content.filter((part) => field(part, 'type') === 'tool-call');
  const textOf = (type: string) =>
    content
      .flatMap((part) => (field(part, 'type') === type ? (textField(part, 'text') ?? '') : []))
      .join('');
  return {
    text: textOf('text') || textField(step, 'text'),
    reasoning: textOf('reasoning') || null,
    tool_calls: calls.map((call) => {
      const end = ends.find((part) => field(part, 'toolCallId') === field(call, 'toolCallId'));
      const name = textField(call, 'toolName') ?? '';
      return { name, arguments: toTraceText(field(call, 'input')) ?? '', ...readEnd(end) };
    }),
    stop: textField(step, 'finishReason'),
    usage: readUsage(field(step, 'usage')).usage,
    ...omitNullish({ at_ms }),
  };
}

/** What a tool returned: its value, or as Mastra has it, `{ type, value }` in the words of messages. */
function readEnd(end: unknown) {
  if (field(end, 'type') === 'tool-error')
    return { result: String(field(end, 'error')), failed: true };
  const output = field(end, 'output');
  const [, error, kind] = /^(error-)?(json|text)$/.exec(textField(output, 'type') ?? '') ?? [];
  const value = kind === undefined ? output : (field(output, 'value') ?? output);
  return { result: toTraceText(value), failed: error !== undefined };
}

/** The names of 7, and those of 5 and 6. */
function readUsage(usage: unknown): { readonly usage: Usage | null; readonly cacheWrites: number } {
  const [input, output] = [field(usage, 'inputTokens'), field(usage, 'outputTokens')];
  const count = (list: string, name: string, older: string) => {
    const found = field(field(usage, list), name) ?? field(usage, older);
    return isCount(found) ? found : 0;
  };
  const cacheWrites = count('inputTokenDetails', 'cacheWriteTokens', '');
  if (!isCount(input) || !isCount(output)) return { usage: null, cacheWrites };
  const cached_tokens = count('inputTokenDetails', 'cacheReadTokens', 'cachedInputTokens');
  const reasoning_tokens = count('outputTokenDetails', 'reasoningTokens', 'reasoningTokens');
  const counts = { input_tokens: input, output_tokens: output, cached_tokens, reasoning_tokens };
  return { usage: counts, cacheWrites };
}

/** Arguments or a result of a call, as JSON if they are not text; null where there are none. */
function toTraceText(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Results have getters on their prototype, which `field` does not see. */
function get(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
