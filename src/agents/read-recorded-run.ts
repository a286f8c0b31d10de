import { toCutShort } from '../cut-short.ts';
import { readManifest } from '../runs/manifest.ts';
import { readSampleLog } from '../runs/sample-log.ts';
import { AgentError, type Answer, type SampleResult } from '../types.ts';
import { type RecordedTrial, type Recording, toRecording } from './recording.ts';

/** What each agent of an earlier run said in one suite, by the agent's name. The last row of a sample wins. */
export function readRecordedRun(runFolder: string, suite: string): ReadonlyMap<string, Recording> {
  // Refuses a folder that is no run, or a run of another version.
  readManifest(runFolder);
  const { results } = readSampleLog(runFolder);
  const byAgent = Map.groupBy(
    results.filter((result) => result.suite === suite && result.state !== 'not_run'),
    ({ agent }) => agent,
  );
  return new Map([...byAgent].map(([agent, rows]) => [agent, toRecording(rows.map(toTrial))]));
}

function toTrial(row: SampleResult): RecordedTrial {
  return { id: row.id, trial: row.trial, said: toAnswer(row) };
}

export function toAnswer(row: SampleResult): Answer | AgentError {
  const cutShort = row.output === null ? null : toCutShort(row.reason);
  if (row.error !== null) {
    const { kind, message, status, request_id: requestId = null } = row.error;
    return new AgentError(kind, message, { status, requestId, latencyMs: row.latency_ms });
  }
  return {
    text: row.output,
    latencyMs: row.latency_ms,
    waitedMs: row.waited_ms,
    verbatim: row.how === 'as given',
    ...(row.state === 'no_answer' ? { reason: row.reason } : {}),
    ...(cutShort === null ? {} : { cutShort }),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.usage === null ? {} : { usage: row.usage }),
    ...(row.cost_usd === null ? {} : { cost: row.cost_usd }),
    ...(row.cost_estimated === true ? { costEstimated: true as const } : {}),
    ...(row.steps === null ? {} : { steps: row.steps }),
  };
}
