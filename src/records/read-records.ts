import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { EXTENSION } from '../package.ts';
import { messageOf, plural } from '../text/show.ts';
import { parseJson } from './json.ts';
import { type RawRecord, RecordError, type RecordFile, readBytes, readText } from './record.ts';

/** Reads a file of records in any known format; throws a RecordError when the file has none. */
export async function readRecords(file: string): Promise<RecordFile> {
  const source = await readByName(file);
  if (source.records.length > 0) return source;
  throw new RecordError({ file, problem: 'the file has no records', remedy: 'Check the path.' });
}

async function readByName(file: string): Promise<RecordFile> {
  if (/\.parquet$/i.test(file)) return readParquet(file);
  const text = readText(file);
  return /\.[ct]sv$/i.test(file) ? parseCsv(file, text) : { file, records: parseJson(file, text) };
}

/** Reading takes seconds. A file that takes minutes is broken or hostile. */
const DEADLINE_MS = 60_000;

const MAX_HEAP_MB = 2048;

/**
 * Reads a Parquet file into plain values as JSON has them; a record's `line` is its row, 1 for the
 * first. A 64-bit integer becomes a number (text beyond 2^53), a date ISO text, a JSON column its
 * value; bytes that are not UTF-8 text stay bytes. Rejects with a RecordError when the file is not
 * a complete Parquet file.
 */
export async function readParquet(file: string, deadlineMs = DEADLINE_MS): Promise<RecordFile> {
  const { rows, problem } = await readInThread(readBytes(file), deadlineMs);
  if (rows !== undefined)
    return { file, records: rows.map((value, row) => ({ line: row + 1, value })) };
  throw new RecordError({
    file,
    problem: 'the file is not a complete Parquet file',
    detail: problem,
    remedy: 'Download it again.',
  });
}

type Answer = Readonly<{ rows?: readonly unknown[]; problem?: string }>;

/**
 * Runs the parser in a thread, which can be ended: a few wrong bytes make it loop or allocate
 * without end.
 */
function readInThread(bytes: Uint8Array, deadlineMs: number): Promise<Answer> {
  const worker = new Worker(new URL(`./parquet-worker${EXTENSION}`, import.meta.url), {
    workerData: Uint8Array.from(bytes).buffer,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    env: {},
  });
  return awaitAnswer(worker, deadlineMs);
}

/** The first message of a thread, which then is ended, or why there is none. */
export async function awaitAnswer(worker: Worker, deadlineMs: number): Promise<Answer> {
  // A thread may fail after its answer, or while it is ended. Without a listener that would end the
  // process.
  worker.on('error', () => {});
  try {
    const [answer]: Answer[] = await once(worker, 'message', {
      signal: AbortSignal.timeout(deadlineMs),
    });
    return answer ?? { problem: 'the reader returned nothing' };
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError')
      return { problem: `not read in ${deadlineMs / 1000} s` };
    return { problem: messageOf(error) };
  } finally {
    await worker.terminate();
  }
}

/** The records of a table with a header row; every cell is text. */
export async function parseCsv(file: string, text: string): Promise<RecordFile> {
  const all = await parseRows(file, text);
  if (lacksHeader(all)) {
    return { file, records: all.map((row) => toRecord(file, NUMBERED, row)) };
  }
  const [header, ...rows] = all;
  if (header === undefined) {
    const problem = 'the table has no rows';
    throw new RecordError({ file, problem, remedy: 'Write a header row and the records.' });
  }
  assertDistinct(file, header);
  return { file, records: rows.map((row) => toRecord(file, header.cells, row)) };
}

type Row = Readonly<{ line: number; cells: readonly string[] }>;

const NUMBERED = Array.from({ length: 6 }, (_, index) => `column ${index + 1}`);

/**
 * A table of six columns whose first row, and nearly every other, ends in a letter from A to D:
 * question, options and answer, without names. Some question has several words, or ids come before
 * the questions. The header "question,answer,A,B,C,D" ends in a letter too, but its rows do not.
 */
function lacksHeader(rows: readonly Row[]): boolean {
  const records = rows.filter(
    ({ cells }) => cells.length === NUMBERED.length && /^\s*[A-D]\s*$/.test(cells[5] ?? ''),
  );
  return (
    rows[0] !== undefined &&
    records[0] === rows[0] &&
    records.length >= rows.length * 0.95 &&
    records.some(({ cells }) => /\S\s+\S/.test(cells[0] ?? ''))
  );
}

/** The rows of a table, each with the line on which it starts. Blank rows are left out. */
async function parseRows(file: string, text: string): Promise<readonly Row[]> {
  // Loaded on first use: few runs read a table.
  const { parse } = await import('csv-parse/sync');
  // csv-parse counts a CRLF inside quotes as two lines.
  const unix = text.replace(/\r\n?/g, '\n');
  const rows: Row[] = [];
  let line = 1;
  try {
    parse(unix, {
      delimiter: findDelimiter(unix),
      relax_column_count: true,
      on_record: (cells: string[], { lines }) => {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
        line = lines + 1;
        return null;
      },
    });
  } catch (cause) {
    throw new RecordError({
      file,
      line,
      problem: 'the row that starts here is not valid CSV',
      detail: messageOf(cause),
      remedy: 'Put cells with quotes or line breaks into double quotes.',
      cause,
    });
  }
  return rows;
}

/**
 * Spreadsheets separate by comma, semicolon or tab. The header row has the right one most often.
 */
function findDelimiter(text: string): string {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best), ',');
}

function toRecord(file: string, header: readonly string[], { line, cells }: Row): RawRecord {
  const extra = cells.slice(header.length).some((cell) => cell.trim() !== '');
  if (extra || cells.length < header.length) {
    throw new RecordError({
      file,
      line,
      problem: `the row has ${plural(cells.length, 'column')}, the header has ${header.length}`,
      remedy: 'Put cells that contain the separator into double quotes.',
    });
  }
  const fields = header.flatMap((name, index) => (name === '' ? [] : [[name, cells[index] ?? '']]));
  return { line, value: Object.fromEntries(fields) };
}

function assertDistinct(file: string, { line, cells }: Row): void {
  const seen = new Set<string>();
  // `add` returns the set, which is true.
  const twice = cells.find((name) => name !== '' && (seen.has(name) || !seen.add(name)));
  if (twice === undefined) return;
  throw new RecordError({
    file,
    line,
    field: twice,
    problem: 'is the name of two columns',
    remedy: 'Rename one.',
  });
}
