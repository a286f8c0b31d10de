import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { toVisibleJson } from '../visible-json.ts';

/** Writes a file whole or not at all: a reader, or a crash, never meets half of it. */
export function writeWhole(file: string, text: string): void {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, text);
  renameSync(aside, file);
}

const MOST_CHARACTERS = 1 << 20;

/** As `writeWhole`, of lines that together may be longer than a text can be (512 million characters). */
export function writeLines(file: string, lines: Iterable<string>): void {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, '');
  let waiting = '';
  for (const line of lines) {
    waiting += line;
    if (waiting.length < MOST_CHARACTERS) continue;
    appendFileSync(aside, waiting);
    waiting = '';
  }
  appendFileSync(aside, waiting);
  renameSync(aside, file);
}

/** Writes a value as indented JSON, whole or not at all. */
export function writeJson(file: string, value: unknown): void {
  writeWhole(file, `${toVisibleJson(value, 2)}\n`);
}
