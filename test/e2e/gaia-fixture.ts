import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/**
 * A question with its truth and what an agent is recorded to have said; `output` absent: no
 * prediction.
 */
export type FixtureRecord = {
  readonly id: string;
  readonly question?: string;
  readonly level?: 1 | 2 | 3;
  readonly truth?: string;
  readonly output?: string;
  readonly latencyMs?: number;
  /** The text of its attachment; without one it has none. */
  readonly file?: string;
};

/**
 * Writes a folder in GAIA's layout and a predictions file; returns the settings that a run over them
 * needs.
 */
export function writeGaiaFixture(records: readonly FixtureRecord[]) {
  const folder = join(makeFolder(), 'questions');
  const split = join(folder, '2023/validation');
  mkdirSync(split, { recursive: true });
  writeFileSync(join(split, 'metadata.jsonl'), records.map(toMetadataLine).join(''));
  for (const { id, file } of records)
    if (file !== undefined) writeFileSync(join(split, `${id}.txt`), file);
  const predictions = join(folder, 'predictions.jsonl');
  writeFileSync(predictions, records.flatMap(toPredictionLine).join(''));
  return { folder, predictions, env: { EVAL_GAIA: folder, EVAL_AGENT: `replay:${predictions}` } };
}

function toMetadataLine(fields: FixtureRecord): string {
  const { id, question = `What is ${id}?`, level = 1, truth = '17', file } = fields;
  const record = { task_id: id, Question: question, Level: level, 'Final answer': truth };
  return `${JSON.stringify({ ...record, file_name: file === undefined ? '' : `${id}.txt` })}\n`;
}

function toPredictionLine({ id, output, latencyMs = 1000 }: FixtureRecord): string[] {
  return output === undefined
    ? []
    : [`${JSON.stringify({ task_id: id, output, latency_ms: latencyMs })}\n`];
}
