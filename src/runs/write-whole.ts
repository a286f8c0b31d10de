import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { toVisibleJson } from '../text/visible-json.ts';

/** Writes a file whole or not at all: a reader, or a crash, never meets half of it. */
export function writeWhole(file: string, text: string): void {
  replace(file, (aside) => writeFileSync(aside, text));
}

const MOST_CHARACTERS = 1 << 20;

/** As `writeWhole`, of lines that together may be longer than a text can be (512 million characters). */
export function writeLines(file: string, lines: Iterable<string>): void {
  replace(file, (aside) => appendInPortions(aside, lines));
}

/** Writes a value as indented JSON, whole or not at all. */
export function writeJson(file: string, value: unknown): void {
  writeWhole(file, `${toVisibleJson(value, 2)}\n`);
}

function appendInPortions(file: string, lines: Iterable<string>): void {
  writeFileSync(file, '');
  let waiting = '';
  for (const line of lines) {
    waiting += line;
    if (waiting.length < MOST_CHARACTERS) continue;
    appendFileSync(file, waiting);
    waiting = '';
  }
  appendFileSync(file, waiting);
}

/** What a full disk took of the new file is given back, and the old one stays. */
function replace(file: string, write: (aside: string) => void): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    write(aside);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
