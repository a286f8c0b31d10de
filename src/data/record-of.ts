import type { Sample } from '../words/sample.ts';

/**
 * The records of samples, as they were before `map`, by the metadata of the sample: a sample is copied
 * with other groups or labels, its metadata is not. In no field, since agents, hashes and files have
 * samples too.
 */
const records = new WeakMap<Sample['metadata'], unknown>();

export function keepRecord(metadata: Sample['metadata'], record: unknown): void {
  records.set(metadata, record);
}

/** The record of a sample. A sample that the user's own code makes has its metadata alone. */
export function recordOf({ metadata }: Pick<Sample, 'metadata'>): unknown {
  return records.has(metadata) ? records.get(metadata) : metadata;
}
