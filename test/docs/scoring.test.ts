import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { extractFinalAnswer, scoreGaia } from '../../src/index.ts';
import { ROOT } from '../e2e/run-vitest.ts';

const page = readFileSync(join(ROOT, 'docs/scoring.md'), 'utf8');

describe('docs/scoring.md', () => {
  test('shows verdicts that the official rule gives', () => {
    const rows = [...page.matchAll(/^\| `(.*?)` \| `(.*?)` \| (correct|wrong) \|/gm)];
    expect(rows.length).toBeGreaterThan(5);
    for (const [, answer = '', truth = '', verdict] of rows) {
      expect([answer, truth, scoreGaia(answer, truth).correct ? 'correct' : 'wrong']).toEqual([answer, truth, verdict]);
    }
  });

  test('names each form in which an answer is found', () => {
    const rows = [...page.matchAll(/^\| `([a-z ]+)` \| [^|]* \| `(.*)` \|$/gm)];
    expect(rows).toHaveLength(8);
    for (const [, how, output = ''] of rows) expect(extractFinalAnswer(output)).toEqual({ answer: '17', how });
  });
});
