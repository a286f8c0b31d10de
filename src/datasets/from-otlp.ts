import { resolve } from 'node:path';
import { omitNullish } from '../records/record.ts';
import type { RecordedRequest } from '../records/recorded-requests.ts';
import { tryOrUndefined } from '../text/thrown.ts';
import type { OpenedRecords } from './load.ts';
import { openSource } from './source.ts';

/** A request of a trace as a record. `map` of a suite may add a target. */
export type OtlpRecord = Readonly<{
  /** The id of the trace, with that of its first span where the trace has several requests. */
  id: string;
  /** What the user said; absent in a conversation. */
  input?: string;
  /** The user's messages of a conversation. */
  turns?: readonly string[];
  metadata: Readonly<{
    /** What the agent answered then; null if nothing was recorded. */
    output: string | null;
    model: string | null;
    /** In ISO 8601. */
    time: string | null;
    /** The names of the tools that were called. */
    tools: readonly string[];
  }>;
}>;

/**
 * The records of a suite from recorded requests: `data: fromOtlp('traces.jsonl')`. The file has
 * OpenTelemetry's spans for generative AI, a JSON of OTLP on each line.
 */
export function fromOtlp(
  path: string,
): (context: { readonly folder: string }) => Promise<OpenedRecords<OtlpRecord>> {
  return async ({ folder }) => {
    const { readRequests } = await import('../records/recorded-requests.ts');
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
