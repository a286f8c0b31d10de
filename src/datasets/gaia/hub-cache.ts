import { basename, dirname, join } from 'node:path';

/**
 * The cache of the Hugging Face Hub keeps a dataset as `datasets--owner--name/snapshots/<revision>/...`, where every
 * file is a link into `datasets--owner--name/blobs`. Returns that folder for a folder in such a snapshot, else null:
 * links into it stay inside the dataset.
 */
export function hubBlobs(folder: string): string | null {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const parent = dirname(at);
    if (basename(at) === 'snapshots' && basename(parent).startsWith('datasets--')) return join(parent, 'blobs');
  }
  return null;
}
