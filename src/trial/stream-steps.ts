import { hideSecrets } from '../secrets/hide-secrets.ts';
import type { Progress, TraceStep } from '../types.ts';
import { toVisible } from '../visible-text.ts';

export type StreamOptions = {
  /** What stands before each line, to tell trials that run at once apart. */
  readonly name: string;
  /** Whether texts must not be shown. */
  readonly gated: boolean;
  readonly secrets: readonly string[];
};

/** Longest text of one line. */
const MAX_LENGTH = 300;

/**
 * Shows an agent's steps as they happen: what it said, which tools it called and what they gave, a line each. Each
 * report of progress holds all steps so far; what was shown is not shown again.
 */
export function streamSteps(
  { name, gated, secrets }: StreamOptions,
  write: (line: string) => void = (line) => process.stderr.write(line),
): (progress: Progress) => void {
  const shown = new Set<string>();
  return ({ trace = [] }) => {
    for (const [index, step] of trace.entries()) {
      for (const { key, text } of describeStep(step, gated)) {
        if (shown.has(`${index} ${key}`)) continue;
        shown.add(`${index} ${key}`);
        write(`${toVisible(name)} step ${index + 1}: ${toVisible(hideSecrets(text, secrets), MAX_LENGTH)}\n`);
      }
    }
  };
}

type StepLine = { readonly key: string; readonly text: string };

function describeStep({ text, reasoning, tool_calls }: TraceStep, gated: boolean): readonly StepLine[] {
  const show = (value: string) => (gated ? `(${value.length} characters)` : value.replace(/\s+/g, ' ').trim());
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
