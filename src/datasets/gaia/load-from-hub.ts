import { join, posix } from 'node:path';
import { RecordError } from '../../records/record.ts';
import type { Attachment, Dataset, Sample } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import { HubError } from '../hub/hub-request.ts';
import { type HubSettings, type HubSource, showHubSource } from '../hub/hub-source.ts';
import { fetchFiles, type HubProgress, hasFile, openSnapshot, type Snapshot } from '../hub/open-snapshot.ts';
import type { Place } from '../record-fields.ts';
import {
  assertAttachmentName,
  chooseRecordFiles,
  describePlaces,
  findAttachment,
  hashFiles,
  type RecordFiles,
  type Split,
} from './attachment.ts';
import type { NamedAttachment } from './layouts.ts';
import { readGaia } from './read-gaia.ts';

type HubOptions = {
  readonly source: HubSource;
  readonly split: Split;
  readonly hub: HubSettings;
  readonly onProgress?: (progress: HubProgress) => void;
};

/**
 * Reads a split from the Hub: its records are downloaded now, attachments when `fetch` is called with the samples that
 * are to run. Rejects with a HubError, or with a RecordError at the first bad record.
 */
export async function loadFromHub({ source, split, hub, onProgress }: HubOptions): Promise<Dataset> {
  const snapshot = await openSnapshot({ source, settings: hub });
  const chosen = chooseRecords(snapshot, split);
  await fetchFiles(snapshot, chosen.files, onProgress);
  const files = chosen.files.map((file) => join(snapshot.cache.snapshot(snapshot.commit), file));
  const awaited = new AwaitedAttachments(snapshot, posix.dirname(chosen.files[0] ?? ''));
  const read = await readGaia(files, (place, attachment) => awaited.add(place, attachment));
  return {
    name: nameDataset(files[0] ?? source.name),
    samples: read.samples,
    notes: [...snapshot.notes, ...chosen.notes, ...read.notes],
    source: { uri: showHubSource(source), revision: snapshot.commit, hash: hashFiles(files) },
    placeholders: read.placeholders,
    fetch: (samples) => awaited.fetch(samples, onProgress),
  };
}

/** A cache may hold a part of what a dataset has: without the file list, files by level must all be there. */
function chooseRecords(snapshot: Snapshot, split: Split): RecordFiles {
  const chosen = chooseRecordFiles(split, (path) => hasFile(snapshot, path));
  const { source } = snapshot.hub;
  if (chosen === null) {
    const kind = snapshot.files === null ? 'not_cached' : 'no_file';
    throw new HubError(source, { kind, detail: `${describePlaces(split)}, at commit ${snapshot.commit}` });
  }
  if (snapshot.files !== null || chosen.isWhole) return chosen;
  throw new HubError(source, { kind: 'not_cached', detail: chosen.notes.join(' ') });
}

/** The attachments that samples name: known by name at first, on this disk after `fetch`. */
class AwaitedAttachments {
  readonly #snapshot: Snapshot;
  readonly #folder: string;
  readonly #byPath = new Map<string, { readonly remote: string; readonly check: () => void }>();

  constructor(snapshot: Snapshot, folder: string) {
    this.#snapshot = snapshot;
    this.#folder = folder;
  }

  add(place: Place, attachment: NamedAttachment): Attachment {
    assertAttachmentName(place, attachment);
    const remote = posix.join(this.#folder, attachment.name);
    if (this.#snapshot.files !== null && !hasFile(this.#snapshot, remote)) throw notThere(place, attachment);
    const path = join(this.#snapshot.cache.snapshot(this.#snapshot.commit), remote);
    this.#byPath.set(path, { remote, check: () => findAttachment(place, attachment) });
    return { name: posix.basename(remote), path };
  }

  async fetch(samples: readonly Sample[], onProgress?: (progress: HubProgress) => void): Promise<void> {
    const paths = samples.flatMap(({ attachments }) => attachments.map(({ path }) => path));
    const wanted = [...new Set(paths)].flatMap((path) => this.#byPath.get(path) ?? []);
    const remotes = wanted.map(({ remote }) => remote);
    await fetchFiles(this.#snapshot, remotes, onProgress);
    for (const { check } of wanted) check();
  }
}

function notThere(place: Place, { field, name }: NamedAttachment): RecordError {
  return new RecordError({
    ...place,
    field,
    problem: 'names a file that the dataset does not have',
    value: name,
    remedy: 'Name another revision, or leave the record out by EVAL_IDS.',
  });
}
