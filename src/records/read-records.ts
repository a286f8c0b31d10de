import { csv } from './csv.ts';
import { jsonArray, jsonl } from './json.ts';
import { isParquet, readParquet } from './parquet.ts';
import { type RecordFile, type RecordFormat, readText } from './read-text.ts';
import { RecordError } from './record-error.ts';

/** The formats in the order in which they are tried. A new text format is one file and one line here. */
const formats: readonly RecordFormat[] = [csv, jsonArray, jsonl];

/** Reads a file of records in any known format; throws a RecordError when it has none. */
export async function readRecords(file: string): Promise<RecordFile> {
  const source = isParquet(file) ? await readParquet(file) : await parseText(file, readText(file));
  if (source.records.length > 0) return source;
  throw new RecordError({ file, problem: 'the file holds no records', remedy: 'Check the path.' });
}

async function parseText(file: string, text: string): Promise<RecordFile> {
  const format = formats.find((candidate) => candidate.reads(file, text)) ?? jsonl;
  return format.parse(file, text);
}
