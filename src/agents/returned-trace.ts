import { cutMiddle } from '../tools/cut-middle.ts';
import type { TraceStep } from '../types.ts';

const MAX_STEPS = 200;
const MAX_TEXT = 20_000;

/**
 * The steps that a user's agent reports, for the trace of a sample: a list of objects with `text`, `reasoning`,
 * `tool_calls` (`name`, `arguments`, `result`, `failed`) and `stop`, all of them optional. What has another form is left
 * out, and long texts are cut: a trace explains an answer and never decides it. Null when it is no list.
 */
export function parseTrace(value: unknown): readonly TraceStep[] | null {
  if (!Array.isArray(value)) return null;
  return value.slice(0, MAX_STEPS).filter(isObject).map(toStep);
}

function toStep(step: object): TraceStep {
  const calls: unknown = Reflect.get(step, 'tool_calls');
  return {
    text: readText(step, 'text'),
    reasoning: readText(step, 'reasoning'),
    tool_calls: (Array.isArray(calls) ? calls : []).slice(0, MAX_STEPS).filter(isObject).map(toCall),
    stop: readText(step, 'stop'),
    usage: null,
  };
}

function toCall(call: object): TraceStep['tool_calls'][number] {
  return {
    name: readText(call, 'name') ?? '',
    arguments: readText(call, 'arguments') ?? '',
    result: readText(call, 'result'),
    failed: Reflect.get(call, 'failed') === true,
  };
}

/** A value that is no text is shown as JSON: arguments and results often are objects. */
function readText(value: object, name: string): string | null {
  const field: unknown = Reflect.get(value, name) ?? null;
  if (field === null) return null;
  return cutMiddle(typeof field === 'string' ? field : (toJson(field) ?? ''), MAX_TEXT);
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
