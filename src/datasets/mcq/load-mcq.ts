import { readRecords } from '../../records/read-records.ts';
import { RecordError, type RecordFile } from '../../records/record.ts';
import { isAllStatement } from '../../scoring/mcq/all-none.ts';
import { quote } from '../../text/show.ts';
import { partOf, plural } from '../../text/wording.ts';
import type { Dataset, Sample } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import { assertUniqueIds, nameGroups, type Place, unknownLayout } from '../record-fields.ts';
import type { FieldMap } from './field-map.ts';
import { type McqLayout, type McqReader, mcqLayouts, readMapped } from './layouts.ts';
import { marksNone, resolveTarget } from './target.ts';
import { type McqDraft, toDrafts } from './to-drafts.ts';

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
  const are = partOf(hidden, samples.length, 'truth', 'is hidden and stays', 'are hidden and stay');
  return hidden === 0 ? [] : [`${are} ungraded.`];
}

/** Truths that are read as more than they say: lists that mark no option, ALL where no option says so. */
function noteTruths(drafts: readonly McqDraft[], samples: readonly Sample[]): string[] {
  const none = drafts.filter(({ truths }) => truths.some(({ value }) => marksNone(value)));
  const all = drafts.filter((draft, index) => meansEvery(draft, samples[index]?.target ?? null));
  return [
    ...note(
      none,
      'truth marks no option as right and is read',
      'truths mark no option as right and are read',
      'as NONE',
    ),
    ...note(
      all,
      'truth says ALL where no option does, and is read',
      'truths say ALL where no option does, and are read',
      'as every option',
    ),
  ];
}

function meansEvery({ truths, options }: McqDraft, target: string | null): boolean {
  const saysAll = truths.some(
    ({ value }) => typeof value === 'string' && (/^all$/i.test(value.trim()) || isAllStatement(value)),
  );
  return saysAll && !options.some(({ text }) => isAllStatement(text)) && target?.includes(',') === true;
}

function note(found: readonly McqDraft[], one: string, several: string, as: string): string[] {
  const first = found[0];
  return first === undefined
    ? []
    : [`${plural(found.length, one, several)} ${as}, first that of ${quote(first.id)} on line ${first.place.line}.`];
}

/** Throws a RecordError where one question with the same options, in any order, has two truths: one of them is wrong. */
function refuseContradictions(samples: readonly Sample[], places: readonly Place[]): void {
  const known = new Map<string, { readonly sample: Sample; readonly truth: string }>();
  for (const [index, sample] of samples.entries()) {
    if (sample.target === null) continue;
    const key = JSON.stringify([sample.input, Object.values(sample.choices ?? {}).toSorted()]);
    const truth = textsOf(sample, sample.target);
    const first = known.get(key);
    if (first === undefined) known.set(key, { sample, truth });
    else if (first.truth !== truth) throw contradiction(first.sample, sample, places[index]);
  }
}

function textsOf({ choices }: Sample, target: string): string {
  const texts = new Map(Object.entries(choices ?? {}));
  return JSON.stringify(
    target
      .split(',')
      .map((label) => texts.get(label) ?? label)
      .toSorted(),
  );
}

/** The same label may name another text where the options stand in another order. */
function describeTruth({ target, choices }: Sample): string {
  const texts = new Map(Object.entries(choices ?? {}));
  return (target ?? '?')
    .split(',')
    .map((label) => (texts.has(label) ? `${label} (${quote(texts.get(label) ?? '')})` : label))
    .join(', ');
}

function contradiction(first: Sample, second: Sample, place: Place | undefined): RecordError {
  return new RecordError({
    file: '',
    ...place,
    problem: `${quote(first.id)} and ${quote(second.id)} ask the same question with the same options, but have different answers`,
    detail: `${describeTruth(first)} against ${describeTruth(second)}`,
    remedy: 'Correct the one that is wrong, or leave one of them out.',
  });
}
