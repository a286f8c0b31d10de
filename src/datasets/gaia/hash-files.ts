import { createHash } from 'node:crypto';
import { readRegular } from '../../files/regular-file.ts';

/** SHA-256 over the bytes of files, in their order: identifies the records as they were published. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readRegular(file));
  return hash.digest('hex');
}
