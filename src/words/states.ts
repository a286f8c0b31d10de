import type { ErrorKind, SampleResult, State } from './types.ts';

/** What a state means for counting and for showing results. */
export type StateFacts = Readonly<{
  /** Its name in reports. */
  label: string;
  /** Its column in the tables of figures; null if it has none. */
  column: Readonly<{ head: string; shown: 'always' | 'when any' }> | null;
  /** Whether the sample was asked, or its answer replayed or cached. */
  ran: boolean;
  /** Its verdict, "none" for an answer in which no answer was found; null if it has none. */
  verdict: 'right' | 'wrong' | 'none' | null;
  /** Whether the test of the sample fails. */
  fails: boolean;
  /** Whether an error came instead of an answer. */
  isError: boolean;
  /** "with target": in accuracy only if the target is known; true: always. */
  inAccuracy: boolean | 'with target';
  /**
   * Its latency: that of the answer, the deadline as a lower bound, or null if no figure uses it.
   */
  latency: 'answer' | 'deadline' | null;
  /**
   * Who may have written its reason if it has no output, and its explanation if the reason is
   * "score". Where records are hidden, only the words of viva are shown: those of an agent or of a
   * score may quote a record.
   */
  reasonBy: 'viva' | 'agent';
  explanationBy: 'viva' | 'score';
}>;

const VIVA = { reasonBy: 'viva', explanationBy: 'viva' } as const;
const RAN = {
  ran: true,
  verdict: 'wrong',
  fails: true,
  isError: false,
  latency: 'answer',
} as const;

/** All states in the order of reports. To add one: an entry here and a member of `State`. */
export const STATES = {
  correct: {
    ...RAN,
    ...VIVA,
    label: 'correct',
    column: null,
    verdict: 'right',
    fails: false,
    inAccuracy: true,
  },
  incorrect: { ...RAN, ...VIVA, label: 'incorrect', column: null, inAccuracy: true },
  no_answer: {
    ...RAN,
    reasonBy: 'agent',
    explanationBy: 'viva',
    verdict: 'none',
    label: 'no answer',
    column: { head: 'no answer', shown: 'always' },
    inAccuracy: 'with target',
  },
  timed_out: {
    ...RAN,
    ...VIVA,
    label: 'timed out',
    column: { head: 'timed out', shown: 'when any' },
    inAccuracy: 'with target',
    latency: 'deadline',
  },
  errored: {
    ...RAN,
    ...VIVA,
    label: 'errored',
    column: { head: 'errors', shown: 'always' },
    isError: true,
    inAccuracy: 'with target',
    latency: null,
  },
  ungraded: {
    ...RAN,
    ...VIVA,
    verdict: null,
    label: 'ungraded',
    column: { head: 'ungraded', shown: 'when any' },
    fails: false,
    inAccuracy: false,
  },
  not_run: {
    ...RAN,
    reasonBy: 'viva',
    explanationBy: 'score',
    verdict: null,
    label: 'not run',
    column: { head: 'NOT RUN', shown: 'when any' },
    ran: false,
    fails: false,
    inAccuracy: 'with target',
    latency: null,
  },
} satisfies Record<State, StateFacts> as Readonly<Record<State, StateFacts>>;

export const ALL_STATES = Object.keys(STATES) as readonly State[];

/** Whether the sample of a result was asked, or its answer replayed or cached. */
export function hasRun({ state }: Pick<SampleResult, 'state'>): boolean {
  return STATES[state].ran;
}

/**
 * Whether the agent gave an answer, or failed to: also where only the verdict of a judge is
 * missing.
 */
export function wasAsked({ state, output }: Pick<SampleResult, 'state' | 'output'>): boolean {
  return hasRun({ state }) || output !== null;
}

/**
 * Whether the next run asks again after an error: one of the provider, the connection or this
 * machine. All other outcomes are cached.
 */
export function isAskedAgain(reason: string | null): boolean {
  return ASKED_AGAIN.some((kind) => kind === reason);
}

/** What one error of each kind is called, and several. */
export const ERROR_NAMES: Readonly<Record<ErrorKind, readonly [one: string, several: string]>> = {
  rate_limit: ['call over the rate limit', 'calls over the rate limit'],
  quota: ['call over the quota', 'calls over the quota'],
  auth: ['call with a refused key', 'calls with a refused key'],
  bad_request: ['refused request', 'refused requests'],
  server: ['server error', 'server errors'],
  network: ['network error', 'network errors'],
  machine: ['fault of this machine', 'faults of this machine'],
  timed_out: ['timeout', 'timeouts'],
  bad_response: ['unreadable answer', 'unreadable answers'],
  step_limit: ['step limit reached', 'step limits reached'],
  agent_crash: ['crash', 'crashes'],
};

const ASKED_AGAIN: readonly ErrorKind[] = [
  'rate_limit',
  'quota',
  'auth',
  'server',
  'network',
  'machine',
];

type Costs = Readonly<{ total: number | null; newlySpent: number | null }>;

/**
 * What a result cost with its judges, and what its run added to that: cached parts cost nothing.
 * Null if not known.
 */
export function costOf({
  cost_usd,
  cached,
  judge,
}: Pick<SampleResult, 'cost_usd' | 'cached' | 'judge'>): Costs {
  const own = cached ? 0 : cost_usd;
  if (judge === undefined) return { total: cost_usd, newlySpent: own };
  const { cost_usd: judging, new_cost_usd: judged = judging } = judge;
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return { total: add(cost_usd, judging), newlySpent: add(own, judged) };
}

export function isCorrect({ state }: Pick<SampleResult, 'state'>): boolean {
  return STATES[state].verdict === 'right';
}

/** Whether the target is known. Without one a result is in no accuracy, whatever its state. */
export function hasTarget({ state, target }: Pick<SampleResult, 'state' | 'target'>): boolean {
  const { inAccuracy } = STATES[state];
  return inAccuracy === 'with target' ? target !== null : inAccuracy;
}

/** Whether a result counts in accuracy. Errors, time-outs and missing answers count as wrong. */
export function isCounted(result: Pick<SampleResult, 'state' | 'target'>): boolean {
  return hasTarget(result) && hasRun(result);
}

/** How many results are in each state. Every state has an entry. */
export function countStates(results: readonly SampleResult[]): Readonly<Record<State, number>> {
  const counts = Object.fromEntries(ALL_STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const { state } of results) counts[state] += 1;
  return counts;
}
