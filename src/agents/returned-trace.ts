import { cutMiddle } from '../tools/run-tool.ts';
import type { TraceStep } from '../types.ts';
import { field, listField } from './outside-value.ts';

const MAX_STEPS = 200;
const MAX_TEXT = 20_000;

/**
 * The steps that a user's agent reports, for the trace of a sample: a list of objects with `text`, `reasoning`,
 * `tool_calls` (`name`, `arguments`, `result`, `failed`) and `stop`, all of them optional. What has another form is left
 * out, and long texts are cut: a trace explains an answer and never decides it. Null when it is no list.
 */
export function parseTrace(value: unknown): readonly TraceStep[] | null {
  if (!Array.isArray(value)) return null;
  return value.slice(0, MAX_STEPS).map(toStep);
}

function toStep(step: unknown): TraceStep {
  return {
    text: readText(step, 'text'),
    reasoning: readText(step, 'reasoning'),
    tool_calls: listField(step, 'tool_calls').slice(0, MAX_STEPS).map(toCall),
    stop: readText(step, 'stop'),
    usage: null,
  };
}

function toCall(call: unknown): TraceStep['tool_calls'][number] {
  return {
    name: readText(call, 'name') ?? '',
    arguments: readText(call, 'arguments') ?? '',
    result: readText(call, 'result'),
    failed: field(call, 'failed') === true,
  };
}

/** A value that is no text is shown as JSON: arguments and results often are objects. */
function readText(value: unknown, name: string): string | null {
  const found = field(value, name) ?? null;
  if (found === null) return null;
  return cutMiddle(typeof found === 'string' ? found : (toJson(found) ?? ''), MAX_TEXT);
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
