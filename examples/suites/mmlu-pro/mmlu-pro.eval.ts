import { join } from 'node:path';
import { defineEval, loadMcq } from 'viva';
import { findLetter } from './find-letter.ts';

await defineEval('mmlu-pro', {
  data: ({ settings: { mcq }, ...access }) =>
    loadMcq({ path: mcq ?? join(import.meta.dirname, 'made-up.jsonl'), ...access }),
  prompt: `Answer this multiple-choice question about {{group}}. Think step by step. Then end with "The answer is (X)",
where X is the letter of the right option.

{{question}}

{{choices}}`,
  agent: 'replay:./predictions.jsonl',
  extract: findLetter,
});
