import { expect } from 'vitest';
import { loadMcq } from '../../src/datasets/mcq/load-mcq.ts';
import { defineEval } from '../../src/define-eval.ts';
import { orderChoices } from '../../src/run/prompt.ts';
import { extractChoice } from '../../src/scoring/mcq/extract-choice.ts';
import { gradeMcq } from '../../src/scoring/mcq/grade-mcq.ts';
import prompt from './prompt.md?raw';

const SAMPLE = 'evals/mcq/sample';

await defineEval({
  suite: 'mcq',
  prompt,
  predictions: `${SAMPLE}/predictions.jsonl`,
  timeoutSeconds: () => 120,
  load: async (config) => {
    const { mcq: path, mcqFields: fields } = config;
    const dataset = await loadMcq(path === null ? { path: `${SAMPLE}/questions.csv`, sample: true } : { path, fields });
    return orderChoices(dataset, config, 'mcq');
  },
  extract: (output, sample) => {
    const { choices, how } = extractChoice(output, sample);
    return { answer: choices?.join(',') ?? null, how };
  },
  grade: (output, target, sample, { verbatim }) => gradeMcq(output, target, sample, { extract: !verbatim }),
  assert: (grade, output, target) => expect(output).toMatchMcqAnswer(target, { grade }),
});
