import { isFields } from '../records/record.ts';
import { type Answer, ERROR_KINDS, type ErrorKind, type Progress } from '../types.ts';
import {
  fields,
  flag,
  listOf,
  mustBe,
  number,
  oneOf,
  optional,
  orNull,
  text,
} from './field-checks.ts';

/** A cached answer or failure. Times in ms, timestamps in ISO 8601. */
export type CachedAnswer = {
  readonly started_at: string;
  readonly answered_at: string;
  readonly latency_ms: number | null;
  /** How often the question was asked until this outcome. Above 1 only with EVAL_CACHE=retry. */
  readonly attempts: number;
} & (
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'failed'; readonly error: CachedError }
);

export type CachedError = {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly progress: Progress;
};

/** Checks every field that viva writes: a bit that flipped on the disk must not become a figure. */
export function isCachedAnswer(value: unknown): value is CachedAnswer {
  return isFields(value) && (value['outcome'] === 'answered' ? ANSWERED : FAILED)(value) === null;
}

/** No time in ms, count or cost of viva is higher. */
const amount = mustBe(
  'an amount',
  (value) => Number(value) >= 0 && Number(value) <= 1e12 && typeof value === 'number',
);
const time = mustBe(
  'a time',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
);

const TIMES = {
  started_at: time,
  answered_at: time,
  latency_ms: orNull(amount),
  attempts: amount,
};

const USAGE = fields({
  input_tokens: amount,
  output_tokens: amount,
  cached_tokens: amount,
  reasoning_tokens: amount,
});

const FILES = optional(listOf(fields({ name: text, bytes: amount })));

const CALL = fields({
  name: text,
  arguments: text,
  result: orNull(text),
  failed: flag,
  at_ms: optional(amount),
  files: FILES,
});

const STEP = fields({
  role: optional(text),
  text: orNull(text),
  reasoning: orNull(text),
  tool_calls: listOf(CALL),
  stop: orNull(text),
  usage: orNull(USAGE),
  at_ms: optional(amount),
  cost_usd: optional(amount),
});

const MESSAGE = fields({ role: oneOf(['system', 'user']), text, files: FILES });

const SPOKEN = optional(listOf(fields({ role: oneOf(['user', 'assistant']), content: text })));

const CONVERSATION = optional(
  fields({
    turns: amount,
    ended: oneOf(['turns', 'user', 'max_turns', 'agent']),
    user: optional(fields({ name: text, cost_usd: orNull(amount), faults: listOf(text) })),
  }),
);

const SPENT = {
  messages: SPOKEN,
  conversation: CONVERSATION,
  model: optional(text),
  usage: optional(USAGE),
  cost: optional(amount),
  costEstimated: optional(flag),
  steps: optional(amount),
  waitedMs: optional(amount),
  firstTokenMs: optional(amount),
  trace: optional(listOf(STEP)),
  sent: optional(fields({ messages: listOf(MESSAGE), tools: listOf(text) })),
};

const ANSWERED = fields({
  ...TIMES,
  outcome: oneOf(['answered']),
  answer: fields({
    ...SPENT,
    output: mustBe('a value', (value) => value !== undefined),
    reason: optional(text),
    cutShort: optional(oneOf(['max_tokens', 'context_window', 'incomplete'])),
    verbatim: optional(flag),
    latencyMs: optional(orNull(amount)),
  }),
});

/** `status` is that of HTTP, or the exit code of a command. */
const FAILED = fields({
  ...TIMES,
  outcome: oneOf(['failed']),
  error: fields({
    kind: oneOf(ERROR_KINDS),
    message: text,
    status: orNull(number),
    request_id: orNull(text),
    progress: fields({
      ...SPENT,
      backOff: optional(
        fields({
          kind: oneOf(['rate_limit', 'server', 'network']),
          status: orNull(number),
          requestId: orNull(text),
          server: optional(text),
        }),
      ),
    }),
  }),
});
