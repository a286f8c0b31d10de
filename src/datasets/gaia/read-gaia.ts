import { basename } from 'node:path';
import { readRecords } from '../../records/read-records.ts';
import { RecordError, type RecordFile } from '../../records/record.ts';
import { partOf } from '../../text/wording.ts';
import type { Attachment, Sample } from '../../types.ts';
import { assertUniqueIds, nameGroups, type Place, unknownLayout } from '../record-fields.ts';
import { type GaiaDraft, type GaiaLayout, gaiaLayouts, type NamedAttachment } from './layouts.ts';

export type GaiaRecords = {
  readonly samples: readonly Sample[];
  readonly notes: readonly string[];
  /** Ids of rows that are no questions. */
  readonly placeholders: readonly string[];
};

/** Reads the records of one or several files as one dataset; `attach` finds the file that a record names. */
export async function readGaia(
  files: readonly string[],
  attach: (place: Place, attachment: NamedAttachment) => Attachment,
): Promise<GaiaRecords> {
  const parts = await Promise.all(files.map((file) => readPart(file, files.length > 1)));
  const drafts = parts.flatMap((part) => part.drafts);
  if (drafts.length === 0) throw noQuestions(files[0] ?? '');
  assertUniqueIds(drafts);
  const levels = drafts.map(({ level }) => (level === null ? null : `level ${level}`));
  const { groups, notes } = nameGroups(levels, 'level');
  const samples = drafts.map((draft, index) => toSample(draft, groups[index] ?? 'all', attach));
  return {
    samples,
    notes: [...parts.flatMap((part) => part.notes), ...notes, ...noteHidden(samples)],
    placeholders: parts.flatMap((part) => part.placeholders),
  };
}

async function readPart(file: string, isOneOfSeveral: boolean) {
  const source = await readRecords(file);
  const { drafts, notes, placeholders = [] } = recogniseLayout(source).toDrafts(source);
  const where = isOneOfSeveral ? `${basename(file)}: ` : '';
  return { drafts, placeholders, notes: [...source.notes, ...notes].map((note) => `${where}${note}`) };
}

function recogniseLayout(source: RecordFile): GaiaLayout {
  const layout = gaiaLayouts.find((candidate) => candidate.recognises(source));
  if (layout !== undefined) return layout;
  throw unknownLayout(
    source,
    'Use "task_id", "Question", "Level" and "Final answer", or at least "question" and "answer".',
  );
}

function noQuestions(file: string): RecordError {
  return new RecordError({ file, problem: 'the file holds no questions', remedy: 'Download the file again.' });
}

function toSample(
  { place, id, question, answer, attachment, metadata }: GaiaDraft,
  group: string,
  attach: (place: Place, attachment: NamedAttachment) => Attachment,
): Sample {
  return {
    id,
    suite: 'gaia',
    input: question,
    target: answer.trim() === '?' ? null : answer,
    group,
    attachments: attachment === null ? [] : [attach(place, attachment)],
    metadata,
  };
}

function noteHidden(samples: readonly Sample[]): string[] {
  const hidden = samples.filter(({ target }) => target === null).length;
  const are = partOf(hidden, samples.length, 'truth', 'is hidden ("?") and stays', 'are hidden ("?") and stay');
  return hidden === 0 ? [] : [`${are} ungraded.`];
}
