import type { AnswerContext, TraceStep } from './answer.ts';
import { withMessages } from './conversation.ts';
import type { Note, Question, Sample } from './sample.ts';

/** A sample, for tests; every field has a plain value unless given. */
export function toSample(fields: Partial<Sample> = {}): Sample {
  const plain = { id: 'a', suite: 'own', input: '?', target: null, group: 'all' };
  return { ...plain, attachments: [], metadata: {}, ...fields };
}

/** The question that an agent is asked with this text. */
export function toAsked(input: string, fields: Partial<Question> = {}): Question {
  const plain = { id: 'q', suite: 's', input, ...withMessages(input), group: 'all' };
  return { ...plain, attachments: [], ...fields };
}

/** What notes say. */
export function textsOf(notes: readonly Note[] = []): readonly string[] {
  return notes.map(({ text }) => text);
}

/** The context of a call that nothing limits. */
export const UNLIMITED: AnswerContext = {
  signal: new AbortController().signal,
  workdir: '',
  maxSteps: null,
  trial: 1,
};

/** A step in which nothing was said or called. */
export const STEP: TraceStep = {
  text: null,
  reasoning: null,
  tool_calls: [],
  stop: null,
  usage: null,
};
