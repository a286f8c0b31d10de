import { readRecords } from '../../records/read-records.ts';
import type { RecordFile } from '../../records/record-file.ts';
import { quote } from '../../records/show-value.ts';
import type { Dataset, Sample } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import { nameGroups } from '../name-group.ts';
import { assertUniqueIds } from '../record-id.ts';
import { unknownLayout } from '../unknown-layout.ts';
import type { McqDraft, McqLayout } from './draft.ts';
import { mcqLayouts } from './layouts/index.ts';
import { resolveTarget } from './target.ts';

export type McqOptions = {
  /** A file with multiple-choice records: CSV, JSON lines or JSON. */
  readonly path: string;
  /** Whether these are the committed samples, which alone are called "sample". */
  readonly sample?: boolean;
};

/** Reads a multiple-choice dataset; rejects with a RecordError that names file and line at the first bad record. */
export async function loadMcq({ path, sample = false }: McqOptions): Promise<Dataset> {
  const source = await readRecords(path);
  const { drafts, notes } = recogniseLayout(source).toDrafts(source);
  assertUniqueIds(drafts);
  const { groups, notes: groupNotes } = nameGroups(
    drafts.map(({ subject }) => subject),
    'subject',
  );
  return {
    name: sample ? 'sample' : nameDataset(path),
    samples: drafts.map((draft, index) => toSample(draft, groups[index] ?? 'all')),
    notes: [...source.notes, ...notes, ...groupNotes, ...noteRepeats(drafts)],
  };
}

function recogniseLayout(source: RecordFile): McqLayout {
  const layout = mcqLayouts.find((candidate) => candidate.recognises(source));
  if (layout !== undefined) return layout;
  throw unknownLayout(source, 'Use "question", "options" and "answer"; options may be "a|b|c", a list or an object.');
}

function toSample(draft: McqDraft, group: string): Sample {
  return {
    id: draft.id,
    suite: 'mcq',
    input: draft.input,
    ...resolveTarget(draft),
    group,
    choices: Object.fromEntries(draft.options.map(({ label, text }) => [label, text])),
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
    `${odd.length} questions have options that read the same, first ${quote(first.id)} on line ${first.place.line}.`,
  ];
}
