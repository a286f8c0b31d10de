import { expect, test } from 'vitest';
import { isLeakAddress, isLeakText } from './leak-guard.ts';

test.each([
  'https://huggingface.co/datasets/gaia-benchmark/GAIA',
  'https://hf.co/datasets/somebody/my_GAIA_copy/raw/main/x.txt',
  'https://raw.githubusercontent.com/x/y/main/gaia/2023/validation/metadata.jsonl',
  'https://example.org/data/gaia_validation.jsonl',
  'https://example.org/?u=https%3A%2F%2Fhuggingface.co%2Fdatasets%2Fgaia-benchmark',
  'https://web.archive.org/web/2024/https://huggingface.co/datasets/somebody/GAIA',
  'https://r.jina.ai/https%253A%252F%252Fhf.co%252Fdatasets%252Fx%252Fgaia',
  'https://www.kaggle.com/datasets/somebody/gaia-questions',
  'https://github.com/somebody/agent/tree/main/data/gaia_validation',
  'https://raw.githubusercontent.com/x/y/main/gaia-2023/all.txt',
  'https://agents-course-unit4-scoring.hf.space/questions',
])('%s is a copy of the benchmark', (address) => {
  expect(isLeakAddress(new URL(address))).toBe(true);
});

test.each([
  'https://www.esa.int/Science_Exploration/Space_Science/Gaia',
  'https://web.archive.org/web/2024/https://www.cosmos.esa.int/web/gaia/data',
  'https://github.com/gaia-unlimited/gaiaunlimited',
  'https://www.kaggle.com/datasets/x/gaiam-sales',
  'https://nothuggingface.co/gaia',
  'https://example.org/%E0%A4%A',
])('%s is no copy of the benchmark', (address) => {
  expect(isLeakAddress(new URL(address))).toBe(false);
});

test.each([
  ['| task_id | Question | Level | Final answer | file_name | Annotator Metadata |', true],
  ['{"task_id": "1", "Question": "?", "Level": 1, "Final answer": "x"}', true],
  ["{'task_id': '1', 'question': '?', 'level': 1, 'true_answer': 'x'}", true],
  ['GAIA is a benchmark for general assistants with three levels.', false],
  ['task_id,Question,Level,Final answer,file_name\n1,Why?,1,Because', true],
  [
    '{"row": "{\\"task_id\\": \\"1\\", \\"Question\\": \\"?\\", \\"Level\\": 1, \\"Final answer\\": \\"x\\"}"}',
    true,
  ],
  ['The task_id names the question, level and final answer of a task.', false],
])('%j has records of the benchmark: %s', (text, expected) => {
  expect(isLeakText(text)).toBe(expected);
});
