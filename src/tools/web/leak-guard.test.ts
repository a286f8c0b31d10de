import { expect, test } from 'vitest';
import { isLeakAddress, isLeakText } from './leak-guard.ts';

test.each([
  ['https://huggingface.co/datasets/gaia-benchmark/GAIA', true],
  ['https://huggingface.co/spaces/gaia-benchmark/leaderboard', true],
  ['https://datasets-server.huggingface.co/rows?dataset=gaia-benchmark%2FGAIA&config=2023_all', true],
  ['https://datasets-server.huggingface.co/rows?dataset=somebody%252FGAIA', true],
  ['https://hf.co/datasets/somebody/my_GAIA_copy/raw/main/x.txt', true],
  ['https://hf-mirror.com/datasets/x/gaia', true],
  ['https://somebody-gaia-agent.hf.space/', true],
  ['https://raw.githubusercontent.com/x/y/main/gaia/2023/validation/metadata.jsonl', true],
  ['https://example.org/data/gaia_validation.jsonl', true],
  ['https://example.org/?u=https%3A%2F%2Fhuggingface.co%2Fdatasets%2Fgaia-benchmark', true],
  ['https://huggingface.co/docs/transformers', false],
  ['https://en.wikipedia.org/wiki/Gaia', false],
  ['https://gea.esac.esa.int/archive/documentation/GDR3/Gaia_archive/', false],
  ['https://example.org/gaiam/validation.csv', false],
  ['https://nothuggingface.co/gaia', false],
  ['https://example.org/%E0%A4%A', false],
])('%s is a copy of the benchmark: %s', (address, expected) => {
  expect(isLeakAddress(new URL(address))).toBe(expected);
});

test.each([
  ['| task_id | Question | Level | Final answer | file_name | Annotator Metadata |', true],
  ['{"task_id": "1", "Question": "?", "Level": 1, "Final answer": "x"}', true],
  ["{'task_id': '1', 'question': '?', 'level': 1, 'true_answer': 'x'}", true],
  ['GAIA is a benchmark for general assistants with three levels.', false],
  ['{"task_id": 3, "question": "?", "level": "easy"}', false],
  ['The final answer is 7.', false],
])('%j holds records of the benchmark: %s', (text, expected) => {
  expect(isLeakText(text)).toBe(expected);
});
