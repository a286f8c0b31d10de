import { resolve } from 'node:path';
import { omitNullish } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';
import type { RecordedRequest } from './files/recorded-requests.ts';
import type { OpenedRecords } from './load.ts';
import { openSource } from './source.ts';

/** A request of a trace as a record. `map` of a suite may add a target. */
export type OtlpRecord = {
  /** The id of the trace, with that of its first span where the trace has several requests. */
  readonly id: string;
  /** What the user said; absent in a conversation. */
  readonly input?: string;
  /** The user's messages of a conversation. */
  readonly turns?: readonly string[];
  readonly metadata: {
    /** What the agent answered then; null if nothing was recorded. */
    readonly output: string | null;
    readonly model: string | null;
    /** In ISO 8601. */
    readonly time: string | null;
    /** The names of the tools that were called. */
    readonly tools: readonly string[];
  };
};

/**
 * The records of a suite from recorded requests: `data: fromOtlp('traces.jsonl')`. The file has
 * OpenTelemetry's spans for generative AI, a JSON of OTLP on each line.
 */
export function fromOtlp(
  path: string,
): (context: { readonly folder: string }) => Promise<OpenedRecords<OtlpRecord>> {
  return async ({ folder }) => {
    const { readRequests } = await import('./files/recorded-requests.ts');
    const file = resolve(folder, path);
    const { requests, notes } = readRequests(file);
    const source = await openSource({ path: file });
    const records = requests.map((request) => ({ line: request.line, value: toRecord(request) }));
    return { source: { ...source, notes }, records: { file, records } };
  };
}

function toRecord({ id, trace, messages, isCut }: RecordedRequest): OtlpRecord {
  const turns = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const calls = trace.trace.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name));
  return {
    id,
    ...(turns.length > 1 ? { turns } : omitNullish({ input: turns[0] })),
    metadata: {
      output: isCut ? null : trace.output,
      model: trace.model,
      time: tryOrUndefined(() => new Date(trace.from).toISOString()) ?? null,
      tools: [...new Set(calls)],
    },
  };
}
