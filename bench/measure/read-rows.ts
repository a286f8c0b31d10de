import { pathToFileURL } from 'node:url';
import { readCases } from '../../test/read-cases.ts';

/** The JSON lines of the file that the command of a bench names. */
export function readRows<Row>(): readonly Row[] {
  const file = process.argv.slice(2).find((word) => !word.startsWith('--'));
  if (file === undefined) throw new Error('No file was named. Write: node bench/NAME.ts FILE.');
  return readCases<Row>(file, `${pathToFileURL(process.cwd())}/`);
}
