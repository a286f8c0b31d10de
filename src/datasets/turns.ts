import { isFields, RecordError, type RecordFile } from '../records/record.ts';
import { showValue } from '../text/show.ts';
import { findFilled, findNamed } from './record-fields.ts';
import { SECOND_SPELLINGS, SPELLINGS } from './shapes.ts';

/** The longest conversation of a record. */
const MOST_TURNS = 100;

const INPUTS = [...SPELLINGS.input, ...SECOND_SPELLINGS.input];

/**
 * The records of an own suite, in which those with `turns` instead of `input` get an input that shows
 * them: all of the user's messages, a paragraph each. A record with a `goal` alone is for a simulated
 * user who speaks first: its input is that goal, and it has no turn.
 */
export function addInputs(source: RecordFile): RecordFile {
  const records = source.records.map((raw) => {
    const { value, line, file = source.file } = raw;
    if (!isFields(value)) return raw;
    const turns = findNamed(value, 'turns');
    const hasInput = findFilled(value, INPUTS).length > 0;
    if (isList(turns?.value)) {
      const refuse = (problem: string, remedy: string) =>
        new RecordError({ file, line, field: turns?.name ?? 'turns', problem, remedy });
      if (hasInput)
        throw refuse('is given together with an input', 'Keep one of them: turns[0] is the input.');
      if (!isTurns(turns?.value))
        throw refuse(
          `must be 1 to ${MOST_TURNS} texts, got ${showValue(turns?.value)}`,
          'Write what the user says, one text for each message.',
        );
      return { ...raw, value: { ...value, input: turns?.value.join('\n\n') } };
    }
    const goal = findNamed(value, 'goal')?.value;
    return hasInput || typeof goal !== 'string' || goal.trim() === ''
      ? raw
      : { ...raw, value: { ...value, input: goal, turns: [] } };
  });
  return { ...source, records };
}

/** The turns of a sample by its other fields; undefined where it has a single question. */
export function readTurns({ turns }: Readonly<Record<string, unknown>>): {
  readonly turns?: readonly string[];
} {
  return isList(turns) && turns.every((turn) => typeof turn === 'string') ? { turns } : {};
}

function isTurns(value: unknown): value is readonly string[] {
  return (
    isList(value) &&
    value.length > 0 &&
    value.length <= MOST_TURNS &&
    value.every((turn) => typeof turn === 'string' && turn.trim() !== '')
  );
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
