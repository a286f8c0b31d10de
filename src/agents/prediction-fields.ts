import { isDeepStrictEqual } from 'node:util';
import {
  BARE_OUTPUTS,
  EXTRACTED_OUTPUTS,
  IDS,
  INPUTS,
  OPTIONS,
  OTHER_TARGET,
  OUTPUTS,
  SECOND_INPUTS,
  SECOND_TARGETS,
  TARGETS,
} from '../data/files/field-names.ts';
import type { RecordFault } from '../data/files/record.ts';
import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';
import { showValue } from '../words/show.ts';
import { called, told } from '../words/told.ts';

/** How a spelling states a fact: the factor to its unit, 1 where it is that unit. */
type Spelling = string | readonly [name: string, factor: number];

const seconds = (...names: readonly string[]) => names.map((name) => [name, 1000] as const);

/**
 * Each fact of a prediction, by the name that viva writes, and how other systems spell it. Case,
 * spaces and punctuation do not count. Where a fact has several lists, a name counts only if no
 * name of an earlier list has a value. A name without a unit is here only if its unit is beyond
 * doubt.
 */
const SPELLINGS = {
  task_id: [['task_id', 'custom_id'], IDS, ['instance_id', 'example_id']],
  output: [OUTPUTS, EXTRACTED_OUTPUTS, ['answer']],
  model_answer: [BARE_OUTPUTS],
  reasoning_trace: [[]],
  error: [['error_message', 'exception']],
  timed_out: [['is_timeout', 'timeout_reached']],
  latency_ms: [
    [
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
      ...seconds(
        'elapsed',
        'elapsed_s',
        'elapsed_seconds',
        'elapsed_sec',
        'elapsed_time',
        'time_s',
      ),
      ...seconds(
        'time_seconds',
        'time_sec',
        'response_time_s',
        'response_time_seconds',
        'runtime_s',
      ),
      ...seconds(
        'runtime_seconds',
        'total_time_s',
        'total_time_seconds',
        'time_taken',
        'wall_time_s',
      ),
      ...seconds('inference_time', 'wall_time', 'wall_time_seconds'),
    ],
  ],
  first_token_ms: [
    [
      'ttft_ms',
      'time_to_first_token_ms',
      ...seconds('ttft_s', 'ttft_seconds', 'first_token_seconds'),
    ],
  ],
  usage: [[]],
  cost_usd: [['cost', 'total_cost', 'total_cost_usd', 'price_usd']],
  steps: [['num_steps', 'n_steps', 'step_count']],
  model: [['model_name']],
  trial: [[]],
} as const satisfies Readonly<Record<string, readonly (readonly Spelling[])[]>>;

type Fact = keyof typeof SPELLINGS;

/** The names that viva writes. */
export const PREDICTION_FIELDS = Object.keys(SPELLINGS);

/** What a name says: the fact, the factor to its unit, and the number of its list. */
type Meaning = Readonly<{ fact: string; factor: number; rank: number }>;

const FACTS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<readonly (readonly Spelling[])[]>(SPELLINGS).flatMap(([fact, lists]) =>
    // What is first in a list wins.
    [[fact], ...lists]
      .flatMap((spellings, list) =>
        spellings.map((spelling) => {
          const [name, factor] = typeof spelling === 'string' ? [spelling, 1] : spelling;
          return [plainName(name), { fact, factor, rank: Math.max(list - 1, 0) }] as const;
        }),
      )
      .reverse(),
  ),
);

/** The fact that a field of a prediction states; undefined where it is not read. */
export function factOf(name: string): string | undefined {
  return FACTS.get(plainName(name))?.fact;
}

/** All spellings of a fact: "output, response, agent_answer". */
export function listSpellings(fact: Fact): string {
  const names = SPELLINGS[fact].flat().map((each) => (typeof each === 'string' ? each : each[0]));
  return [...new Set([fact, ...names].map((name) => name.replaceAll(' ', '_')))].join(', ');
}

const ASKED: ReadonlySet<string> = new Set(
  [...INPUTS, ...SECOND_INPUTS, ...OPTIONS].map(plainName),
);
const EXPECTED: ReadonlySet<string> = new Set([...TARGETS, ...SECOND_TARGETS].map(plainName));
/**
 * Options in columns, and other names of an expected answer: "A", "option_1"; "gold_letter",
 * "y_true".
 */
const OF_DATASET =
  /^(?:[ab]|(?:option|choice)[a-j\d]|ytrue|truelabel|(?:gold|expected|groundtruth).*)$/;

/**
 * The field that shows that "answer" in a file of predictions is the expected answer: one beside it
 * in some record that is a better name of an output, or that a dataset has. Undefined where
 * "answer" may be what the agent gave.
 */
export function findRival(records: readonly unknown[]): string | undefined {
  for (const record of records) {
    if (!isFields(record)) continue;
    const names = Object.keys(record);
    if (!names.some((name) => plainName(name) === 'answer')) continue;
    const rival = names.find((name) => isRival(plainName(name), record[name]));
    if (rival !== undefined) return rival;
  }
  return undefined;
}

function isRival(plain: string, value: unknown): boolean {
  if (plain === 'answer') return false;
  const fact = FACTS.get(plain)?.fact;
  if (fact === 'output' || fact === 'model_answer') return true;
  if (ASKED.has(plain) || OF_DATASET.test(plain)) return true;
  // "correct: true" is the verdict of another grader.
  const isVerdict = typeof value === 'string' ? VERDICT.test(value) : typeof value === 'boolean';
  return !isVerdict && (EXPECTED.has(plain) || OTHER_TARGET.test(plain));
}

const VERDICT = /^(?:true|false)$/i;

/** A fact as it stands in a record: the name there, and the value in the unit of the fact. */
type Stated = Meaning & Readonly<{ name: string; written: unknown; value: unknown }>;

/** What a record states under each name that viva writes. */
type Facts = Readonly<{
  facts: Readonly<Record<string, unknown>>;
  /** How the record spells a fact. */
  nameOf(fact: string): string;
  /** Names of outputs that have a value, but are weaker than the one that is read. */
  unread: readonly string[];
}>;

/**
 * The facts of a record by the names that viva writes. `refuse` is called where two names of one
 * list have different values. `withAnswer` says whether "answer" may be the output.
 */
export function readFacts(
  record: Readonly<Record<string, unknown>>,
  withAnswer: boolean,
  refuse: Refuse,
): Facts {
  const all = Object.entries(record).flatMap(([name, written]): readonly Stated[] => {
    const meaning = FACTS.get(plainName(name));
    if (meaning === undefined || written === undefined) return [];
    const value = typeof written === 'number' ? written * meaning.factor : written;
    return [{ ...meaning, name, written, value }];
  });
  const isBare = all.some(({ fact, value }) => fact === 'model_answer' && !isBlank(value));
  const isRead = ({ fact, rank, name }: Stated) =>
    fact !== 'output' || (!(isBare && rank > 0) && (withAnswer || plainName(name) !== 'answer'));
  const byFact = Map.groupBy(all.filter(isRead), ({ fact }) => fact);
  const stated = [...byFact.values()].flatMap((spelt) => pickStated(spelt, refuse) ?? []);
  const weakest = stated.find(({ fact }) => fact === 'output')?.rank ?? 0;
  const isUnread = (one: Stated) =>
    one.fact === 'output' && !isBlank(one.value) && (!isRead(one) || one.rank > weakest);
  return {
    facts: Object.fromEntries(stated.map(({ fact, value }) => [fact, value])),
    nameOf: (fact) => stated.find((one) => one.fact === fact)?.name ?? fact,
    unread: all.filter(isUnread).map(({ name }) => name),
  };
}

/** Makes the error for two fields that disagree. `detail` has their values. */
type Refuse = (disagreement: Pick<RecordFault, 'field' | 'problem' | 'detail'>) => Error;

/** The spelling of a fact that counts: of those with a value one of the first list. */
function pickStated(spelt: readonly Stated[], refuse: Refuse): Stated | undefined {
  const filled = spelt.filter(({ value }) => !isBlank(value));
  const best = Math.min(...filled.map(({ rank }) => rank));
  const [first, ...others] = filled.filter(({ rank }) => rank === best);
  const other = first && others.find(({ value }) => !areSameFact(value, first.value));
  if (first !== undefined && other !== undefined) {
    const detail = `${showValue(other.written)} against ${showValue(first.written)}`;
    const problem = told`and ${called(first.name)} disagree`;
    throw refuse({ field: other.name, problem, detail });
  }
  return first ?? spelt[0];
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Times in two units are rounded. */
function areSameFact(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number')
    return Math.abs(one - other) <= 0.01 * Math.max(Math.abs(one), Math.abs(other));
  if (typeof one === 'string' && typeof other === 'string') return one.trim() === other.trim();
  return isDeepStrictEqual(one, other);
}
