import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCases } from '../../test/read-cases.ts';

/** The name and the JSON lines of the file that the command of a bench names. */
export function readRows<Row>(): Readonly<{ name: string; rows: readonly Row[] }> {
  const file = process.argv.slice(2).find((word) => !word.startsWith('--'));
  if (file === undefined) throw new Error('No file was named. Write: node bench/NAME.ts FILE.');
  return {
    name: basename(file),
    rows: readCases<Row>(file, `${pathToFileURL(process.cwd())}/`),
  };
}
