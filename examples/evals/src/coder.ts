import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Mends the code of a folder, as a coding agent does. Start yours here. */
export async function mend(folder: string): Promise<string> {
  const file = join(folder, 'attachment.js');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace('kg > 2', 'kg >= 2'));
  return 'Parcels of exactly 2 kg now have the price of heavy ones.';
}
