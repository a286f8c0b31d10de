import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashFiles, isFolder } from '../records/files.ts';
import { isRecordFile, readRecords } from '../records/read-records.ts';
import { isFields, type RawRecord, RecordError } from '../records/record.ts';
import { quote, showPath } from '../text/show.ts';
import { lineIf, plural } from '../text/wording.ts';
import type { Dataset, Sample } from '../types.ts';
import { nameDataset, nameGroups, noteHidden, noteMissingIds } from './describe-dataset.ts';
import { findAttachment } from './gaia/attachments.ts';
import { fetchRecordFiles, nameHub } from './hub/hub-files.ts';
import { isHubSource } from './hub/hub-source.ts';
import type { HubAccess } from './hub/snapshot.ts';
import {
  assertUniqueIds,
  fault,
  isFilled,
  makeId,
  omitFields,
  type Place,
  pickField,
  type RecordFields,
  requireFilled,
  requireText,
  toRecordFields,
  type Values,
} from './record-fields.ts';

/**
 * The fields of a sample that a record gives. `attachments` are paths relative to the file of the
 * records.
 */
export type MappedRecord = {
  /** Unique in the dataset. Without it viva makes an id from position and question. */
  readonly id?: string | number;
  /** The question. */
  readonly input: string;
  /** The expected answer. Without it the sample is `ungraded`. */
  readonly target?: string | number | boolean | null;
  /** The group of the sample in reports, such as a level or a subject. */
  readonly group?: string | number | null;
  /** Option texts by label. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Whether several options may be right. */
  readonly multiple?: boolean;
  readonly attachments?: readonly string[];
  /** Other facts. Agents never see them. */
  readonly metadata?: Values;
};

/** Converts a record of the user into the fields of a sample. `index` is 0 for the first record. */
// biome-ignore lint/suspicious/noExplicitAny: only the user knows the fields of a record.
export type MapRecord = (record: any, index: number) => MappedRecord;

export type RecordOptions = HubAccess & {
  /**
   * A file (JSON lines, JSON, CSV or Parquet), a folder of such files, or
   * "hf:owner/name[@revision][:files]".
   */
  readonly path: string;
  readonly map?: MapRecord;
  /** The suite that the samples belong to. */
  readonly suite?: string;
};

/**
 * Reads records with your own fields, by `map` or by the usual names ("input", "target", ...).
 * Rejects with a RecordError that names file and line of the first bad record, and with a HubError
 * when the Hub does not provide the dataset.
 */
export async function loadRecords(options: RecordOptions): Promise<Dataset> {
  const { path } = options;
  const found = isHubSource(path)
    ? await fetchRecordFiles(options)
    : { files: listFiles(path), revision: null };
  const parts = await Promise.all(found.files.map(readRecords));
  const records = parts.flatMap(({ file, records: own }) => own.map((raw) => ({ file, raw })));
  const dataset = toDataset(records, options);
  const layout = `${plural(records.length, 'record')} of ${found.files.map((file) => basename(file)).join(', ')}.`;
  return {
    ...dataset,
    name: isHubSource(path) ? nameHub(path) : nameDataset(path),
    layouts: [layout],
    notes: [layout, ...dataset.notes],
    source: {
      uri: isHubSource(path) ? path : showPath(path),
      revision: found.revision,
      hash: hashFiles(found.files),
    },
  };
}

/** Makes a dataset from records inside an eval file. Their paths are relative to that file. */
export function toRecordsDataset(
  records: readonly unknown[],
  name: string,
  file: string,
  map?: MapRecord,
): Dataset {
  const raws = records.map((value, index) => ({
    file,
    raw: { line: index + 1, value },
    listed: true,
  }));
  // "sample" is reserved for the committed files.
  return {
    name: name === 'sample' ? 'own/sample' : name,
    ...toDataset(raws, { suite: name, ...(map && { map }) }),
  };
}

function listFiles(path: string): readonly string[] {
  if (!isFolder(path)) return [path];
  const files = readdirSync(path).filter(isRecordFile);
  if (files.length > 0) return files.sort().map((name) => join(path, name));
  const remedy = 'Put the records there, as JSON lines, JSON, CSV or Parquet.';
  throw new RecordError({ file: path, problem: 'the folder has no file with records', remedy });
}

type Listed = { readonly file: string; readonly raw: RawRecord; readonly listed?: boolean };

type Draft = {
  readonly place: Place & { readonly id: string };
  readonly id: string;
  readonly mapped: MappedRecord;
};

function toDataset(
  records: readonly Listed[],
  { map, suite = 'records' }: Pick<RecordOptions, 'map' | 'suite'>,
): Pick<Dataset, 'samples' | 'notes'> {
  const drafts = records.map(({ file, raw, listed }, index): Draft => {
    const { place, values } = toRecordFields(file, raw);
    const record = { place: { ...place, ...(listed && { listed }) }, values };
    const mapped = checkMapped(
      record.place,
      map === undefined ? readUsual(record, raw.value) : map(raw.value, index),
    );
    const id = mapped.id === undefined ? makeId(index + 1, mapped.input) : String(mapped.id).trim();
    return { place: { ...record.place, id }, id, mapped };
  });
  assertUniqueIds(drafts);
  const said = drafts.map(({ mapped: { group } }) =>
    group === undefined ? null : String(group).trim(),
  );
  const { groups, notes } = nameGroups(said, 'group');
  const samples = drafts.map((draft, index) => toSample(draft, suite, groups[index] ?? 'all'));
  const missing = noteMissingIds(
    drafts.map(({ mapped: { id } }) => (id === undefined ? null : { name: 'id' })),
  );
  return {
    samples,
    notes: [...missing, ...notes, ...noteOptions(samples), ...noteHidden(samples)],
  };
}

/** Options under other names than "choices" would silently be missing in what agents are asked. */
function noteOptions(samples: readonly Sample[]): readonly string[] {
  const [first] = samples;
  if (first === undefined || first.choices !== undefined) return [];
  const names = Object.keys(first.metadata).filter((name) => OPTION_NAME.test(name));
  const remedy = 'Return "choices" from "map", or load the data with loadMcq.';
  return lineIf(
    names.length > 0,
    `The field ${names
      .slice(0, 4)
      .map((name) => quote(name))
      .join(', ')} is not read as options. ${remedy}`,
  );
}

const OPTION_NAME = /^(?:options?|[a-d]|(?:option|choice)[ _-]?[a-d1-4])$/i;

/** The spellings of each field, normalised. The preferred one comes first. */
const SPELLINGS = {
  id: ['id', 'task id', 'question id'],
  input: ['input', 'question', 'prompt', 'problem'],
  target: [
    'target',
    'answer',
    'expected',
    'expected answer',
    'final answer',
    'ground truth',
    'solution',
  ],
  group: ['group', 'category', 'subject', 'topic', 'level'],
} as const;

const NAME_IT = 'Call it "input" or "question", or name its field by "map" in the eval file.';

/**
 * The fields of a record with the usual names. All other fields are metadata, with their numbers as
 * numbers.
 */
function readUsual(record: RecordFields, parsed: unknown): Values {
  const found = {
    id: pickField(record, SPELLINGS.id),
    input: requireFilled(record, pickField(record, SPELLINGS.input), 'input', {
      names: SPELLINGS.input,
      absent: NAME_IT,
    }),
    target: pickField(record, SPELLINGS.target),
    group: pickField(record, SPELLINGS.group),
  };
  const named = Object.values(found).flatMap((field) => field?.name ?? []);
  const values = isFields(parsed) ? parsed : record.values;
  const { choices, multiple, attachments, metadata, ...others } = omitFields(values, named);
  return {
    ...{ choices, multiple, attachments },
    id: found.id?.value,
    input: found.input.value,
    target: found.target?.value,
    group: found.group?.value,
    metadata: { ...others, ...(isFields(metadata) ? metadata : {}) },
  };
}

/** The values that a user's function returns, or that a file contains, may have any type. */
function checkMapped(place: Place, mapped: unknown): MappedRecord {
  if (!isFields(mapped))
    throw fault(
      place,
      { name: 'map', value: mapped },
      'must return an object with "input"',
      'Correct "map".',
    );
  const filled = Object.fromEntries(
    Object.entries(mapped).filter(([, value]) => isFilled(value ?? null)),
  );
  const wrong = FIELDS.find(
    ({ name, accepts }) => Object.hasOwn(filled, name) && !accepts(filled[name]),
  );
  if (wrong === undefined)
    return { ...filled, input: requireText(place, { name: 'input', value: mapped['input'] }) };
  const { name, allowed } = wrong;
  throw fault(
    place,
    { name, value: filled[name] },
    `must be ${allowed}`,
    'Fix the record, or convert the value with "map".',
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isName = (value: unknown) => isText(value) || typeof value === 'number';

/** The allowed values of each field that is filled. */
const FIELDS: readonly {
  readonly name: string;
  readonly allowed: string;
  accepts(value: unknown): boolean;
}[] = [
  { name: 'id', allowed: 'text or a number', accepts: isName },
  { name: 'group', allowed: 'text or a number', accepts: isName },
  {
    name: 'target',
    allowed: 'text, a number, true or false',
    accepts: (value) => isName(value) || typeof value === 'boolean',
  },
  {
    name: 'choices',
    allowed: 'an object of texts by label, {"A": "...", "B": "..."}',
    accepts: (value) => isFields(value) && Object.values(value).every(isText),
  },
  { name: 'multiple', allowed: 'true or false', accepts: (value) => typeof value === 'boolean' },
  { name: 'metadata', allowed: 'an object', accepts: isFields },
  {
    name: 'attachments',
    allowed: 'a list of paths',
    accepts: (value) => Array.isArray(value) && value.every(isText),
  },
];

function toSample({ place, id, mapped }: Draft, suite: string, group: string): Sample {
  const { input, target, choices, multiple, attachments = [], metadata = {} } = mapped;
  return {
    id,
    suite,
    input,
    target: target === undefined ? null : String(target),
    group,
    ...(choices === undefined ? {} : { choices }),
    ...(multiple === undefined ? {} : { multiple }),
    attachments: attachments.map((name) => findAttachment(place, { field: 'attachments', name })),
    metadata,
  };
}
