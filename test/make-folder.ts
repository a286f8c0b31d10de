import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for one test, removed when it ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
