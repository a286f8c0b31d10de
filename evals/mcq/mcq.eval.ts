import { join } from 'node:path';
import { defineEval, extractChoice, gradeMcq, loadMcq } from 'viva';
import type { SuiteDefinition } from '../../src/run/definition.ts';

const HERE = import.meta.dirname;

const definition: SuiteDefinition = {
  data: ({ settings: { mcq, mcqFields: fields }, ...access }) =>
    loadMcq(
      mcq === null
        ? { path: join(HERE, 'sample/questions.csv'), sample: true }
        : { path: mcq, fields, ...access },
    ),
  prompt: join(HERE, 'prompt.md'),
  predictions: join(HERE, 'sample/predictions.jsonl'),
  extract: (output, sample) => {
    const { choices, how, certain } = extractChoice(output, sample);
    return { answer: choices?.join(',') ?? null, how, certain };
  },
  score: ({ output, target, sample, verbatim }) =>
    gradeMcq(output, target, sample, { extract: !verbatim }),
  matcher: 'toMatchMcqAnswer',
};

await defineEval('mcq', definition);
