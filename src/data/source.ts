import fs, { readdirSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import type { Attachment, Note, Sample } from '../words/sample.ts';
import { listUp, quote, showPath, toNotes } from '../words/show.ts';
import { told } from '../words/told.ts';
import { assertAttachmentName, findAttachment, type NamedAttachment } from './attachments.ts';
import { nameDataset } from './describe-dataset.ts';
import { isFolder } from './files/read-file.ts';
import { RecordError } from './files/record.ts';
import { type ChosenFiles, chooseGaia, isOfSplit, type Split } from './gaia.ts';
import { HubError } from './hub/hub-request.ts';
import {
  HUB_SOURCE_FORM,
  isHubSource,
  parseHubSource,
  readHubSettings,
  showHubSource,
} from './hub/hub-source.ts';
import {
  fetchFiles,
  type HubAccess,
  hasFile,
  openSnapshot,
  type Snapshot,
} from './hub/snapshot.ts';
import { fault, type Place } from './record-fields.ts';

export type SourceOptions = HubAccess &
  Readonly<{
    /**
     * A file (JSON lines, JSON, CSV or Parquet), a folder of such files, or
     * "hf:owner/name[@revision][:files]".
     */
    path: string;
    /** GAIA's split to read; absent for any other dataset. */
    split?: Split;
  }>;

/** The files of a dataset with records, and where they come from. */
export type Source = Readonly<{
  files: readonly string[];
  /** A short name for gates and reports. */
  name: string;
  uri: string;
  /** The commit on the Hub; null for local files. */
  revision: string | null;
  notes: readonly Note[];
  /** Finds the file that a record names; throws a RecordError when that file is not allowed. */
  attach(place: Place, attachment: NamedAttachment): Attachment;
  /** Downloads the attachments of samples. */
  fetch?(samples: readonly Sample[]): Promise<void>;
}>;

/** Finds the files of a dataset, and downloads them from the Hub. */
export async function openSource(options: SourceOptions): Promise<Source> {
  const { path, split } = options;
  if (isHubSource(path)) return openHub(options);
  const { files, notes } = isFolder(path) ? listFolder(path, split) : { files: [path], notes: [] };
  const [first = path] = files;
  const isOfGaia = /^metadata\./.test(basename(first));
  const name = nameDataset(isFolder(path) && !isOfGaia ? path : first);
  return { files, name, uri: showPath(path), revision: null, notes, attach: findAttachment };
}

/** The files with records in a folder: those of GAIA's split, or all. */
function listFolder(path: string, split: Split | undefined): ChosenFiles {
  // Links to folders are not followed: they may lead in a circle.
  const all = fs
    .globSync('**', { cwd: path })
    .map((name) => name.replaceAll(sep, '/'))
    .filter(isRecordFile)
    .sort();
  const outermost = all.filter((name) => basename(name) === name);
  const { files, notes } =
    (split && chooseGaia(all, split, showPath(path))) ??
    chooseSplit(outermost.length > 0 ? outermost : all);
  if (files.length > 0) return { files: files.map((name) => join(path, name)), notes };
  const remedy = 'Put the records there, as JSON lines, JSON, CSV or Parquet.';
  throw new RecordError({ file: path, problem: told`the folder has no file with records`, remedy });
}

/**
 * Downloads the files with records now, and attachments when `fetch` is called with the samples
 * that are to run.
 */
async function openHub({
  path,
  split,
  hub = readHubSettings({}),
  onProgress,
}: SourceOptions): Promise<Source> {
  const source = parseHubSource(path);
  if (source === null)
    throw new Error(
      `${quote(path)} is not the name of a dataset on the Hub. Write ${HUB_SOURCE_FORM}.`,
    );
  const snapshot = await openSnapshot({ source, settings: hub });
  const ofGaia =
    split === undefined || source.file !== undefined
      ? null
      : chooseGaia(listRecordFiles(snapshot), split, showHubSource(source));
  // Offline there is no list of files, and the cache may be incomplete.
  if (snapshot.files === null && ofGaia?.isWhole === false)
    throw new HubError(source, 'not_cached', ofGaia.notes.map(({ text }) => text).join(' '));
  const { files, notes } = ofGaia ?? chooseFiles(snapshot, source.file);
  await fetchFiles(snapshot, files, onProgress);
  const paths = files.map((file) => join(snapshot.folder, file));
  return {
    files: paths,
    name: ofGaia === null ? source.name : nameDataset(paths[0] ?? path),
    uri: showHubSource(source),
    revision: snapshot.commit,
    notes: [...snapshot.notes, ...notes],
    ...awaitAttachments(snapshot, onProgress),
  };
}

/** Files that describe a dataset and contain none of its records. */
const DESCRIPTION = /(?:^|\/)(?:dataset_infos?|config|package)\.json$/;

function listRecordFiles({ files, folder }: Snapshot): readonly string[] {
  // Offline, only the files in the cache are known.
  const all = files?.keys() ?? readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [...all].filter((path) => isRecordFile(path) && !DESCRIPTION.test(path)).sort();
}

/** Splits in order of preference: figures of the test split say most. */
const SPLITS = ['test', 'validation', 'val', 'dev', 'train'];

function chooseFiles(snapshot: Snapshot, named: string | undefined): ChosenFiles {
  const { name } = snapshot.hub.source;
  const records = listRecordFiles(snapshot);
  const found = named === undefined ? records : matchNamedFiles(records, named.replace(/\/$/, ''));
  // A configuration "all" repeats the others.
  const parts = found.filter((path) => !/(?:^|\/)all[/_.-]/.test(path));
  const matching = named?.includes('*') === true && parts.length > 0 ? parts : found;
  if (named !== undefined && matching.length === 0) {
    const kind = snapshot.files === null ? 'not_cached' : 'not_found';
    throw new HubError(snapshot.hub.source, kind, named);
  }
  const { files: chosen, notes } = chooseSplit(matching);
  if (named !== undefined || areShards(chosen)) return { files: chosen, notes };
  const some = records.slice(0, 8).map(quote).join(', ');
  const has = records.length === 0 ? 'it has no file with records' : `its files are ${some}`;
  throw new Error(
    `It is unclear which file of ${name} to read: ${has}. Name a configuration, a file, a folder, or a pattern, as in hf:${name}:*/test*.`,
  );
}

/** The files of the preferred split, which is said; all files where none names a split. */
function chooseSplit(files: readonly string[]): ChosenFiles {
  const split = SPLITS.find((each) => files.some((path) => isOfSplit(path, each)));
  if (split === undefined) return { files, notes: [] };
  const chosen = files.filter((path) => isOfSplit(path, split));
  const named = listUp(chosen.map(quote), 4);
  return { files: chosen, notes: toNotes('source', [`Read the ${split} split: ${named}.`]) };
}

/**
 * The files that a user named: a file, a folder, a pattern, or a configuration, which is a folder
 * at any depth or the beginning of file names.
 */
function matchNamedFiles(records: readonly string[], named: string): readonly string[] {
  const stem = named.replaceAll('/', '[-_.]');
  const patterns = [
    named,
    `${named}/**`,
    `${named}[-_.]*`,
    `**/${named}/**`,
    `**/${named}[-_.]*`,
    `**/${stem}[-_.]*`,
  ];
  const matches = patterns.map((pattern) =>
    records.filter((path) => posix.matchesGlob(path, pattern)),
  );
  return matches.find((files) => files.length > 0) ?? [];
}

/** Whether files are parts of one: they share a folder and the form of their names. */
export function areShards(files: readonly string[]): boolean {
  return new Set(files.map((path) => path.replace(/\d{3,}/g, '#'))).size === 1;
}

/**
 * The attachments that samples name. At first only their names are known; `fetch` downloads the
 * files.
 */
function awaitAttachments(
  snapshot: Snapshot,
  onProgress: HubAccess['onProgress'],
): Pick<Source, 'attach'> & Required<Pick<Source, 'fetch'>> {
  const byPath = new Map<string, Readonly<{ remote: string; check: () => void }>>();
  return {
    attach: (place, attachment) => {
      assertAttachmentName(place, attachment);
      const folder = relative(snapshot.folder, dirname(place.file)).replaceAll('\\', '/');
      const remote = posix.join(folder, attachment.name);
      if (snapshot.files !== null && !hasFile(snapshot, remote)) {
        const field = { name: attachment.field, value: attachment.name };
        const remedy = 'Name another revision, or leave the record out with EVAL_IDS.';
        throw fault(place, field, told`names a file that the dataset does not have`, remedy);
      }
      const path = join(snapshot.folder, remote);
      byPath.set(path, { remote, check: () => findAttachment(place, attachment) });
      return { name: basename(remote), path };
    },
    fetch: async (samples) => {
      const paths = samples.flatMap(({ attachments }) => attachments.map(({ path }) => path));
      const wanted = [...new Set(paths)].flatMap((path) => byPath.get(path) ?? []);
      const remotes = wanted.map(({ remote }) => remote);
      await fetchFiles(snapshot, remotes, onProgress);
      for (const { check } of wanted) check();
    },
  };
}

/** Whether the name of a file says that it contains records. */
function isRecordFile(path: string): boolean {
  return /\.(?:jsonl|ndjson|json|csv|tsv|parquet)$/i.test(path);
}
