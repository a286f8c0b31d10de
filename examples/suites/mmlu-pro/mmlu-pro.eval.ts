import { join } from 'node:path';
import { defineEval } from 'viva';
import { findLetter } from './find-letter.ts';
import { findDev, loadFiveShots } from './five-shots.ts';

const here = (file: string) => join(import.meta.dirname, file);

await defineEval('mmlu-pro', {
  data: ({ settings: { mcq }, ...access }) =>
    mcq === null
      ? loadFiveShots(here('made-up.jsonl'), here('made-up-dev.jsonl'), access)
      : loadFiveShots(mcq, findDev(mcq), access),
  prompt: `Five solved multiple-choice questions about {{group}} come first, then one to solve. Think about it step by step. Then
end with "The answer is (X)", where X is the letter of the right option.

{{question}}
Options:
{{choices}}
Answer:`,
  agent: 'replay:./predictions.jsonl',
  extract: findLetter,
});
