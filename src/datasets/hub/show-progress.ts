import type { HubProgress } from './fetch-files.ts';

const EVERY_MS = 2000;

/**
 * Shows how far a download is: a line on standard error every two seconds, and one at the end of a download that had
 * such lines. Standard output stays what the reporters make of it.
 */
export function showProgress(
  suite: string,
  write: (line: string) => void = (line) => process.stderr.write(line),
): (progress: HubProgress) => void {
  let shownAt = performance.now();
  let shown = false;
  return (progress) => {
    const isEnd = progress.bytes.done === progress.bytes.total;
    if (isEnd ? !shown : performance.now() - shownAt < EVERY_MS) return;
    [shownAt, shown] = [performance.now(), !isEnd];
    write(`${suite}: downloaded ${describe(progress)}\n`);
  };
}

function describe({ files, bytes }: HubProgress): string {
  const [done, total] = [bytes.done, bytes.total].map((count) => (count / 1024 ** 2).toFixed(1));
  return `${files.done} of ${files.total} files, ${done} of ${total} MB`;
}
