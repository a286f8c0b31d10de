import type { Dataset } from '../../types.ts';
import { nameDataset } from '../dataset-name.ts';
import type { HubProgress } from '../hub/fetch-files.ts';
import { type HubSettings, readHubSettings } from '../hub/hub-settings.ts';
import { HUB_SOURCE_FORM, isHubSource, parseHubSource } from '../hub/hub-source.ts';
import { findAttachment } from './attachment.ts';
import { hashFiles } from './hash-files.ts';
import { locateGaia } from './locate.ts';
import { readGaia } from './read-gaia.ts';
import type { Split } from './record-files.ts';

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
