import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../files/regular-file.ts';
import type { TrialIdentity } from './trial-map.ts';
import { writeJson } from './write-whole.ts';

/**
 * selection.json: what the main process of a run knows, for --merge-reports. It is a file beside the manifest because
 * the worker writes that at the same time.
 */
export type Selection = {
  readonly version: 1;
  /** The eval files of which no test was collected yet. */
  readonly not_started: readonly string[];
  /** The trials that a name, a tag or --last-failed left out. */
  readonly left_out: readonly TrialIdentity[];
  /** Why the run ended early, such as "bail"; null where it ended by itself or was killed. */
  readonly stopped: string | null;
};

const FILE = 'selection.json';

export function writeSelection(runFolder: string, selection: Omit<Selection, 'version'>): void {
  writeJson(join(runFolder, FILE), { version: 1, ...selection });
}

/** What a run folder says; of one without the file, by an older version, that everything was selected and ran. */
export function readSelection(runFolder: string): Selection {
  const file = join(runFolder, FILE);
  if (!existsSync(file)) return { version: 1, not_started: [], left_out: [], stopped: null };
  const selection: unknown = JSON.parse(readRegular(file).toString('utf8'));
  if (isSelection(selection)) return selection;
  throw new Error(`${file} is none of version 1. Merge with the version of viva that wrote it.`);
}

function isSelection(value: unknown): value is Selection {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'left_out' in value &&
    Array.isArray(value.left_out) &&
    'not_started' in value &&
    Array.isArray(value.not_started)
  );
}
