import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Line = Readonly<{
  task_id: string;
  Level: number;
  'Final answer': string;
  output: string;
}>;

const records = readLines('data/2023/validation/metadata.jsonl');
const outputs = new Map(
  readLines('predictions.jsonl').map(({ task_id, output }) => [task_id, output]),
);
const levels = Map.groupBy(records, ({ Level }) => `level ${Level}`);

describe.concurrent('gaia', () => {
  for (const [level, members] of [...levels].sort(([a], [b]) => a.localeCompare(b))) {
    describe.concurrent(level, () => {
      for (const { task_id, 'Final answer': expected } of members) {
        const received = outputs.get(task_id)?.split('FINAL ANSWER: ')[1];
        test(task_id, () => {
          try {
            expect(received).toBe(expected);
          } catch (error) {
            throw withoutStack(error);
          }
        });
      }
    });
  }
});

function readLines(file: string): readonly Line[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line): Line => JSON.parse(line));
}

/**
 * As this suite does it: Vitest spends milliseconds on each stack frame, and compares each stack
 * with all others.
 */
function withoutStack(error: unknown): unknown {
  if (error instanceof Error) error.stack = '';
  return error;
}
