import { type Agent, AgentError, type Answer } from '../types.ts';

/** What one agent said earlier, by sample and trial: an answer, or the error that it ended with. */
export type Recording = ReadonlyMap<string, ReadonlyMap<number, Answer | AgentError>>;

/** One recorded trial of a sample. */
export type RecordedTrial = {
  readonly id: string;
  readonly trial: number;
  readonly said: Answer | AgentError;
};

/** Collects trials; of a trial that is there twice the last one stays. */
export function toRecording(trials: readonly RecordedTrial[]): Recording {
  const recording = new Map<string, Map<number, Answer | AgentError>>();
  for (const { id, trial, said } of trials) {
    const known = recording.get(id) ?? new Map<number, Answer | AgentError>();
    recording.set(id, known.set(trial, said));
  }
  return recording;
}

const MISSING: Answer = { text: null, reason: 'missing', latencyMs: null };

/** An agent that repeats a recording, times included. What was not recorded is no answer, and counts as wrong. */
export function replay(name: string, recording: Recording, notes: readonly string[]): Agent {
  const recall = (id: string, trial: number) => recording.get(id)?.get(trial) ?? MISSING;
  return {
    name,
    notes,
    trials: [...recording.values()].reduce((most, trials) => Math.max(most, ...trials.keys()), 1),
    recall,
    answer: async ({ id }, { trial }) => {
      const said = recall(id, trial);
      if (said instanceof AgentError) throw said;
      return said;
    },
  };
}
