import { renameSync, writeFileSync } from 'node:fs';
import { toVisibleJson } from '../visible-json.ts';

/** Writes a file whole or not at all: a reader, or a crash, never meets half of it. */
export function writeWhole(file: string, text: string): void {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, text);
  renameSync(aside, file);
}

/** Writes a value as indented JSON, whole or not at all. */
export function writeJson(file: string, value: unknown): void {
  writeWhole(file, `${toVisibleJson(value, 2)}\n`);
}
