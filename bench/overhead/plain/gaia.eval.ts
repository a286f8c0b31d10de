import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What is compared, level by level; `writeRecords` of bench/overhead/records.ts wrote it. */
type Levels = Readonly<Record<string, readonly { id: string; received: string; expected: string }[]>>;

const levels: Levels = JSON.parse(readFileSync(join(import.meta.dirname, 'records.json'), 'utf8'));

describe.concurrent('gaia', () => {
  for (const [level, records] of Object.entries(levels)) {
    describe.concurrent(level, () => {
      for (const { id, received, expected } of records) {
        test(id, () => {
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

/** As this suite does it: Vitest spends milliseconds on each stack frame, and compares each stack with all others. */
function withoutStack(error: unknown): unknown {
  if (error instanceof Error) error.stack = '';
  return error;
}
