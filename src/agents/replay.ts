import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toCommand } from '../package-manager.ts';
import { hasManifest, listVariants, readManifest, type SuiteManifest } from '../store/manifest.ts';
import { RUN_FILES, readPrompt, toTracePath } from '../store/run-folder.ts';
import { readRun } from '../store/run-reader.ts';
import { type Agent, AgentError, type Answer, type RecordedTimes } from '../words/answer.ts';
import { toCutShort } from '../words/audience.ts';
import { toTraceOutput } from '../words/conversation.ts';
import { omitNullish, pick } from '../words/fields.ts';
import { type SampleResult, STATES, wasAsked } from '../words/row.ts';
import type { Note } from '../words/sample.ts';
import { plural, quote, toNotes } from '../words/show.ts';
import { nameVariant } from '../words/variant.ts';
import { readPredictions, type readTable, toPredictions } from './predictions.ts';
import { readTrace } from './returned-answer.ts';
import type { AgentSpec } from './spec.ts';

/** The suite whose questions a replay answers. */
export type ReplayedSuite = Readonly<{
  suite: string;
  /** All ids of the dataset. */
  ids: readonly string[];
  /** The suite's own predictions, for a bare `replay`. */
  predictions: string;
  /** What to do about answers of another dataset, where no run replays them. */
  remedy?: string;
}>;

/**
 * The agents of `replay`, `replay:predictions.jsonl`, `replay:<folder of predictions>` or
 * `replay:<run folder>`. A run of several agents becomes one replay for each. `table` has the
 * records of a CSV or TSV file. Throws when the file or run belongs to another dataset.
 */
export function createReplays(
  { target, text }: AgentSpec,
  suite: ReplayedSuite,
  table?: Awaited<ReturnType<typeof readTable>>,
): readonly Agent[] {
  if (target !== '' && hasManifest(target)) return replayRun(target, text, suite);
  if (target === '' && suite.predictions === '') {
    const problem = `EVAL_AGENT=${text}: suite ${suite.suite} has no predictions to replay`;
    throw new Error(`${problem}. Name them in EVAL_AGENT=replay:FILE.`);
  }
  const byDefault = `EVAL_AGENT names no file of predictions, and the default file of ${suite.suite}`;
  const source = target || suite.predictions;
  const read = table === undefined ? readPredictions(source) : toPredictions([table]);
  const recording = toRecording(read.predictions);
  const notes = [...describeUnknownIds(recording, target || byDefault, suite), ...read.notes];
  return [{ ...replay(text, recording, notes), recorded: null }];
}

function replayRun(folder: string, text: string, suite: ReplayedSuite): readonly Agent[] {
  const entry = readManifest(folder).suites.find((other) => other.suite === suite.suite);
  const variants = entry === undefined ? [] : listVariants(entry);
  const recordings = [...readRecordedRun(folder, suite.suite)];
  if (recordings.length === 0)
    throw otherDataset(folder, `no results of suite ${suite.suite}`, suite);
  return recordings.map(([agent, recording]) => {
    const name = recordings.length === 1 ? text : `${text}#${agent}`;
    const notes = describeUnknownIds(recording, folder, suite);
    // It does not count as wrong what the run did not ask.
    const replayed = replay(name, recording, notes, null);
    const variant = variants.find((one) => nameVariant(one) === agent);
    return { ...replayed, ...readConditions(folder, entry, variant, recording) };
  });
}

/** How the answers of a variant of a run were asked for, by its manifest. */
function readConditions(
  folder: string,
  entry: SuiteManifest | undefined,
  variant: ReturnType<typeof listVariants>[number] | undefined,
  recording: Recording,
): Pick<Agent, 'recorded' | 'tools' | 'server'> {
  const conditions = entry?.conditions.find(({ agent }) => agent === variant?.agent);
  if (entry === undefined || variant === undefined || variant.prompt_hash === '')
    return { recorded: null };
  const { agent: _, ...tools } = entry.tools.find(({ agent }) => agent === variant.agent) ?? {};
  const { max_steps = null, timeout_seconds = null, deadlines = [], server } = conditions ?? {};
  const hash = variant.prompt_hash;
  const name = entry.prompts.find((prompt) => prompt.hash === hash)?.name ?? null;
  const prompt = { text: readPrompt(folder, entry.suite, hash) ?? '', hash, name };
  return {
    ...('own' in tools ? { tools } : {}),
    ...omitNullish({ server }),
    recorded: {
      agent: conditions?.recorded_agent ?? variant.agent,
      prompt,
      max_steps,
      timeout_seconds,
      deadlines,
      timesOf: (id, trial) => recording.get(id)?.[trial - 1]?.times,
    },
  };
}

/**
 * Notes the predictions for no sample. Throws if all are: every sample would be "missing", and the
 * accuracy of 0 would look measured.
 */
export function describeUnknownIds(
  recording: Recording,
  source: string,
  suite: ReplayedSuite,
): readonly Note[] {
  const ids = new Set(suite.ids);
  const unknown = [...recording.keys()].filter((id) => !ids.has(id));
  const [first] = unknown;
  if (first === undefined) return [];
  if (unknown.length === recording.size) {
    throw otherDataset(source, `no id of the dataset; its first id is ${quote(first)}`, suite);
  }
  const count = plural(unknown.length, 'prediction is for an id', 'predictions are for ids');
  const text = `${count} that the dataset does not have, such as ${quote(first)}.`;
  return toNotes('unknown ids', [text]);
}

function otherDataset(source: string, found: string, { remedy }: ReplayedSuite): Error {
  const ownFile = `run only their eval file: ${toCommand('vitest run evals/NAME')}`;
  return new Error(
    `${source} holds ${found}. ${remedy ?? `Name those of this dataset, or ${ownFile}.`}`,
  );
}

/** Recorded answers and errors of one agent by sample, in the order of trials. */
type Recording = ReadonlyMap<string, readonly (RecordedTrial | undefined)[]>;

type RecordedTrial = Readonly<{
  id: string;
  trial: number;
  outcome: Answer | AgentError;
  times?: RecordedTimes;
  /** The file that may have its trace. It is read when the answer is recalled. */
  traceFile?: string;
}>;

/** If a trial has several records, the last one counts. */
export function toRecording(trials: readonly RecordedTrial[]): Recording {
  const recording = new Map<string, RecordedTrial[]>();
  for (const recorded of trials) {
    const ofSample = recording.get(recorded.id) ?? [];
    ofSample[recorded.trial - 1] = recorded;
    recording.set(recorded.id, ofSample);
  }
  return recording;
}

const MISSING: Answer = { output: null, reason: 'missing', latencyMs: null };

/**
 * An agent that repeats a recording, including its times. A missing record is `missing`: of
 * predictions `no_answer`, which counts as wrong; of a run nothing.
 */
export function replay(
  name: string,
  recording: Recording,
  notes: readonly Note[],
  missing: Answer | null = MISSING,
): Agent {
  return {
    name,
    notes,
    trials: [...recording.values()].reduce((most, trials) => Math.max(most, trials.length), 1),
    lacksTrial: (id, trial) => recording.has(id) && recording.get(id)?.[trial - 1] === undefined,
    replayAnswer: (id, trial) => replayAnswer(recording.get(id)?.[trial - 1]) ?? missing,
    answer: () =>
      Promise.reject(new Error('A replay only returns recorded answers: call replayAnswer.')),
  };
}

function replayAnswer(recorded: RecordedTrial | undefined): Answer | AgentError | null {
  if (recorded === undefined) return null;
  const { outcome, traceFile } = recorded;
  if (outcome instanceof AgentError || traceFile === undefined || !existsSync(traceFile))
    return outcome;
  const { steps = [], sent, output, messages } = readTrace(traceFile) ?? {};
  // A run writes an empty list for an agent that reports no steps.
  if ((steps.length === 0 && messages === undefined) || output !== toTraceOutput(outcome.output))
    return outcome;
  return {
    ...outcome,
    ...(steps.length > 0 && { trace: steps }),
    ...omitNullish({ messages }),
    sent: sent ?? { messages: [], tools: [] },
  };
}

/** The recordings of an earlier run for one suite, by agent and prompt. */
function readRecordedRun(runFolder: string, suite: string): ReadonlyMap<string, Recording> {
  const rows = readRun(runFolder, {}).rows.filter((row) => row.suite === suite && wasAsked(row));
  const byVariant = Map.groupBy(rows, nameVariant);
  const hasTraces = existsSync(join(runFolder, RUN_FILES.traces.name));
  const toTrial = (row: SampleResult) => ({
    id: row.id,
    trial: row.trial,
    outcome: toOutcome(row),
    ...omitNullish({
      times:
        row.answered_at === null
          ? null
          : {
              started_at: row.started_at ?? row.answered_at,
              answered_at: row.answered_at,
              ...pick(row, 'own_delay_ms', 'machine_load'),
            },
      traceFile: hasTraces ? join(runFolder, toTracePath(row)) : null,
    }),
  });
  return new Map(
    [...byVariant].map(([variant, same]) => [variant, toRecording(same.map(toTrial))]),
  );
}

function toOutcome(row: SampleResult): Answer | AgentError {
  if (row.error !== null) {
    const { kind, message, status, request_id: requestId = null } = row.error;
    return new AgentError(kind, message, { status, requestId, latencyMs: row.latency_ms });
  }
  return {
    output: row.output,
    latencyMs: row.latency_ms,
    waitedMs: row.waited_ms,
    verbatim: row.how === 'as given',
    ...omitNullish({
      reason: STATES[row.state].verdict === 'none' ? row.reason : null,
      cutShort: row.output === null ? null : toCutShort(row.reason),
      model: row.model,
      usage: row.usage,
      costUsd: row.cost_usd,
      costEstimated: row.cost_estimated,
      steps: row.steps,
      firstTokenMs: row.first_token_ms,
      conversation: row.conversation,
      toolCalls: row.tool_calls,
    }),
  };
}
