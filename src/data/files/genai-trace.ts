import type { TraceCall, TraceStep, Usage } from '../../words/answer.ts';
import {
  costOf,
  type GenAiCall,
  modelOf,
  type OtelSpan,
  operationOf,
  providerOf,
  readAsked,
  readReply,
  readToolCall,
  tokensOf,
} from './genai-attributes.ts';
import { findOutermost, listAround } from './span-tree.ts';
import { sumUsage } from './usage.ts';

/** What the spans of one answer say about it. Texts are complete; null means that no span says. */
export type GenAiTrace = Readonly<{
  /** What the agent was sent first, in order: system text, the user's, earlier turns. */
  messages: readonly Readonly<{ role: string; text: string }>[];
  /** What the outermost agent said last, else the last model call. */
  output: string | null;
  /** A step for each model call, with the tools that it called. `at_ms` counts from `from`. */
  trace: readonly TraceStep[];
  calls: readonly ModelCall[];
  usage: Usage | null;
  /** In US dollars, where spans state it. */
  cost: number | null;
  model: string | null;
  /** The start of the first span and the end of the last, in ms since 1970. */
  from: number;
  to: number;
}>;

/** What one call of a model costs depends on. `cacheWrites` are part of the input tokens. */
export type ModelCall = Readonly<{
  model: string | null;
  provider: string | null;
  usage: Usage | null;
  cacheWrites: number;
}>;

/**
 * Reads the spans of one answer, from `readSpans`, by OpenTelemetry's conventions for
 * generative AI (chat, execute_tool, invoke_agent) or those of the AI SDK before 7. Null if none of
 * them is a call of an agent, a model or a tool.
 */
export function readGenAiTrace(all: readonly OtelSpan[]): GenAiTrace | null {
  const spans = all.filter((span) => operationOf(span) !== null);
  const [begin] = spans;
  if (begin === undefined) return null;
  const ofKind = (operation: string) => spans.filter((span) => operationOf(span) === operation);
  const tops = findOutermost(all, (span) => operationOf(span) === 'agent');
  const agents = ofKind('agent').filter((span) => tops.get(span.id) === span);
  // A call of a router or a wrapper is around that of the provider, and counts the same tokens.
  const around = listAround(all, ofKind('model'));
  const inner = ofKind('model').filter(({ id }) => !around.has(id));
  const models = inner.filter((span) => !span.failed || readReply(span).text !== null);
  const calls = models.map(toModelCall);
  const usages = calls.flatMap(({ usage }) => usage ?? []);
  const costs = models.flatMap((span) => costOf(span) ?? []);
  const isWhole = (list: readonly unknown[]) => models.length > 0 && list.length === models.length;
  const totals = isWhole(usages) ? usages : agents.flatMap((span) => tokensOf(span)?.[0] ?? []);
  const paid = isWhole(costs) ? costs : agents.flatMap((span) => costOf(span) ?? []);
  return {
    messages: listAsked([...agents, ...inner]),
    output: findOutput(agents) ?? findOutput(models.slice(-1)),
    trace: toTraceSteps(models, ofKind('tool'), begin.from),
    calls,
    usage: totals.length === 0 ? null : sumUsage(totals),
    cost: paid.length === 0 ? null : paid.reduce((total, each) => total + each, 0),
    model: [...agents, ...models].map(modelOf).findLast((model) => model !== null) ?? null,
    from: begin.from,
    to: spans.reduce((latest, { to }) => Math.max(latest, to), begin.to),
  };
}

function listAsked(spans: readonly OtelSpan[]): GenAiTrace['messages'] {
  const asked = spans.map(readAsked).find((messages) => messages.length > 0) ?? [];
  return asked.flatMap(({ role, text }) => (text === null ? [] : [{ role, text }]));
}

function findOutput(spans: readonly OtelSpan[]): string | null {
  return spans.map((span) => readReply(span).text).findLast((text) => text !== null) ?? null;
}

function toModelCall(span: OtelSpan): ModelCall {
  const [usage = null, cacheWrites = 0] = tokensOf(span) ?? [];
  return { model: modelOf(span), provider: providerOf(span), usage, cacheWrites };
}

/** The spans of tools go to the calls with their ids or names, else to the step before them. */
function toTraceSteps(
  models: readonly OtelSpan[],
  tools: readonly OtelSpan[],
  start: number,
): readonly TraceStep[] {
  const messages = [...models.flatMap(readAsked), ...models.map(readReply)];
  const results = new Map(messages.flatMap((message) => [...message.results]));
  const runs = new ToolRuns(tools);
  const toStep = (span: OtelSpan): TraceStep => {
    const { text, reasoning, calls, stop } = readReply(span);
    const cost = costOf(span);
    return {
      text,
      reasoning,
      tool_calls: calls.map((call) => {
        const ran = runs.take(call, span.from);
        return ran === null ? toUntimed(call, results) : toTraceCall(ran, start, call);
      }),
      stop,
      usage: tokensOf(span)?.[0] ?? null,
      at_ms: Math.round(span.to - start),
      ...(cost !== null && { cost_usd: cost }),
    };
  };
  const steps = models.map(toStep);
  return addUnasked(steps, models, runs.left, start);
}

/** Spans in the order of their start, the first of which is taken first. */
type Line = { readonly spans: OtelSpan[]; at: number };

/** The spans of tools that no call of a model has taken. */
class ToolRuns {
  readonly #tools: readonly OtelSpan[];
  readonly #places: ReadonlyMap<OtelSpan, number>;
  readonly #taken = new Set<OtelSpan>();
  /** By the id of the call, by name, and by name where the span has no id. */
  readonly #lines = new Map<string, Line>();

  constructor(tools: readonly OtelSpan[]) {
    this.#tools = tools;
    this.#places = new Map(tools.map((span, place) => [span, place]));
    for (const span of tools) {
      const { id, name } = readToolCall(span);
      this.#add(`name ${name}`, span);
      this.#add(id === '' ? `bare ${name}` : `id ${id}`, span);
    }
  }

  get left(): readonly OtelSpan[] {
    return this.#tools.filter((span) => !this.#taken.has(span));
  }

  /**
   * The span with the id of a call; where one of them has none, a span of that name that did not begin
   * before the call. Null if there is none. Calls come in the order of their time.
   */
  take({ id, name }: GenAiCall, from: number): OtelSpan | null {
    const found =
      id === ''
        ? [this.#first(`name ${name}`, from)]
        : [this.#first(`id ${id}`), this.#first(`bare ${name}`, from)];
    const placeOf = (span: OtelSpan) => this.#places.get(span) ?? 0;
    const [ran] = found.filter((span) => span !== null).toSorted((a, b) => placeOf(a) - placeOf(b));
    if (ran !== undefined) this.#taken.add(ran);
    return ran ?? null;
  }

  #add(name: string, span: OtelSpan): void {
    const line = this.#lines.get(name) ?? { spans: [], at: 0 };
    this.#lines.set(name, line);
    line.spans.push(span);
  }

  #first(name: string, from = Number.NEGATIVE_INFINITY): OtelSpan | null {
    const line = this.#lines.get(name);
    if (line === undefined) return null;
    const isPast = (span: OtelSpan) => this.#taken.has(span) || span.from < from;
    for (let span = line.spans[line.at]; span && isPast(span); span = line.spans[line.at])
      line.at += 1;
    return line.spans[line.at] ?? null;
  }
}

function toUntimed({ id, name, arguments: args }: GenAiCall, results: ReadonlyMap<string, string>) {
  return { name, arguments: args, result: results.get(id) ?? null, failed: false };
}

function toTraceCall(span: OtelSpan, start: number, asked?: GenAiCall): TraceCall {
  const { name, arguments: args, result, failed } = readToolCall(span);
  const { name: asName = name, arguments: asArgs = args } = asked ?? {};
  // A tool that ended without a recorded result did give one.
  return {
    name: asName,
    arguments: asArgs || args,
    result: result ?? '',
    failed,
    at_ms: Math.round(span.to - start),
  };
}

/** Adds tools that no model's span names, as where contents are not recorded. */
function addUnasked(
  steps: readonly TraceStep[],
  models: readonly OtelSpan[],
  left: readonly OtelSpan[],
  start: number,
): readonly TraceStep[] {
  if (left.length === 0) return steps;
  const none = { text: null, reasoning: null, tool_calls: [], stop: null, usage: null };
  const all = steps.length === 0 ? [none] : steps;
  const ranAt = new Map<number, TraceCall[]>();
  let place = 0;
  // Both are in the order of their start.
  for (const span of left) {
    while ((models[place + 1]?.from ?? Number.POSITIVE_INFINITY) <= span.from) place += 1;
    const ran = ranAt.get(place) ?? [];
    ranAt.set(place, ran);
    ran.push(toTraceCall(span, start));
  }
  return all.map((step, index) => ({
    ...step,
    tool_calls: [...step.tool_calls, ...(ranAt.get(index) ?? [])],
  }));
}
