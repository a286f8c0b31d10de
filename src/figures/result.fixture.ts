import type { JudgeVerdicts, PairVerdicts, SampleResult, State } from '../words/row.ts';
import { hashAnswer } from './preference.ts';

type NotRun = Extract<SampleResult, { state: 'not_run' }>;
type Body =
  | 'state'
  | 'reason'
  | 'output'
  | 'answer'
  | 'how'
  | 'rules'
  | 'explanation'
  | 'error'
  | 'latency_ms';
type Head = Omit<NotRun, Body> & { readonly latency_ms: number | null };

const HEAD: Head = {
  version: 1,
  suite: 'gaia',
  dataset: 'made-up',
  agent: 'replay',
  model: null,
  id: 'q1',
  trial: 1,
  group: 'level 1',
  target: 'truth',
  latency_ms: null,
  waited_ms: 0,
  usage: null,
  cost_usd: null,
  cached: false,
  attempts: 1,
  steps: null,
  confidence: null,
  started_at: null,
  answered_at: null,
  prompt_hash: 'feedc0de00000000',
  question_hash: '',
};

/** A result in a state, for tests; every other field has a plain value unless given. */
export function toResult(state: State, fields: Partial<Head> = {}): SampleResult {
  const head = { ...HEAD, ...fields };
  const empty = {
    output: null,
    answer: null,
    how: null,
    rules: null,
    explanation: '',
    error: null,
  };
  const text = { output: 'text', answer: 'text', how: 'whole text' };
  if (state === 'not_run') return { ...head, ...empty, state, reason: 'budget', latency_ms: null };
  if (state === 'no_answer')
    return { ...head, ...empty, state, reason: 'empty', how: 'whole text' };
  if (state === 'errored') {
    return {
      ...head,
      ...empty,
      state,
      reason: 'network',
      error: { kind: 'network', message: 'down', status: null },
    };
  }
  if (state === 'timed_out') {
    return {
      ...head,
      ...empty,
      state,
      reason: 'timed_out',
      error: { kind: 'timed_out', message: '', status: null },
    };
  }
  return { ...head, ...empty, ...text, state, reason: null };
}

/**
 * The results of one question, written as a text: "+" is a right trial, "-" a wrong one, "u"
 * ungraded, "." not run.
 */
export function toTrials(
  id: string,
  marks: string,
  fields: Partial<Head> = {},
): readonly SampleResult[] {
  const states: Readonly<Record<string, State>> = {
    '+': 'correct',
    '-': 'incorrect',
    u: 'ungraded',
    '.': 'not_run',
  };
  return [...marks].map((mark, index) =>
    toResult(states[mark] ?? 'errored', { ...fields, id, trial: index + 1 }),
  );
}

/** The results of a run, by the marks of q1, q2, ... as `toTrials` takes them. */
export const toRun = (questions: Iterable<string>, fields: Partial<Head> = {}) =>
  [...questions].flatMap((marks, index) => toTrials(`q${index + 1}`, marks, fields));

/** What one judge said of an answer. */
export const JUDGE: JudgeVerdicts = {
  models: ['openai:m'],
  verdicts: ['pass'],
  reasons: ['It says so.'],
  prompt_hash: '0123456789abcdef',
  criterion: 'is polite',
  reference: null,
  cost_usd: null,
};

/** What one judge said of an answer and that of the agent "a". */
export const PAIR: PairVerdicts = {
  other: { agent: 'a' },
  other_hash: hashAnswer({ output: 'text' }),
  outcome: 'win',
  models: ['openai:m'],
  verdicts: [['first', 'second']],
  reasons: [['It is kinder.', 'The other one is kinder.']],
  prompt_hash: '0123456789abcdef',
  criterion: 'is kinder',
  reference: null,
  asked_hashes: ['00', '11'],
  cost_usd: 0.002,
};

/** Results that a judge passed and failed, one question each. */
export function toJudged(
  passed: number,
  failed: number,
  fields: Partial<Head> = {},
): readonly SampleResult[] {
  return Array.from({ length: passed + failed }, (_, index) => {
    const [state, verdict] =
      index < passed ? (['correct', 'pass'] as const) : (['incorrect', 'fail'] as const);
    const judge = { ...JUDGE, ...fields.judge, verdicts: [verdict] };
    return toResult(state, { id: `q${index + 1}`, ...fields, judge });
  });
}

/** Numbers 0 <= x < 1 from a seed (mulberry32), so that simulations repeat. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
