import { join } from 'node:path';
import { defineEval, extractFinalAnswer, gradeGaia, loadGaia } from 'viva';
import type { SuiteDefinition } from '../../src/run/definition.ts';

const HERE = import.meta.dirname;
const SECONDS: Readonly<Record<string, number>> = {
  'level 1': 180,
  'level 2': 300,
  'level 3': 600,
};

const definition: SuiteDefinition = {
  data: ({ settings: { gaia, split }, ...access }) =>
    loadGaia(
      gaia === null
        ? { path: join(HERE, 'sample'), sample: true }
        : { path: gaia, split, ...access },
    ),
  prompt: join(HERE, 'prompt.md'),
  predictions: join(HERE, 'sample/predictions.jsonl'),
  extract: extractFinalAnswer,
  score: ({ output, target, verbatim }) => gradeGaia(output, target, { extract: !verbatim }),
  matcher: 'toMatchGaiaAnswer',
  timeoutSeconds: (group) => SECONDS[group] ?? 300,
  levels: true,
  exports: ['answers.csv', 'submission.jsonl'],
};

await defineEval('gaia', definition);
