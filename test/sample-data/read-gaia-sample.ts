import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'evals/gaia/sample/2023/validation';

/** A record of the sample in the field names of GAIA, and the text of its attachment ("" if it has none). */
export type GaiaRecord = {
  readonly id: string;
  readonly question: string;
  readonly level: unknown;
  readonly truth: string;
  readonly fileName: string;
  readonly annotator: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
};

/** Parses the committed records without the loader of the suite: what both read alike is right twice over. */
export function readGaiaSample(): readonly GaiaRecord[] {
  return readJsonLines(`${FOLDER}/metadata.jsonl`).map((record) => ({
    id: String(record['task_id']),
    question: String(record['Question']),
    level: record['Level'],
    truth: String(record['Final answer']),
    fileName: String(record['file_name']),
    annotator: toObject(record['Annotator Metadata']),
    fields: Object.keys(record),
  }));
}

/** The bytes of an attachment; none for a record without one. */
export function readAttachment(fileName: string): Buffer {
  return fileName === '' ? Buffer.alloc(0) : readFileSync(`${FOLDER}/${fileName}`);
}

/** Names of the files beside metadata.jsonl. */
export function listAttachments(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => name !== 'metadata.jsonl');
}

export function readJsonLines(path: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => toObject(JSON.parse(line)));
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(`Expected an object, got ${JSON.stringify(value)}.`);
  return Object.fromEntries(Object.entries(value));
}
