import { expect } from 'vitest';
import { createAgents } from '../../src/agents/index.ts';
import { loadMcq } from '../../src/datasets/mcq/load-mcq.ts';
import { defineEval } from '../../src/define-eval.ts';
import { present } from '../../src/run/prompt.ts';
import { extractChoice } from '../../src/scoring/mcq/extract-choice.ts';
import { gradeMcq } from '../../src/scoring/mcq/grade-mcq.ts';
import prompt from './prompt.md?raw';

const SAMPLE = 'evals/mcq/sample';

await defineEval({
  suite: 'mcq',
  prompt,
  timeoutSeconds: () => 120,
  load: async (config) => {
    const { mcq: path, mcqFields: fields } = config;
    const dataset = await loadMcq(path === null ? { path: `${SAMPLE}/questions.csv`, sample: true } : { path, fields });
    return present(dataset, config, 'mcq');
  },
  agents: (spec, { samples }, services) =>
    createAgents(spec, {
      suite: 'mcq',
      ids: samples.map(({ id }) => id),
      predictions: `${SAMPLE}/predictions.jsonl`,
      ...services,
    }),
  extract: (output, sample) => {
    const { choices, how } = extractChoice(output, sample);
    return { answer: choices?.join(',') ?? null, how };
  },
  grade: (output, target, sample, { verbatim }) => gradeMcq(output, target, sample, { extract: !verbatim }),
  assert: (grade, output, target) => expect(output).toMatchMcqAnswer(target, { grade }),
});
