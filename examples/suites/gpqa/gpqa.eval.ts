import { join } from 'node:path';
import { defineEval, loadMcq } from 'viva';
import { findLetter } from './find-letter.ts';

await defineEval('gpqa', {
  // The file names the right answer first. viva orders the options by a hash of the question.
  data: ({ settings: { mcq }, ...access }) =>
    loadMcq({ path: mcq ?? join(import.meta.dirname, 'made-up.csv'), ...access }),
  prompt: `Which answer to this question is right?

{{question}}

{{choices}}

Think step by step. Then end with "The correct answer is (X)", where X is the letter of the right answer.`,
  agent: 'replay:./predictions.jsonl',
  extract: findLetter,
});
