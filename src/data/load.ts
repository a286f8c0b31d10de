import { basename } from 'node:path';
import { isFields } from '../words/fields.ts';
import type { Dataset, Json, Note, Sample } from '../words/sample.ts';
import { lineIf, plural, toNotes } from '../words/show.ts';
import { called, told } from '../words/told.ts';
import { addIndexBase } from './answers.ts';
import { findAttachment, Pictures } from './attachments.ts';
import { chooseReading, findKnown, guessShape, selectRecords } from './choose-shape.ts';
import {
  describeSources,
  nameGroups,
  noteAccepted,
  noteHidden,
  noteMissingIds,
} from './describe-dataset.ts';
import { hashFiles } from './files/read-file.ts';
import { readRecords } from './files/read-records.ts';
import {
  atRecord,
  BadRecords,
  keepGood,
  type RawRecord,
  RecordError,
  type RecordFile,
  showPlace,
  sortByPlace,
} from './files/record.ts';
import type { Split } from './gaia.ts';
import { addInputs, type MapRecord, mapRecords, unwrapRecords } from './prepare-records.ts';
import { type Draft, type Reading, readRecord } from './read-record.ts';
import {
  type Field,
  findFilled,
  keepUnique,
  requireFilled,
  requireNamed,
  toClusterField,
  toRecordFields,
} from './record-fields.ts';
import { keepRecord } from './record-of.ts';
import {
  type ClusteredDraft,
  type ClusterSource,
  groupByFolder,
  keepClear,
  type SampleSetting,
  toUngroupedSample,
  type UngroupedSample,
} from './samples.ts';
import {
  hasOptions,
  isRightFirst,
  listNames,
  type Shape,
  type SuiteKind,
  showShape,
} from './shape.ts';
import { noteSharedTexts } from './shared-texts.ts';
import { openSource, type Source, type SourceOptions } from './source.ts';
import { noteUnread, noteUnreadAnswers } from './unread-fields.ts';

export type LoadOptions = Omit<SourceOptions, 'split'> &
  Readonly<{
    /** The names of the fields, if viva does not recognise them. */
    fields?: Shape | null;
    /** Whether these are the committed samples: only they are called "sample". */
    sample?: boolean;
    /** The folder for pictures that records contain. */
    pictures?: string;
    /** 'any' if each answer of a list is right alone. */
    accepts?: 'any' | undefined;
    /** Names what a question shares with others. */
    cluster?: ClusterSource | undefined;
    /** Whether bad records are left out, instead of refused. */
    skipBad?: boolean;
  }>;

/**
 * Reads questions with short answers: GAIA's, or those of any file. Rejects with a RecordError that
 * names file and line of each bad record, and with a HubError when the Hub does not provide the
 * dataset. Attachments are downloaded by the dataset's `fetch`.
 *
 * @example
 * await defineEval('facts', {
 *   data: ({ folder, ...access }) => loadGaia({ path: join(folder, 'questions.jsonl'), ...access }),
 *   score: ({ output, target }) => gradeGaia(output, target),
 * });
 */
export function loadGaia(
  options: LoadOptions & { readonly split?: Split },
): Promise<Dataset<string, string | readonly string[]>> {
  return load<string, string | readonly string[]>(
    { split: 'validation', ...options },
    'gaia',
    'gaia',
  );
}

/**
 * Reads questions with options, as `loadGaia` reads those without.
 *
 * @example
 * await defineEval('anatomy', {
 *   data: (access) => loadMcq({ path: 'hf:cais/mmlu:anatomy/*', ...access }),
 *   score: ({ output, target, sample }) => gradeMcq(output, target, sample),
 * });
 */
export function loadMcq(options: LoadOptions): Promise<Dataset<string, string>> {
  return load(options, 'mcq', 'mcq');
}

/**
 * Reads the records of an own suite, as `loadGaia` does: by the names of their fields, or by `map`.
 *
 * @example
 * await defineEval('tickets', {
 *   data: async ({ folder, ...access }) => {
 *     const dataset = await loadRecords({ path: join(folder, 'tickets.jsonl'), ...access });
 *     return { ...dataset, samples: dataset.samples.slice(0, 50) };
 *   },
 * });
 */
export function loadRecords({
  map,
  suite = 'records',
  ...options
}: LoadOptions & Readonly<{ map?: MapRecord; suite?: string }>): Promise<Dataset> {
  return load<Json>(options, 'records', suite, map);
}

/** Makes a dataset from records inside an eval file. Their paths are relative to that file. */
export function toRecordsDataset(
  records: readonly unknown[],
  name: string,
  file: string,
  map?: MapRecord,
  options: Pick<LoadOptions, 'accepts' | 'cluster' | 'skipBad' | 'pictures'> = {},
): Dataset {
  const raws = records.map((value, index) => ({ line: index + 1, value }));
  const pictures = new Pictures(options.pictures ?? PICTURES);
  const setting = { ...options, suite: name, attach: findAttachment, pictures, isListed: true };
  const read = readAll({ file, records: raws }, 'records', setting, map);
  const notes = read.notes.filter(({ kind }) => kind !== 'layout');
  // "sample" is reserved for the committed files.
  return {
    ...{ name: name === 'sample' ? 'own/sample' : name, ...read, notes },
    fetch: async (samples) => pictures.write(samples),
  };
}

const PICTURES = '.evals/cache/pictures';

/** Questions and answers of GAIA and of multiple choice are texts. */
async function load<Value extends Json = string, Expected extends Json | readonly string[] = Value>(
  options: LoadOptions & SourceOptions,
  kind: SuiteKind,
  suite: string,
  map?: MapRecord,
): Promise<Dataset<Value, Expected>> {
  const opened = await openRecords(options);
  return toDataset(opened, options, kind, suite, map) as Dataset<Value, Expected>;
}

/** The files of a dataset and all their records. `Row` is the value of a record. */
export type OpenedRecords<Row = unknown> = Readonly<{
  source: Source;
  records: Omit<RecordFile, 'records'> & {
    readonly records: readonly (RawRecord & { readonly value: Row })[];
  };
}>;

/** Opens a dataset before it is known what kind it is. */
export async function openRecords(options: SourceOptions): Promise<OpenedRecords> {
  const source = await openSource(options);
  const bad: RecordError[] = [];
  const parts = await Promise.all(source.files.map((file) => readRecords(file, bad)));
  return { source, records: { ...joinParts(parts), bad } };
}

/** The kind of suite that records are for, by the names of their fields. */
export function recogniseKind(opened: RecordFile): SuiteKind {
  const { source: records } = unwrapRecords(opened, null);
  const { shape } = findKnown(records, undefined) ?? {};
  if (shape?.name === 'GAIA') return 'gaia';
  return hasOptions(guessShape(records, 'mcq', shape)) ? 'mcq' : 'records';
}

export function toDataset(
  { source, records }: OpenedRecords,
  options: Omit<LoadOptions, 'path'>,
  kind: SuiteKind,
  suite: string,
  map?: MapRecord,
): Dataset {
  const pictures = new Pictures(options.pictures ?? PICTURES);
  const read = readAll(records, kind, { ...options, ...source, suite, pictures }, map);
  const fetch = async (samples: readonly Sample[]) => {
    await source.fetch?.(samples);
    pictures.write(samples);
  };
  return {
    ...read,
    name: options.sample === true ? 'sample' : source.name,
    notes: [...source.notes, ...read.notes],
    source: { uri: source.uri, revision: source.revision, hash: hashFiles(source.files) },
    // It would get a copy of all samples.
    ...((source.fetch !== undefined || pictures.any) && { fetch }),
  };
}

/** The records of several files as one; each knows its file. */
function joinParts(parts: readonly RecordFile[]): RecordFile {
  const [first = { file: '', records: [] }] = parts;
  if (parts.length === 1) return first;
  const records = parts.flatMap(({ file, records: own }) => own.map((raw) => ({ ...raw, file })));
  return { ...first, records };
}

type ReadSamples = Pick<
  Dataset,
  'samples' | 'notes' | 'shape' | 'layout' | 'placeholders' | 'leftOut' | 'clusteredBy'
>;

function readAll(
  source: RecordFile,
  kind: SuiteKind,
  setting: SampleSetting,
  map?: MapRecord,
): ReadSamples {
  const bad = [...(source.bad ?? [])];
  const total = source.records.length + bad.length;
  try {
    const read = readGood(source, kind, setting, map, bad);
    if (bad.length === 0) return read;
    const leftOut = sortByPlace(bad).map(({ place }) => showPlace(place));
    if (setting.skipBad === true && read.samples.length > 0) return { ...read, leftOut };
  } catch (error) {
    // What is wrong with the file as a whole remains, whatever is left out.
    if (!(error instanceof RecordError) || bad.length === 0 || setting.skipBad === true)
      throw error;
    bad.push(error);
  }
  throw new BadRecords(sortByPlace(bad), total);
}

/** What is wrong with single records goes to `bad`. */
function readGood(
  source: RecordFile,
  kind: SuiteKind,
  setting: SampleSetting,
  map: MapRecord | undefined,
  bad: RecordError[],
): ReadSamples {
  const { source: mapped, notes: wrapped } =
    map === undefined
      ? unwrapRecords(source, setting.fields ?? null)
      : { source: mapRecords(source, map, bad, setting.isListed), notes: [] };
  const prepared = kind === 'records' ? addInputs(mapped, bad) : mapped;
  const reading = chooseReading(prepared, kind, setting.fields ?? null, setting);
  const { records, placeholders, notes } = selectRecords(prepared, reading);
  if (records.length === 0 && source.records.length > 0 && bad.length === 0)
    throw nothingAsked(source, reading);
  const all = keepGood(records, (raw, index) => readOne(source, raw, index, reading, setting), bad);
  const drafts = kind === 'records' ? all : keepAnswered(reading, all, bad);
  const areChoices = drafts.some(({ options }) => options.length > 0);
  const { drafts: settled, notes: counts } = areChoices
    ? addIndexBase(drafts, reading.shape.counts, countColumns(reading.shape))
    : { drafts, notes: [] };
  const clear = areChoices ? keepClear(settled, bad) : settled;
  const read = keepGood(clear, (draft) => toUngroupedSample(draft, reading, setting), bad);
  const parts = keepUnique(groupByFolder(read), bad);
  const named = nameAll(
    parts,
    [
      ...toNotes('layout', [describeLayout(reading, parts.length, source)]),
      ...toNotes('order', lineIf(areChoices && isRightFirst(reading.shape), RIGHT_FIRST)),
      ...toNotes('unread', [reading.shape.note ?? []].flat()),
      ...wrapped,
      ...reading.notes,
      ...notes,
      ...counts,
      ...(map === undefined ? noteUnread(drafts, reading) : []),
      ...noteUnreadAnswers(drafts, kind),
      ...noteSharedTexts(drafts, reading),
    ],
    GROUP_WORDS[kind],
  );
  const known = kind === 'mcq' ? (reading.shape.name ?? null) : null;
  const hasContext = (reading.sources.get('context')?.size ?? 0) > 0;
  const layout = known === null && !hasContext ? {} : { layout: { known, hasContext } };
  const [clusteredBy] = reading.sources.get('cluster') ?? [];
  const clustered = clusteredBy === undefined ? {} : { clusteredBy };
  return { ...named, ...layout, ...clustered, shape: showShape(reading.shape), placeholders };
}

function nothingAsked({ file }: RecordFile, { shape }: Reading): RecordError {
  const [[name, value] = []] = Object.entries(shape.only ?? {});
  const problem =
    name === undefined
      ? told`the file has no questions`
      : told`no record has ${called(name)} ${called(value ?? '')}, and the others are left out`;
  return new RecordError({ file, problem, remedy: 'Check the path.' });
}

const GROUP_WORDS: Readonly<Record<SuiteKind, string>> = {
  gaia: 'level',
  mcq: 'subject',
  records: 'group',
};

function nameAll(
  parts: readonly UngroupedSample[],
  notes: readonly Note[],
  word: string,
): ReadSamples {
  const groups = nameGroups(
    parts.map(({ group }) => group),
    word,
  );
  // Not copied: there may be a million.
  const samples = parts.map(({ sample }, index) =>
    Object.assign(sample, { group: groups[index] ?? 'all' }),
  );
  const missing = noteMissingIds(parts.map(({ hasId }) => hasId));
  return {
    samples,
    notes: [...notes, ...missing, ...noteHidden(samples), ...noteAccepted(samples)],
  };
}

function readOne(
  source: RecordFile,
  raw: RawRecord,
  index: number,
  reading: Reading,
  { isListed = false, cluster }: SampleSetting,
): ClusteredDraft {
  const { place, values } = toRecordFields(source.file, raw);
  const record = { place: isListed ? { ...place, listed: true } : place, values };
  requireNamed(record, reading.needed, reading.kind);
  const draft = readRecord(record, raw.value, index + 1, reading);
  keepRecord(draft.metadata, raw.given ?? raw.value);
  return { ...draft, cluster: findCluster(draft, raw, reading, cluster) };
}

/**
 * What names the cluster of a record; null for none. A field may be one of the record before `map`,
 * or one of the `metadata` that `map` gives.
 */
function findCluster(
  { place, values }: Draft,
  raw: RawRecord,
  { shape, sources }: Reading,
  cluster: ClusterSource | undefined,
): Field | null {
  if (typeof cluster === 'function') {
    const named = atRecord(place, () => cluster(raw.given ?? raw.value));
    return toClusterField(place, named);
  }
  const names = listNames(shape.cluster);
  if (names.length === 0) return null;
  const places = [values, raw.given, values['metadata']].filter(isFields);
  const field = places.flatMap((fields) => findFilled(fields, names))[0] ?? null;
  if (field !== null) sources.get('cluster')?.add(field.name);
  return field;
}

/** The records with an answer, and the others where answers are hidden. Errors of those go to `bad`. */
function keepAnswered(
  { shape, kind, remedy }: Reading,
  drafts: readonly ClusteredDraft[],
  bad: RecordError[],
): readonly ClusteredDraft[] {
  const { hides, answer, right } = shape;
  const isOpen = ({ answers }: Draft) => answers.length === 0;
  if (kind === 'mcq' && hides === 'each record') return drafts;
  if (kind === 'mcq' && hides === 'whole file' && drafts.every(isOpen)) return drafts;
  const require = (draft: ClusteredDraft) => {
    const { place, values } = draft;
    if (isOpen(draft))
      requireFilled({ place, values }, null, 'answer', listNames(answer ?? right), remedy);
    return draft;
  };
  return keepGood(drafts, require, bad);
}

const RIGHT_FIRST =
  'The file always names the right answer first, so viva orders the options by a hash of each question.';

/** The numbers of columns ("option0", "option1") show how answers count. */
function countColumns({ choices }: Shape): 0 | 1 | undefined {
  const first = typeof choices === 'object' ? /[01]$/.exec(choices[0] ?? '')?.[0] : undefined;
  return first === undefined ? undefined : first === '0' ? 0 : 1;
}

function describeLayout(
  { shape, sources }: Reading,
  count: number,
  { records }: RecordFile,
): string {
  const files = [...new Set(records.flatMap(({ file }) => file ?? []))].map((file) =>
    basename(file),
  );
  const more = files.length > 4 ? ` and ${files.length - 4} more files` : '';
  const of = files.length > 0 ? ` of ${files.slice(0, 4).join(', ')}${more}` : '';
  return `${shape.name}: ${plural(count, 'record')}${of}, read from ${describeSources(sources)}.`;
}
