import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for one test with these files (content by path), removed when the test ends. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = makeTemporary();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** The path of a file with this content in a folder for one test. */
export function makeFile(name: string, content: string | Uint8Array = ''): string {
  return join(makeFolder({ [name]: content }), name);
}

/**
 * The same for all tests of a file: to be called outside of tests, removed after the last of them.
 */
export function makeSharedFolder(): string {
  const folder = makeTemporary();
  // An installed package has thousands of files, and the disk may be busy.
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);
  return folder;
}

/** The temporary folder of macOS is behind a link, and programs print where it leads. */
function makeTemporary(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'viva-')));
}
