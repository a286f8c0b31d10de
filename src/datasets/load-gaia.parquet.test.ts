import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type MadeRecord,
  makeRecords,
  toParquet,
  toSplitFiles,
} from '../../test/hub/gaia-dataset.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { loadGaia } from './load.ts';

const RECORDS = makeRecords({
  1: { records: 3, files: 1 },
  2: { records: 2, files: 0 },
  3: { records: 1, files: 0 },
});

function ofLevel(level: number): readonly MadeRecord[] {
  return RECORDS.filter(({ Level }) => Level === level);
}

function toJsonl(records: readonly MadeRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function toLevelFiles(levels: readonly number[]): Record<string, Uint8Array> {
  const files = levels.map((level) => [
    `2023/validation/metadata.level${level}.parquet`,
    toParquet('validation', ofLevel(level)),
  ]);
  return { ...Object.fromEntries(files), '2023/validation/made-1-0.txt': new Uint8Array(3) };
}

describe('several files', () => {
  test('JSON lines are preferred', async () => {
    const root = makeFolder({
      ...toLevelFiles([1, 2, 3]),
      ...toSplitFiles('validation', RECORDS),
      '2023/validation/metadata.jsonl': toJsonl(ofLevel(2)),
    });
    expect((await loadGaia({ path: root })).samples).toHaveLength(2);
  });

  test('the files of all levels together are the split', async () => {
    const path = join(makeFolder(toLevelFiles([1, 2, 3])), '2023/validation');
    const { samples, notes } = await loadGaia({ path });
    expect(samples.map(({ id }) => id).toSorted()).toEqual(
      RECORDS.map(({ task_id }) => task_id).toSorted(),
    );
    expect(notes[0]).toBe(
      'Read together: "metadata.level1.parquet", "metadata.level2.parquet", "metadata.level3.parquet".',
    );
  });

  test('names a missing level', async () => {
    const { samples, notes } = await loadGaia({ path: makeFolder(toLevelFiles([1, 3])) });
    expect(samples).toHaveLength(4);
    expect(notes[0]).toBe(
      'Read together: "metadata.level1.parquet", "metadata.level3.parquet". The split is incomplete.',
    );
  });
});
