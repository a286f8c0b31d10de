import { redactMessage } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import { plural } from '../text/wording.ts';
import type { Progress, SampleResult, TraceStep } from '../types.ts';
import { writeOwn } from './confine.ts';

export type StreamOptions = {
  /** What stands before each line, to tell trials that run at once apart. */
  readonly name: string;
  /** Whether texts must not be shown. */
  readonly gated: boolean;
  readonly secrets: readonly string[];
};

/** Longest text of one line. */
const MAX_LENGTH = 300;

/** What is shown of a trial while it runs. */
export type Stream = {
  onAsked(): void;
  onProgress(progress: Progress): void;
  onResult(result: SampleResult): void;
};

/**
 * Shows what an agent does as it happens, a line each: that it is asked, what it said, which tools it called and what they
 * gave, and what came of it. Each report of progress holds all steps so far; what was shown is not shown again.
 */
export function streamSteps({ name, gated, secrets }: StreamOptions, write: (line: string) => void = writeOwn): Stream {
  const shown = new Set<string>();
  const said = new Set<string | null>();
  const show = (text: string) =>
    write(`${escapeLine(name, 400)}${escapeLine(redactMessage(text, secrets), MAX_LENGTH)}\n`);
  return {
    onAsked: () => show(': asked'),
    onProgress({ trace = [] }) {
      for (const [index, step] of trace.entries()) {
        said.add(step.text?.trim() ?? null);
        for (const { key, text } of describeStep(step, gated)) {
          if (shown.has(`${index} ${key}`)) continue;
          shown.add(`${index} ${key}`);
          show(` step ${index + 1}: ${text}`);
        }
      }
    },
    onResult: (result) => show(`: ${describeResult(result, gated, said)}`),
  };
}

/** An answer that was shown as a step is not shown again. */
function describeResult(
  { state, reason, latency_ms, output, error }: SampleResult,
  gated: boolean,
  said: ReadonlySet<string | null>,
): string {
  const why = reason === null ? '' : ` (${reason})`;
  const time = latency_ms === null ? '' : ` after ${(latency_ms / 1000).toFixed(1)} s`;
  const text = error?.message ?? (said.has(output?.trim() ?? null) ? null : output);
  return `${state}${why}${time}${text === null ? '' : `: ${showText(text, gated)}`}`;
}

function showText(text: string, gated: boolean): string {
  return gated
    ? `(${plural(text.length, 'character')})`
    : text
        .slice(0, 2 * MAX_LENGTH)
        .replace(/\s+/g, ' ')
        .trim();
}

type StepLine = { readonly key: string; readonly text: string };

function describeStep({ text, reasoning, tool_calls }: TraceStep, gated: boolean): readonly StepLine[] {
  const show = (text: string) => showText(text, gated);
  return [
    ...(reasoning === null || reasoning === '' ? [] : [{ key: 'reasoning', text: `thinks: ${show(reasoning)}` }]),
    ...(text === null || text === '' ? [] : [{ key: 'text', text: `says: ${show(text)}` }]),
    ...tool_calls.map(({ name, arguments: given }, call) => ({
      key: `call ${call}`,
      text: `calls ${name} ${show(given)}`,
    })),
    ...tool_calls.flatMap(({ name, result, failed }, call) =>
      result === null
        ? []
        : [{ key: `result ${call}`, text: `${name} ${failed ? 'failed' : 'gave'}: ${show(result)}` }],
    ),
  ];
}
