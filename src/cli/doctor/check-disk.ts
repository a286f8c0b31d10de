import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readHubSettings } from '../../datasets/hub/hub-settings.ts';
import { isHubSource } from '../../datasets/hub/hub-source.ts';
import { makeFolders } from '../../files/make-folders.ts';
import type { Finding } from './finding.ts';
import { withConfig } from './with-config.ts';

/** A run with its traces stays far below; GAIA's files are about as large. */
const LEAST_FREE_MB = 200;

/** Whether the folder of the runs can be written, and the Hub's cache when the dataset is there. */
export const disk = withConfig('disk', async ({ dir, gaia }, { env }) => {
  const runs = examineFolder(resolve(dir), 'Make it writable, or set EVAL_DIR to another folder.');
  if (gaia === null || !isHubSource(gaia)) return [runs];
  const { cacheDir } = readHubSettings(env);
  return [runs, examineFolder(resolve(cacheDir), 'Make it writable, or set HF_HOME to another folder.')];
});

/** Writes a file into a folder, which is made if need be, and removes it. */
function examineFolder(folder: string, remedy: string): Finding {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    makeFolders(folder);
    writeFileSync(file, 'x'.repeat(4096));
    rmSync(file);
    const { bavail, bsize } = statfsSync(folder);
    return judgeSpace(folder, (bavail * bsize) / 1024 ** 2);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: 'miss', what: `${folder} cannot be written (${why})`, remedy };
  }
}

/** Judges the free space of a folder, in MB. */
export function judgeSpace(folder: string, freeMb: number): Finding {
  const what = `${folder} is writable, ${(freeMb / 1024).toFixed(1)} GB free`;
  if (freeMb >= LEAST_FREE_MB) return { status: 'ok', what };
  return { status: 'miss', what, remedy: `Free at least ${LEAST_FREE_MB} MB, or set EVAL_DIR to another disk.` };
}
