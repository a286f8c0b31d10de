import { expect } from 'vitest';
import { loadGaia } from '../../src/datasets/gaia/load-gaia.ts';
import { defineEval } from '../../src/define-eval.ts';
import { extractFinalAnswer } from '../../src/scoring/gaia/extract-final-answer.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import prompt from './prompt.md?raw';

const SAMPLE = 'evals/gaia/sample';
const TIMEOUT_SECONDS: Readonly<Record<string, number>> = { 'level 1': 180, 'level 2': 300, 'level 3': 600 };

await defineEval({
  suite: 'gaia',
  prompt,
  predictions: `${SAMPLE}/predictions.jsonl`,
  hasLevels: true,
  timeoutSeconds: (group) => TIMEOUT_SECONDS[group] ?? 300,
  load: ({ gaia, split }, access) =>
    loadGaia(gaia === null ? { path: SAMPLE, sample: true } : { path: gaia, split, ...access }),
  extract: extractFinalAnswer,
  grade: (output, target, _, { verbatim }) => gradeGaia(output, target, { extract: !verbatim }),
  assert: (grade, output, target) => expect(output).toMatchGaiaAnswer(target, { grade }),
});
