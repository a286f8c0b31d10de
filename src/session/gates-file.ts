import { existsSync } from 'node:fs';
import { readRegular } from '../files/regular-file.ts';
import type { Gate } from '../metrics/gates.ts';
import { parseGates } from '../metrics/parse-gates.ts';

/** The gates of a file that need not exist; `name` is how messages call it. */
export function readGates(file: string, name: string): readonly Gate[] {
  if (!existsSync(file)) return [];
  const text = readRegular(file).toString('utf8');
  try {
    return parseGates(JSON.parse(text), name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${name} is not JSON: ${error.message}. Correct it, or remove it to run without gates.`);
  }
}
