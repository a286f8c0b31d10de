import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { toTracePath } from '../../src/runs/trace-file.ts';
import type { SampleResult, TraceStep } from '../../src/types.ts';
import type { ReportInput } from './report-input.ts';

/** Characters of traces that a report shows itself; what is beyond is linked. */
const BUDGET = 1_000_000;

/** A longer trace is linked, so that one does not take the place of all others. */
const LONGEST = 60_000;

/**
 * The traces of a run: those of failures are shown in the report while there is room, all others are linked. Looks into
 * the folder once, and at no file of a run without traces.
 */
export function findTraces(folder: string): ReportInput['trace'] {
  const files = listTraces(folder);
  const found = new Map<SampleResult, ReturnType<ReportInput['trace']>>();
  let left = BUDGET;
  return (result) => {
    if (files.size === 0) return null;
    const known = found.get(result);
    if (known !== undefined) return known;
    const file = toTracePath(result).split(sep).join('/');
    const shown = files.has(file) && isFailure(result) ? readTrace(join(folder, file), Math.min(left, LONGEST)) : null;
    left -= shown?.length ?? 0;
    const trace = shown !== null ? { steps: shown.steps } : files.has(file) ? { file } : null;
    found.set(result, trace);
    return trace;
  };
}

function listTraces(folder: string): ReadonlySet<string> {
  const traces = join(folder, 'traces');
  if (!existsSync(traces)) return new Set();
  const entries = readdirSync(traces, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(
    entries.map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    ),
  );
}

function isFailure({ state }: SampleResult): boolean {
  return state === 'incorrect' || state === 'no_answer' || state === 'timed_out' || state === 'errored';
}

/** Null when the file is longer than there is room, or is no trace. */
function readTrace(
  file: string,
  most: number,
): { readonly length: number; readonly steps: readonly TraceStep[] } | null {
  const text = readFileSync(file, 'utf8');
  if (text.length > most) return null;
  try {
    const trace: unknown = JSON.parse(text);
    return isTrace(trace) ? { length: text.length, steps: trace.steps } : null;
  } catch {
    return null;
  }
}

function isTrace(value: unknown): value is { readonly steps: readonly TraceStep[] } {
  return typeof value === 'object' && value !== null && 'steps' in value && Array.isArray(value.steps);
}
