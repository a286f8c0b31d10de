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
  const parents = new Map(all.map(({ id, parent }) => [id, parent]));
  const isAgent = new Set(ofKind('agent').map(({ id }) => id));
  const agents = ofKind('agent').filter(
    (span) => !listAround(span, parents).some((id) => isAgent.has(id)),
  );
  // A call of a router or a wrapper is around that of the provider, and counts the same tokens.
  const isAround = new Set(ofKind('model').flatMap((span) => listAround(span, parents)));
  const inner = ofKind('model').filter(({ id }) => !isAround.has(id));
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

/** The ids of the spans around a span, the innermost first. */
export function listAround(
  { parent }: OtelSpan,
  parents: ReadonlyMap<string, string | null>,
): readonly string[] {
  const ids = new Set<string>();
  for (let id = parent; id !== null && !ids.has(id); id = parents.get(id) ?? null) ids.add(id);
  return [...ids];
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
  const left = new Set(tools);
  const toStep = (span: OtelSpan): TraceStep => {
    const { text, reasoning, calls, stop } = readReply(span);
    const cost = costOf(span);
    return {
      text,
      reasoning,
      tool_calls: calls.map((call) => {
        const ran = findRun(call, left, span.from);
        return ran === null ? toUntimed(call, results) : toTraceCall(ran, start, call);
      }),
      stop,
      usage: tokensOf(span)?.[0] ?? null,
      at_ms: Math.round(span.to - start),
      ...(cost !== null && { cost_usd: cost }),
    };
  };
  const steps = models.map(toStep);
  return addUnasked(steps, models, [...left], start);
}

function findRun(call: GenAiCall, left: Set<OtelSpan>, from: number): OtelSpan | null {
  const ran = [...left].find((span) => {
    const { id, name } = readToolCall(span);
    return id !== '' && call.id !== '' ? id === call.id : name === call.name && span.from >= from;
  });
  if (ran !== undefined) left.delete(ran);
  return ran ?? null;
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
  const placeOf = ({ from }: OtelSpan) =>
    Math.max(
      0,
      models.findLastIndex((model) => model.from <= from),
    );
  return all.map((step, index) => {
    const ran = left
      .filter((span) => placeOf(span) === index)
      .map((span) => toTraceCall(span, start));
    return { ...step, tool_calls: [...step.tool_calls, ...ran] };
  });
}
