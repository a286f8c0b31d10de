import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';

/** A made-up record in GAIA's layout. */
export type MadeRecord = {
  readonly task_id: string;
  readonly Question: string;
  readonly Level: number;
  readonly 'Final answer': string;
  readonly file_name: string;
};

/** How many records of each level to make, and how many of those have a file. */
type Shape = Readonly<Record<1 | 2 | 3, readonly [records: number, files: number]>>;

/** The shape of GAIA's validation split: 165 records, 38 files. */
export const VALIDATION: Shape = { 1: [53, 11], 2: [86, 20], 3: [26, 7] };

/** Sums as questions. */
export function makeRecords(shape: Shape): readonly MadeRecord[] {
  const levels = ([1, 2, 3] as const).flatMap((level) =>
    Array.from({ length: shape[level][0] }, (_, index) => ({ level, index })),
  );
  return levels.map(({ level, index }, position) => ({
    task_id: `made-${level}-${String(index).padStart(3, '0')}`,
    Question: `What is ${position} plus ${level}?`,
    Level: level,
    'Final answer': String(position + level),
    file_name: index < shape[level][1] ? `made-${level}-${index}.txt` : '',
  }));
}

/** The files of a split by path: the records as Parquet, and what they name. */
export function toSplitFiles(
  split: string,
  records: readonly MadeRecord[],
): Record<string, Uint8Array> {
  const named = records.filter(({ file_name }) => file_name !== '');
  return {
    [`2023/${split}/metadata.parquet`]: toParquet(split, records),
    ...Object.fromEntries(
      named.map(({ file_name }) => [`2023/${split}/${file_name}`, toContent(file_name)]),
    ),
  };
}

/** Records as GAIA's Parquet files have them: the level as text, annotator metadata as JSON. */
function toParquet(split: string, records: readonly MadeRecord[]): Uint8Array {
  const text = (name: keyof MadeRecord): ColumnSource => ({
    name,
    data: records.map((record) => String(record[name])),
  });
  const columnData: ColumnSource[] = [
    text('task_id'),
    text('Question'),
    text('Level'),
    text('Final answer'),
    text('file_name'),
    {
      name: 'file_path',
      data: records.map(({ file_name }) => (file_name === '' ? '' : `2023/${split}/${file_name}`)),
    },
    { name: 'Annotator Metadata', data: records.map(() => ({ Steps: '1. Add.' })), type: 'JSON' },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/**
 * Some bytes that depend on the name; every third file is small enough to be kept by git itself.
 */
export function toContent(name: string): Uint8Array {
  const size = name.length % 3 === 0 ? 50 : 2000 + 100 * name.length;
  return Buffer.from(name.repeat(Math.ceil(size / name.length)).slice(0, size));
}
