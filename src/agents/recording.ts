import { type Agent, AgentError, type Answer } from '../types.ts';

/** What one agent said earlier, by sample and trial: an answer, or the error that it ended with. */
export type Recording = ReadonlyMap<string, Answer | AgentError>;

/** The key of a recording. */
export function toRecordingKey(id: string, trial: number): string {
  return JSON.stringify([id, trial]);
}

/** An agent that repeats a recording, times included. What was not recorded is no answer, and counts as wrong. */
export function replay(name: string, recording: Recording): Agent {
  return {
    name,
    answer: async ({ id }, { trial }) => {
      const recorded = recording.get(toRecordingKey(id, trial));
      if (recorded instanceof AgentError) throw recorded;
      return recorded ?? { text: null, reason: 'missing', latencyMs: null };
    },
  };
}
