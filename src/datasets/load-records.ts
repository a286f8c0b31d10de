import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashFiles, isFolder } from '../records/files.ts';
import { readRecords } from '../records/read-records.ts';
import { isFields, type RawRecord, RecordError } from '../records/record.ts';
import { showPath } from '../text/show.ts';
import { plural } from '../text/wording.ts';
import type { Dataset, Sample } from '../types.ts';
import { nameDataset, nameGroups, noteHidden, noteMissingIds } from './describe-dataset.ts';
import { findAttachment } from './gaia/attachments.ts';
import { fetchRecordFiles, nameHub } from './hub/hub-files.ts';
import { type HubSettings, isHubSource } from './hub/hub-source.ts';
import type { HubProgress } from './hub/snapshot.ts';
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
  toName,
  toRecordFields,
} from './record-fields.ts';

/** A record as the file has it, with its fields by name. */
type Fields = Readonly<Record<string, unknown>>;

/** What a record says of a sample; `attachments` are paths beside the records. */
export type MappedRecord = {
  readonly id?: string | number;
  readonly input: string;
  readonly target?: string | number | boolean | null;
  readonly group?: string | number | null;
  readonly choices?: Readonly<Record<string, string>>;
  readonly multiple?: boolean;
  readonly attachments?: readonly string[];
  readonly metadata?: Fields;
};

// biome-ignore lint/suspicious/noExplicitAny: only the user knows the fields of a record.
export type MapRecord = (record: any, index: number) => MappedRecord;

export type RecordOptions = {
  /** A file, a folder of files, or "hf:owner/name[@revision][:file]". */
  readonly path: string;
  readonly map?: MapRecord;
  /** The suite that the samples belong to. */
  readonly suite?: string;
  /** How the Hub is reached; without it there is no token and the cache is the usual one. */
  readonly hub?: HubSettings;
  /** Hears how far a download from the Hub is. */
  readonly onProgress?: (progress: HubProgress) => void;
};

/** Reads records of any layout; rejects with a RecordError that names file and line at the first bad one. */
export async function loadRecords(options: RecordOptions): Promise<Dataset> {
  const { path } = options;
  const found = isHubSource(path) ? await fetchRecordFiles(options) : { files: listFiles(path), revision: null };
  const parts = await Promise.all(found.files.map(readRecords));
  const records = parts.flatMap(({ file, records: own }) => own.map((raw) => ({ file, raw })));
  const dataset = toDataset(records, options);
  return {
    ...dataset,
    name: isHubSource(path) ? nameHub(path) : nameDataset(path),
    notes: [
      `${plural(records.length, 'record')} of ${found.files.map((file) => basename(file)).join(', ')}.`,
      ...dataset.notes,
    ],
    source: { uri: isHubSource(path) ? path : showPath(path), revision: found.revision, hash: hashFiles(found.files) },
  };
}

/** Makes a dataset of records that stand in an eval file; paths in them are relative to it. */
export function toRecordsDataset(records: readonly unknown[], name: string, file: string, map?: MapRecord): Dataset {
  const raws = records.map((value, index) => ({ file, raw: { line: index + 1, value } }));
  return { name, ...toDataset(raws, { suite: name, ...(map && { map }) }) };
}

const RECORD_FILE = /\.(?:jsonl|ndjson|json|csv|tsv|parquet)$/i;

function listFiles(path: string): readonly string[] {
  if (!isFolder(path)) return [path];
  const files = readdirSync(path).filter((name) => RECORD_FILE.test(name));
  if (files.length > 0) return files.sort().map((name) => join(path, name));
  const remedy = 'Put the records there, as JSON lines, JSON, CSV or Parquet.';
  throw new RecordError({ file: path, problem: 'the folder holds no file of records', remedy });
}

type Draft = { readonly place: Place & { readonly id: string }; readonly id: string; readonly mapped: MappedRecord };

function toDataset(
  records: readonly { readonly file: string; readonly raw: RawRecord }[],
  { map = toMapped, suite = 'records' }: Pick<RecordOptions, 'map' | 'suite'>,
): Pick<Dataset, 'samples' | 'notes'> {
  const drafts = records.map(({ file, raw }, index): Draft => {
    const record = toRecordFields(file, raw);
    const mapped = checkMapped(record.place, map === toMapped ? toMapped(record) : map(raw.value, index));
    const id = mapped.id === undefined ? makeId(index + 1, mapped.input) : String(mapped.id).trim();
    return { place: { ...record.place, id }, id, mapped };
  });
  assertUniqueIds(drafts);
  const said = drafts.map(({ mapped: { group } }) => (group === undefined || group === null ? null : String(group)));
  const { groups, notes } = nameGroups(said, 'group');
  const samples = drafts.map((draft, index) => toSample(draft, suite, groups[index] ?? 'all'));
  const missing = noteMissingIds(drafts.map(({ mapped: { id } }) => (id === undefined ? null : { name: 'id' })));
  return { samples, notes: [...missing, ...notes, ...noteHidden(samples)] };
}

/** The spellings of each field, normalised, the preferred one first. */
const SPELLINGS = {
  id: ['id', 'task id', 'question id'],
  input: ['input', 'question', 'prompt', 'problem'],
  target: ['target', 'answer', 'expected', 'expected answer', 'final answer', 'ground truth', 'solution'],
  group: ['group', 'category', 'subject', 'topic', 'level'],
} as const;

function toMapped(record: RecordFields): MappedRecord {
  const { place, values } = record;
  const found = {
    id: pickField(record, SPELLINGS.id),
    input: requireFilled(record, pickField(record, SPELLINGS.input), 'input'),
    target: pickField(record, SPELLINGS.target),
    group: pickField(record, SPELLINGS.group),
  };
  const named = Object.values(found).flatMap((field) => field?.name ?? []);
  const { choices, multiple, attachments, metadata, ...others } = omitFields(values, named);
  return {
    ...(found.id === null ? {} : { id: toName(place, found.id) }),
    input: requireText(place, found.input),
    target: found.target === null ? null : (found.target.value as string),
    group: found.group === null ? null : toName(place, found.group),
    ...(isFields(choices) ? { choices: choices as Record<string, string> } : {}),
    ...(typeof multiple === 'boolean' ? { multiple } : {}),
    ...(Array.isArray(attachments) ? { attachments } : {}),
    metadata: isFields(metadata) ? metadata : others,
  };
}

/** What a user's function returned, or a file holds, may have any type. */
function checkMapped(place: Place, mapped: MappedRecord): MappedRecord {
  if (!isFields(mapped)) throw fault(place, { name: 'map', value: mapped }, 'must return an object with "input"');
  requireText(place, { name: 'input', value: mapped.input });
  const { target = null, choices, attachments } = mapped;
  if (target !== null && typeof target === 'object') {
    throw fault(
      place,
      { name: 'target', value: target },
      'must be text, a number, true or false',
      'Make it a text with "map".',
    );
  }
  if (
    choices !== undefined &&
    !(isFields(choices) && Object.values(choices).every((text) => typeof text === 'string'))
  ) {
    throw fault(
      place,
      { name: 'choices', value: choices },
      'must be an object of texts by label, {"A": "...", "B": "..."}',
    );
  }
  if (
    attachments !== undefined &&
    !(Array.isArray(attachments) && attachments.every((name) => typeof name === 'string'))
  ) {
    throw fault(place, { name: 'attachments', value: attachments }, 'must be a list of paths');
  }
  return mapped;
}

function toSample({ place, id, mapped }: Draft, suite: string, group: string): Sample {
  const { input, target, choices, multiple, attachments = [], metadata = {} } = mapped;
  return {
    id,
    suite,
    input,
    target: isFilled(target ?? null) ? String(target) : null,
    group,
    ...(choices === undefined ? {} : { choices }),
    ...(multiple === undefined ? {} : { multiple }),
    attachments: attachments.map((name) => findAttachment(place, { field: 'attachments', name })),
    metadata,
  };
}
