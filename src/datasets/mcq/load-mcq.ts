import { readRecords } from '../../records/read-records.ts';
import type { RecordFile } from '../../records/record-file.ts';
import { quote } from '../../records/show-value.ts';
import { partOf, plural } from '../../text/plural.ts';
import type { Dataset, Sample } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import { nameGroups } from '../name-group.ts';
import { assertUniqueIds } from '../record-id.ts';
import { unknownLayout } from '../unknown-layout.ts';
import type { McqDraft } from './draft.ts';
import type { FieldMap } from './field-map.ts';
import type { McqLayout, McqReader } from './layout.ts';
import { mcqLayouts } from './layouts/index.ts';
import { readMapped } from './layouts/mapped.ts';
import { noteTruths } from './note-truths.ts';
import { refuseContradictions } from './same-question.ts';
import { resolveTarget } from './target.ts';
import { toDrafts } from './to-drafts.ts';

export type McqOptions = {
  /** A file with multiple-choice records: CSV, JSON lines, JSON or Parquet. */
  readonly path: string;
  /** Which fields mean what, where their names and the shape of the records do not say it. */
  readonly fields?: FieldMap | null;
  /** Whether these are the committed samples, which alone are called "sample". */
  readonly sample?: boolean;
};

/** Reads a multiple-choice dataset; rejects with a RecordError that names file and line at the first bad record. */
export async function loadMcq({ path, fields, sample = false }: McqOptions): Promise<Dataset> {
  const source = await readRecords(path);
  const { drafts, notes } = toDrafts(source, chooseReader(source, fields ?? {}), fields ?? {});
  assertUniqueIds(drafts);
  const { groups, notes: groupNotes } = nameGroups(
    drafts.map(({ subject }) => subject),
    'subject',
  );
  const samples = drafts.map((draft, index) => toSample(draft, groups[index] ?? 'all'));
  refuseContradictions(
    samples,
    drafts.map(({ place }) => place),
  );
  return {
    name: sample ? 'sample' : nameDataset(path),
    samples,
    notes: [
      ...source.notes,
      ...notes,
      ...groupNotes,
      ...noteRepeats(drafts),
      ...noteTruths(drafts, samples),
      ...noteHidden(samples),
    ],
  };
}

/** Whether the shape of the records is that of a known multiple-choice layout. */
export function isMcq(source: RecordFile): boolean {
  return findLayout(source) !== undefined;
}

/** The first records show the shape; looking for each layout in thousands would take as long as reading them. */
function findLayout(source: RecordFile): McqLayout | undefined {
  const beginning = { ...source, records: source.records.slice(0, 100) };
  return mcqLayouts.find((layout) => layout.recognises(beginning));
}

function chooseReader(source: RecordFile, { choices }: FieldMap): McqReader {
  if (choices !== undefined) return readMapped(source, choices);
  const layout = findLayout(source);
  if (layout !== undefined) return layout.toReader(source);
  throw unknownLayout(
    source,
    'Use "question", "options" and "answer"; options may be "a|b|c", a list, an object or columns A, B, C. ' +
      'Or name the fields: EVAL_MCQ_FIELDS=\'{"question": "...", "choices": "...", "answer": "..."}\'.',
  );
}

function toSample(draft: McqDraft, group: string): Sample {
  const choices = Object.fromEntries(draft.options.map(({ label, text }) => [label, text]));
  return {
    id: draft.id,
    suite: 'mcq',
    input: draft.input,
    ...resolveTarget(draft, choices),
    group,
    choices,
    attachments: [],
    metadata: draft.metadata,
  };
}

/** Options that read the same are odd but no error: the truth names one of them. */
function noteRepeats(drafts: readonly McqDraft[]): string[] {
  const odd = drafts.filter(({ options }) => new Set(options.map(({ text }) => text)).size < options.length);
  const first = odd[0];
  if (first === undefined) return [];
  return [
    `${plural(odd.length, 'question has', 'questions have')} options that read the same, first ${quote(first.id)} on line ${first.place.line}.`,
  ];
}

function noteHidden(samples: readonly Sample[]): string[] {
  const hidden = samples.filter(({ target }) => target === null).length;
  const are = partOf(hidden, samples.length, 'truth', 'is', 'are');
  return hidden === 0 ? [] : [`${are} hidden: those stay ungraded.`];
}
