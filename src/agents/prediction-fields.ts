import { isDeepStrictEqual } from 'node:util';
import { plainName } from '../text/plain-name.ts';
import { quote, showValue } from '../text/show.ts';

/** How a spelling states a fact: the factor to its unit, 1 where it is that unit. */
type Spelling = string | readonly [name: string, factor: number];

const seconds = (...names: readonly string[]) => names.map((name) => [name, 1000] as const);

/**
 * Each fact of a prediction, by the name that viva writes, and how other systems spell it. Case, spaces
 * and punctuation do not count. A name without a unit is here only if its unit is beyond doubt.
 */
const SPELLINGS = {
  task_id: [
    'id',
    'question_id',
    'qid',
    'sample_id',
    'record_id',
    'instance_id',
    'example_id',
    'custom_id',
    'uuid',
  ],
  output: [
    'response',
    'agent_answer',
    'actual_answer',
    'prediction',
    'answer',
    'model_output',
    'model_response',
    'generated_text',
    'generated_answer',
    'generation',
    'completion',
    'pred',
    'predicted',
    'predicted_answer',
    'output_text',
    'agent_output',
    'agent_response',
    'llm_output',
    'llm_response',
    'raw_output',
    'raw_response',
    'full_response',
    'final_response',
    'model_prediction',
    'actual',
    'actual_output',
    'reply',
  ],
  model_answer: ['submitted_answer'],
  reasoning_trace: [],
  error: ['error_message', 'exception'],
  timed_out: ['is_timeout', 'timeout_reached'],
  latency_ms: [
    ...[
      'duration_ms',
      'time_ms',
      'elapsed_ms',
      'execution_time_ms',
      'response_time_ms',
      'total_time_ms',
      'runtime_ms',
      'wall_time_ms',
    ],
    ...seconds(
      'duration_seconds',
      'duration_s',
      'duration_sec',
      'execution_time',
      'execution_time_s',
    ),
    ...seconds(
      'execution_time_seconds',
      'execution_time_sec',
      'latency_s',
      'latency_seconds',
      'latency_sec',
    ),
    ...seconds('elapsed', 'elapsed_s', 'elapsed_seconds', 'elapsed_sec', 'elapsed_time', 'time_s'),
    ...seconds('time_seconds', 'time_sec', 'response_time_s', 'response_time_seconds', 'runtime_s'),
    ...seconds(
      'runtime_seconds',
      'total_time_s',
      'total_time_seconds',
      'time_taken',
      'wall_time_s',
    ),
    ...seconds('inference_time', 'wall_time', 'wall_time_seconds'),
  ],
  first_token_ms: [
    'ttft_ms',
    'time_to_first_token_ms',
    ...seconds('ttft_s', 'ttft_seconds', 'first_token_seconds'),
  ],
  usage: [],
  cost_usd: ['cost', 'total_cost', 'total_cost_usd', 'price_usd'],
  steps: ['num_steps', 'n_steps', 'step_count'],
  model: ['model_name'],
  trial: [],
} as const satisfies Readonly<Record<string, readonly Spelling[]>>;

type Fact = keyof typeof SPELLINGS;

/** The names that viva writes. */
export const PREDICTION_FIELDS = Object.keys(SPELLINGS);

const FACTS: ReadonlyMap<string, Readonly<{ fact: string; factor: number }>> = new Map(
  Object.entries<readonly Spelling[]>(SPELLINGS).flatMap(([fact, spellings]) =>
    [fact, ...spellings].map((spelling) => {
      const [name, factor] = typeof spelling === 'string' ? [spelling, 1] : spelling;
      return [plainName(name), { fact, factor }] as const;
    }),
  ),
);

/** The fact that a field of a prediction states; undefined where it is not read. */
export function factOf(name: string): string | undefined {
  return FACTS.get(plainName(name))?.fact;
}

/** All spellings of a fact: "output, response, agent_answer". */
export function listSpellings(fact: Fact): string {
  const others: readonly Spelling[] = SPELLINGS[fact];
  return [fact, ...others.map((each) => (typeof each === 'string' ? each : each[0]))].join(', ');
}

/** A fact as it stands in a record: the name there, and the value in the unit of the fact. */
type Stated = Readonly<{ name: string; value: unknown }>;

/** What a record states under each name that viva writes. */
type Facts = Readonly<{
  facts: Readonly<Record<string, unknown>>;
  /** How the record spells a fact. */
  nameOf(fact: string): string;
}>;

/**
 * The facts of a record by the names that viva writes. `refuse` is called where two spellings of one
 * fact have different values.
 */
export function readFacts(
  record: Readonly<Record<string, unknown>>,
  refuse: (field: string, problem: string, value: unknown) => Error,
): Facts {
  const stated = new Map<string, Stated>();
  for (const [name, given] of Object.entries(record)) {
    const known = FACTS.get(plainName(name));
    if (known === undefined || given === undefined) continue;
    const value = typeof given === 'number' ? given * known.factor : given;
    const other = stated.get(known.fact);
    if (other === undefined || isBlank(other.value)) {
      if (other === undefined || !isBlank(value)) stated.set(known.fact, { name, value });
    } else if (known.fact === 'task_id' && [name, other.name].includes('task_id')) {
      // Beside it, an "id" is that of a row.
      if (name === 'task_id') stated.set(known.fact, { name, value });
    } else if (!isBlank(value) && !isSame(value, other.value)) {
      const problem = `and ${quote(other.name)} disagree: ${showValue(record[other.name])} there`;
      throw refuse(name, problem, given);
    }
  }
  return {
    facts: Object.fromEntries([...stated].map(([fact, { value }]) => [fact, value])),
    nameOf: (fact) => stated.get(fact)?.name ?? fact,
  };
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Times in two units are rounded. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 0.01 * Math.max(Math.abs(one), Math.abs(other));
  if (typeof one === 'string' && typeof other === 'string') return one.trim() === other.trim();
  return isDeepStrictEqual(one, other);
}
