import { basename } from 'node:path';
import type { RawRecord, RecordFile } from '../../../records/record-file.ts';
import { plural } from '../../../text/plural.ts';
import {
  isFields,
  omitFields,
  type RecordFields,
  requireField,
  requireText,
  toRecordFields,
} from '../../record-fields.ts';
import { toAttachmentName } from '../attachment-name.ts';
import type { GaiaDraft, GaiaLayout } from '../draft.ts';
import { toLevel } from '../level.ts';
import { noteNumbers, toTruth } from '../truth.ts';

const NAMES = ['task_id', 'Question', 'Level', 'Final answer'];

/** The layout of GAIA itself: exact field names, a level in every record. */
export const official: GaiaLayout = {
  // A file called metadata.* may miss fields and is still GAIA's, so that the error names the field; any other file
  // must have a record with all of them.
  recognises: ({ file, records }) => {
    const needed = basename(file).startsWith('metadata.') ? 2 : NAMES.length;
    return records.some(({ value }) => countNames(value) >= needed);
  },
  toDrafts: (source) => {
    const kept = source.records.filter((raw) => !isPlaceholder(raw));
    const records = kept.map((raw) => toRecordFields(source.file, raw));
    return {
      drafts: records.map(toDraft),
      notes: [
        `GAIA layout: ${plural(kept.length, 'record')}.`,
        ...notePlaceholder(source, kept),
        ...noteNumbers(records.map(({ values }) => values['Final answer'])),
      ],
      placeholders: kept.length === source.records.length ? [] : [PLACEHOLDER],
    };
  },
};

function countNames(value: unknown): number {
  return isFields(value) ? NAMES.filter((name) => Object.hasOwn(value, name)).length : 0;
}

/** The test split contains one row that is no question (level 3). */
const PLACEHOLDER = '0-0-0-0-0';

function isPlaceholder({ value }: RawRecord): boolean {
  return isFields(value) && value['task_id'] === PLACEHOLDER;
}

function notePlaceholder({ records }: RecordFile, kept: readonly RawRecord[]): string[] {
  return kept.length === records.length ? [] : [`The placeholder row "${PLACEHOLDER}" was skipped.`];
}

function toDraft(record: RecordFields): GaiaDraft {
  const { values } = record;
  const id = requireText(record.place, requireField(record, 'task_id'));
  const place = { ...record.place, id };
  return {
    place,
    id,
    question: requireText(place, requireField(record, 'Question')),
    level: toLevel(place, requireField(record, 'Level')),
    answer: toTruth(place, requireField(record, 'Final answer')),
    attachment: toAttachmentName(place, { name: 'file_name', value: values['file_name'] }),
    metadata: omitFields(values, [...NAMES, 'file_name']),
  };
}
