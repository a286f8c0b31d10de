import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../records/files.ts';
import { toQuestionFile, toTraceFolder } from './run-folder.ts';
import { appendResultSoon, flushResults } from './sample-log.ts';
import type { RunFiles } from './stored-run.ts';

/** Copies what a run has of its suites, or of those named, to the run folder `target`. */
export function copyRun(
  { folder, manifest, rows }: RunFiles,
  target: string,
  suites = manifest.suites,
): void {
  const names = new Set(suites.map(({ suite }) => suite));
  for (const row of rows) if (names.has(row.suite)) appendResultSoon(target, row);
  flushResults();
  for (const { suite, prompts } of suites) {
    const files = [toQuestionFile('', suite), ...prompts.map(({ file }) => file)];
    for (const file of files.filter((name) => name !== '' && existsSync(join(folder, name)))) {
      ensureFolder(dirname(join(target, file)));
      copyFileSync(join(folder, file), join(target, file));
    }
    const traces = toTraceFolder(suite);
    if (existsSync(join(folder, traces)))
      cpSync(join(folder, traces), join(target, traces), { recursive: true });
  }
}
