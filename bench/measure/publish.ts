import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The commit's hash, and whether files differ from it. */
export function describeCommit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();
}

/** Puts the figures of a bench between its two markers of RESULTS.md. */
export function writeResults(bench: string, text: string): void {
  const file = join(import.meta.dirname, '../RESULTS.md');
  const between = new RegExp(`(<!-- ${bench}: [^>]*-->\\n).*(<!-- end of ${bench} -->)`, 's');
  const results = readFileSync(file, 'utf8');
  if (!between.test(results)) throw new Error(`${file} has no place for the figures: ${between}`);
  writeFileSync(
    file,
    results.replace(between, (_, start: string, end: string) => `${start}\n${text}\n${end}`),
  );
}
