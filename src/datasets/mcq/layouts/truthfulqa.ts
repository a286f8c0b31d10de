import { plural } from '../../../text/plural.ts';
import { findFields, hasField } from '../../pick-field.ts';
import { type Field, isFields, type Place } from '../../record-fields.ts';
import type { McqLayout } from '../layout.ts';
import { fault } from '../options.ts';
import { requireFilled } from '../require-filled.ts';
import { readRightAmong } from '../right-among.ts';

const TARGETS = ['mc1 targets'];

/** TruthfulQA's mc1_targets, {"choices": [...], "labels": [1, 0, ...]} or {"text": 1, "text": 0, ...}: the right one first. */
export const truthfulqa: McqLayout = {
  recognises: ({ records }) => records.some(({ value }) => isFields(value) && hasField(value, TARGETS)),
  toReader: () => ({
    name: 'TruthfulQA mc1',
    notes: [
      'The file always names the right answer first: options stand in an order that follows from the text of each question.',
    ],
    read: (record, question) => {
      const { place, values } = record;
      const field = requireFilled(record, findFields(values, TARGETS)[0] ?? null, 'options');
      const { texts, flags } = readTargets(place, field);
      const right = flags.flatMap((flag, index) => (flag === 1 || flag === true ? [index] : []));
      if (right.length !== 1) throw fault(place, field, `must mark one option as right, it marks ${right.length}`);
      return { ...readRightAmong(place, field, texts, right[0] ?? null, question), used: [field.name] };
    },
  }),
};

function readTargets(place: Place, field: Field): { texts: readonly unknown[]; flags: readonly unknown[] } {
  if (!isFields(field.value)) throw fault(place, field, 'must be an object');
  const { choices, labels } = field.value;
  if (!Array.isArray(choices) || !Array.isArray(labels)) {
    return { texts: Object.keys(field.value), flags: Object.values(field.value) };
  }
  if (choices.length === labels.length) return { texts: choices, flags: labels };
  throw fault(place, field, `has ${plural(choices.length, 'choice')} and ${plural(labels.length, 'label')}`);
}
