import { RecordError } from '../../../records/record-error.ts';
import { quote } from '../../../records/show-value.ts';
import { describeSources } from '../../describe-sources.ts';
import { hasField, pickField } from '../../pick-field.ts';
import {
  describeNames,
  type Field,
  isFields,
  omitFields,
  type RecordFields,
  requireText,
  toRecordFields,
} from '../../record-fields.ts';
import { makeId, noteMissingIds, toId } from '../../record-id.ts';
import { toAttachmentName } from '../attachment-name.ts';
import type { GaiaDraft, GaiaLayout } from '../draft.ts';
import { toLevel } from '../level.ts';
import { noteNumbers, toTruth } from '../truth.ts';

/** The spellings of each field, normalised (lower case, words separated by a space), the preferred one first. */
const SPELLINGS = {
  id: ['task id', 'id', 'question id'],
  question: ['question', 'input', 'prompt'],
  answer: ['final answer', 'answer', 'expected', 'expected answer', 'truth', 'ground truth', 'target'],
  level: ['level'],
  file: ['file name', 'file'],
} as const;

const ROLES = ['id', 'question', 'answer', 'level', 'file'] as const;

type Picked = Readonly<Record<keyof typeof SPELLINGS, Field | null>>;

/** Records with a question and an answer under the usual names; id, level and file may be missing. */
export const plain: GaiaLayout = {
  recognises: ({ records }) =>
    records.some(
      ({ value }) => isFields(value) && hasField(value, SPELLINGS.question) && hasField(value, SPELLINGS.answer),
    ),
  toDrafts: ({ file, records }) => {
    const read = records.map((raw) => {
      const record = toRecordFields(file, raw);
      return { record, picked: pickAll(record) };
    });
    return {
      drafts: read.map(({ record, picked }, index) => toDraft(record, picked, index + 1)),
      notes: [
        `Question/answer records: ${records.length}, read from ${describeSources(
          ROLES,
          read.map(({ picked }) => picked),
        )}.`,
        ...noteMissingIds(read.map(({ picked }) => picked.id)),
        ...noteNumbers(read.map(({ picked }) => picked.answer?.value)),
      ],
    };
  },
};

function pickAll(record: RecordFields): Picked {
  return {
    id: pickField(record, SPELLINGS.id),
    question: pickField(record, SPELLINGS.question),
    answer: pickField(record, SPELLINGS.answer),
    level: pickField(record, SPELLINGS.level),
    file: pickField(record, SPELLINGS.file),
  };
}

function toDraft(record: RecordFields, picked: Picked, position: number): GaiaDraft {
  const question = requireText(record.place, requirePicked(record, picked, 'question'));
  const id = picked.id === null ? makeId(position, question) : toId(record.place, picked.id);
  const place = { ...record.place, id };
  const used = Object.values(picked).flatMap((field) => (field === null ? [] : [field.name]));
  return {
    place,
    id,
    question,
    level: picked.level === null ? null : toLevel(place, picked.level),
    answer: toTruth(place, requirePicked(record, picked, 'answer')),
    attachment: picked.file === null ? null : toAttachmentName(place, picked.file),
    metadata: omitFields(record.values, used),
  };
}

function requirePicked({ place, values }: RecordFields, picked: Picked, role: 'question' | 'answer'): Field {
  const field = picked[role];
  if (field !== null) return field;
  throw new RecordError({
    ...place,
    problem: `the record has no ${role}, or an empty one`,
    detail: describeNames(values),
    remedy: `Fill ${SPELLINGS[role].map(quote).join(' or ')}, or leave the record out.`,
  });
}
