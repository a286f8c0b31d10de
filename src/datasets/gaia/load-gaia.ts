import { readRecords } from '../../records/read-records.ts';
import { RecordError } from '../../records/record-error.ts';
import type { RecordFile } from '../../records/record-file.ts';
import type { Dataset, Sample } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import { nameGroups } from '../name-group.ts';
import { assertUniqueIds } from '../record-id.ts';
import { unknownLayout } from '../unknown-layout.ts';
import { findAttachment } from './attachment.ts';
import type { GaiaDraft, GaiaLayout } from './draft.ts';
import { gaiaLayouts } from './layouts/index.ts';
import { locateGaia, type Split } from './locate.ts';

export type GaiaOptions = {
  /** GAIA's folder, a split's folder, or a file with GAIA's or plain question/answer records. */
  readonly path: string;
  /** Which split of a folder to read; "validation" unless said. */
  readonly split?: Split;
  /** Whether these are the committed samples, which alone are called "sample". */
  readonly sample?: boolean;
};

/** Reads a GAIA dataset; rejects with a RecordError that names file and line at the first bad record. */
export async function loadGaia({ path, split = 'validation', sample = false }: GaiaOptions): Promise<Dataset> {
  const located = locateGaia(path, split);
  const source = await readRecords(located.file);
  const { drafts, notes } = recogniseLayout(source).toDrafts(source);
  if (drafts.length === 0) throw noQuestions(located.file);
  assertUniqueIds(drafts);
  const { samples, notes: groupNotes } = toSamples(drafts);
  return {
    name: sample ? 'sample' : nameDataset(located.file),
    samples,
    notes: [...located.notes, ...source.notes, ...notes, ...groupNotes, ...noteHidden(samples)],
  };
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

function toSamples(drafts: readonly GaiaDraft[]): { samples: Sample[]; notes: string[] } {
  const levels = drafts.map(({ level }) => (level === null ? null : `level ${level}`));
  const { groups, notes } = nameGroups(levels, 'level');
  return { samples: drafts.map((draft, index) => toSample(draft, groups[index] ?? 'all')), notes };
}

function toSample({ place, id, question, answer, attachment, metadata }: GaiaDraft, group: string): Sample {
  return {
    id,
    suite: 'gaia',
    input: question,
    target: answer.trim() === '?' ? null : answer,
    group,
    attachments: attachment === null ? [] : [findAttachment(place, attachment)],
    metadata,
  };
}

function noteHidden(samples: readonly Sample[]): string[] {
  const hidden = samples.filter(({ target }) => target === null).length;
  return hidden === 0 ? [] : [`${hidden} of ${samples.length} truths are hidden ("?"): those stay ungraded.`];
}
