import { cpSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';
import type { SampleResult } from '../types.ts';
import { toTracePath } from './trace-file.ts';

/**
 * Keeps the work folder of a trial in the run folder, workspace/<suite>/<agent>/<id>-<hash>.<trial>/: what the agent
 * left there, the attachments, and answer.txt with the answer that was found. Links are kept as links, so that none
 * brings in what lies outside; a folder that has become a link itself is not kept, as writing to it would be writing there.
 */
export function saveWorkdir(runFolder: string, workdir: string, result: SampleResult): void {
  if (lstatSync(workdir, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const target = join(
    runFolder,
    toTracePath(result)
      .replace(/^traces/, 'workspace')
      .replace(/\.json$/, ''),
  );
  makeFolders(dirname(target));
  // What an earlier turn kept may hold links, through which a copy would be written.
  rmSync(target, { recursive: true, force: true });
  cpSync(workdir, target, { recursive: true, verbatimSymlinks: true, filter: isKept });
  const answer = join(target, 'answer.txt');
  // What the agent left under this name may be a link to a file elsewhere.
  rmSync(answer, { recursive: true, force: true });
  if (result.answer !== null) writeFileSync(answer, `FINAL ANSWER: ${result.answer}\n`);
}

/** Pipes, sockets and devices cannot be copied. */
function isKept(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}
