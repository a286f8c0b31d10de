import { RecordError } from './record-error.ts';
import type { RawRecord, RecordFile, RecordFormat } from './record-file.ts';
import { noteRepeatedKeys } from './repeated-keys.ts';

/** One JSON value per line. The reader of last resort: text in no other format is reported as a broken line. */
export const jsonl: RecordFormat = {
  name: 'JSONL',
  reads: () => true,
  parse: (file, text): RecordFile => ({ file, records: parseJsonl(file, text), notes: noteRepeatedKeys(text) }),
};

/** Parses JSON lines; a byte order mark, CRLF, blank lines and a missing last line break are no errors. */
export function parseJsonl(file: string, text: string): RawRecord[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((source, index) => {
    const line = index + 1;
    return source.trim() === '' ? [] : [{ line, value: parseLine(file, line, source) }];
  });
}

function parseLine(file: string, line: number, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new RecordError({
      file,
      line,
      problem: 'the line is not valid JSON',
      value: source.trim(),
      detail: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Write one JSON object per line, or make the file one JSON array.',
      cause,
    });
  }
}
