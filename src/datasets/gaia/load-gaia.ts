import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { toErrorCode } from '../../records/files.ts';
import { RecordError } from '../../records/record.ts';
import { quote } from '../../text/show.ts';
import type { Dataset } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import { HUB_SOURCE_FORM, type HubSettings, isHubSource, parseHubSource, readHubSettings } from '../hub/hub-source.ts';
import type { HubProgress } from '../hub/open-snapshot.ts';
import {
  chooseRecordFiles,
  describePlaces,
  findAttachment,
  hashFiles,
  type RecordFiles,
  type Split,
} from './attachment.ts';
import { readGaia } from './read-gaia.ts';

export type GaiaOptions = {
  /** GAIA's folder, a split's folder, a file with GAIA's or plain question/answer records, or "hf:owner/name". */
  readonly path: string;
  /** Which split of a folder to read; "validation" unless said. */
  readonly split?: Split;
  /** Whether these are the committed samples, which alone are called "sample". */
  readonly sample?: boolean;
  /** How the Hub is reached; without it there is no token and the cache is the usual one. */
  readonly hub?: HubSettings;
  /** Hears how far a download from the Hub is. */
  readonly onProgress?: (progress: HubProgress) => void;
};

/**
 * Reads a GAIA dataset; rejects with a RecordError that names file and line at the first bad record, with a HubError
 * when the Hub does not give it.
 */
export async function loadGaia(options: GaiaOptions): Promise<Dataset> {
  const { path, split = 'validation', sample = false, hub = readHubSettings({}), onProgress } = options;
  if (isHubSource(path)) {
    const { loadFromHub } = await import('./load-from-hub.ts');
    return loadFromHub({ source: toSource(path), split, hub, ...(onProgress === undefined ? {} : { onProgress }) });
  }
  const { files, notes } = locateGaia(path, split);
  const read = await readGaia(files, findAttachment);
  return {
    name: sample ? 'sample' : nameDataset(files[0] ?? path),
    samples: read.samples,
    notes: [...notes, ...read.notes],
    source: { uri: path, revision: null, hash: hashFiles(files) },
    placeholders: read.placeholders,
  };
}

function toSource(path: string) {
  const source = parseHubSource(path);
  if (source !== null) return source;
  throw new Error(`EVAL_GAIA is no dataset of the Hub, got ${JSON.stringify(path)}. Write ${HUB_SOURCE_FORM}.`);
}

/** Finds the files with the records of a split below a folder; a path to a file is that file. */
export function locateGaia(path: string, split: Split): RecordFiles {
  if (!isFolder(path))
    return { files: [path], notes: noteOtherSplit(path, dirname(resolve(path)), split), isWhole: true };
  const found = chooseIn(path, split);
  if (found === null) throw notFound(path, split);
  const direct = found.files.some((file) => dirname(file) === '.');
  return {
    ...found,
    files: found.files.map((file) => join(path, file)),
    notes: [...(direct ? noteOtherSplit(path, resolve(path), split) : []), ...found.notes],
  };
}

function chooseIn(path: string, split: Split): RecordFiles | null {
  return chooseRecordFiles(split, (file) => existsSync(join(path, file)));
}

function noteOtherSplit(path: string, folder: string, split: Split): string[] {
  const named = basename(folder);
  if (named === split || (named !== 'test' && named !== 'validation')) return [];
  return [`${quote(basename(path))} is of the split "${named}", so "${split}" was not looked for.`];
}

function notFound(path: string, split: Split): RecordError {
  const other = split === 'test' ? 'validation' : 'test';
  const hasOther = chooseIn(path, other) !== null;
  return new RecordError({
    file: path,
    problem: `the folder has ${describePlaces(split)}`,
    remedy: hasOther ? `It has the split "${other}": ask for that.` : 'Name the folder of the dataset, or its file.',
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    const code = toErrorCode(cause);
    const problem = code === 'ENOENT' ? 'no such file or folder' : `the path cannot be read (${code})`;
    throw new RecordError({ file: path, problem, remedy: 'Check the path.', cause });
  }
}
