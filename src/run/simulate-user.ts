import { listJudgeForms, parseUserSpec } from '../agents/kinds.ts';
import { suggestSpec } from '../agents/meant-spec.ts';
import { RecordError } from '../data/files/record.ts';
import type { Sample } from '../words/sample.ts';
import { quote, showValue, toText } from '../words/show.ts';
import { called, told } from '../words/told.ts';
import { callOfSuite } from './user-code.ts';

/** A text for all records, or one that a function makes of each. */
// biome-ignore lint/suspicious/noExplicitAny: the records of any suite.
type OfSample = string | ((sample: Sample<any, any>) => string);

/**
 * How a model plays the user of an agent.
 *
 * @example
 * const shopper: UserSimulation = {
 *   persona: ({ metadata }) => `A customer from ${metadata.country}.`,
 *   goal: 'Knows when the parcel comes.',
 *   maxTurns: 4,
 * };
 */
export type UserSimulation = {
  /** Who the user is. Default: the field "persona" of the record, if it has one. */
  readonly persona?: OfSample;
  /** What the user wants. Default: the field "goal" of the record. */
  readonly goal?: OfSample;
  /** The most messages of the user, with those of the record. Default 10. */
  readonly maxTurns?: number;
  /** The model, as EVAL_AGENT names one. Default: EVAL_USER. */
  readonly user?: string;
};

/**
 * The user of a suite's conversations: a model that speaks for the persona of a record until its goal
 * is reached, or after `maxTurns` messages. It begins after `input` or `turns` of the record, or
 * speaks first.
 *
 * @example
 * await defineEval('refunds', {
 *   data: [{ id: 'late', persona: 'An impatient customer.', goal: 'Gets the money back.' }],
 *   agent: './support-agent.ts',
 *   user: simulateUser({ maxTurns: 6, user: 'openai:gpt-5-mini' }),
 *   score: judge('The agent refunds the order and stays polite.'),
 * });
 */
export function simulateUser(simulation: UserSimulation = {}): UserSimulation {
  return simulation;
}

const MOST_TURNS = 100;

/** What is wrong with the `user` of a suite. */
export function* findUserProblems(user: UserSimulation): Generator<string, void> {
  const { persona, goal, maxTurns = 1, user: model, ...others } = user;
  for (const name of Object.keys(others))
    yield `simulateUser has no option ${quote(name)}. It takes persona, goal, maxTurns and user.`;
  for (const [name, value = ''] of Object.entries({ persona, goal }))
    if (typeof value !== 'string' && typeof value !== 'function')
      yield `"${name}" of simulateUser must be a string or a function, got ${showValue(value)}.`;
  if (!(Number.isInteger(maxTurns) && maxTurns >= 1 && maxTurns <= MOST_TURNS))
    yield `"maxTurns" must be a whole number from 1 to ${MOST_TURNS}, got ${showValue(maxTurns)}.`;
  if (model !== undefined && (typeof model !== 'string' || parseUserSpec(model, 'user') === null)) {
    const meant = typeof model === 'string' ? suggestSpec(model) : '';
    yield `"user" of simulateUser must be ${listJudgeForms()}, got ${showValue(model)}.${meant}`;
  }
}

/** The samples with their users. Throws a RecordError for one that has no goal. */
export function addUsers(
  samples: readonly Sample[],
  { persona, goal, maxTurns = 10 }: UserSimulation,
  file: string,
): readonly Sample[] {
  const read = (field: OfSample | undefined, name: string, sample: Sample): string => {
    const value: unknown =
      typeof field === 'function'
        ? callOfSuite({ name, file }, field, sample)
        : (field ?? sample.metadata[name] ?? '');
    if (typeof value === 'string') return value.trim();
    throw new RecordError({
      file,
      id: sample.id,
      field: name,
      problem: told`must be a string`,
      value,
      remedy: 'Correct it.',
    });
  };
  return samples.map((sample) => {
    const wanted = read(goal, 'goal', sample);
    if (wanted === '')
      throw new RecordError({
        file,
        id: sample.id,
        field: 'goal',
        problem: told`of ${called(sample.id)} is missing: its user would not know what to ask for`,
        remedy: 'Give the record a field "goal", or simulateUser a goal.',
      });
    const { turns = [toText(sample.input, 2)] } = sample;
    if (turns.length > maxTurns)
      throw new RecordError({
        file,
        id: sample.id,
        field: 'turns',
        problem: told`of ${called(sample.id)} are ${turns.length}, more than maxTurns ${maxTurns}`,
        remedy: 'Raise maxTurns of simulateUser.',
      });
    const user = { persona: read(persona, 'persona', sample) || null, goal: wanted, maxTurns };
    return { ...sample, turns, user };
  });
}
