import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** For tests: a folder with these files (content by path), removed by what `atEnd` is given. */
export function temporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  atEnd: (remove: () => void) => void,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-datasets-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
