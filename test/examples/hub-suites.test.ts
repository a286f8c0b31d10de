import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { findInteger } from '../../examples/suites/aime/find-integer.ts';
import { findLetter as findGpqa } from '../../examples/suites/gpqa/find-letter.ts';
import { findLetter as findMmluPro } from '../../examples/suites/mmlu-pro/find-letter.ts';
import { loadMcq } from '../../src/data/load.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { startFakeHub } from '../hub/fake-hub.ts';

const SUITES = join(ROOT, 'examples/suites');

describe("MMLU-Pro's grader", () => {
  test.each([
    ['The answer is (C).', 'C'],
    ['the answer is D', 'D'],
    ['The answer is (A). No, the answer is (B).', 'A'],
    ['Answer: B\nFinally, the answer is (G)', 'G'],
    ['Answer: A or answer: F\nAnswer: C', 'F'],
    ['A is too small, so B', 'B'],
    ['The answer is (K).', null],
    ['ÀB', null],
    ['', null],
  ])('finds in %j the letter %j', (output, letter) => {
    expect(findMmluPro(output).answer).toBe(letter);
  });
});

describe("AIME's grader", () => {
  test.each([
    ['\\boxed{073}', '073', 'boxed'],
    ['It was \\boxed{81}, so 90 is wrong.', '81', 'boxed'],
    ['\\boxed{1/2} of 2', '1/2', 'boxed'],
    ['The answer is $m+n=73$.', '73', 'answer statement'],
    ['FINAL ANSWER: 220 ways', '220', 'final answer marker'],
    ['The answer is 41 (since 40+1).', '41', 'answer statement'],
    ['The final answer is 41, not 40.', '41', 'answer statement'],
    ['Answer: 3 and 5, so 8', '8', 'last integer'],
    ['There are 3.5 times 4 of 1/2, 1,000.5', '4', 'last integer'],
    ['-5', '-5', 'last integer'],
    ['', null, 'none'],
  ])('finds in %j the number %j by %s', (output, answer, how) => {
    expect(findInteger(output)).toMatchObject({ answer, how });
  });
});

describe("GPQA's grader", () => {
  test.each([
    ['The correct answer is (B)', 'B'],
    ['(A) is wrong. The correct answer is (D).', 'D'],
    ['My answer (A) is final, answer: (B)', 'B'],
    ['I choose (C).', 'C'],
    ['The answer is (x), not (A)', null],
    ['Option (A) is too small. The correct answer is **(C)**', 'C'],
    ['Option (A) is too small. So $\\boxed{C}$.', 'C'],
    ['Option (A) is too small. So \\boxed{\\text{(C)}}.', 'C'],
    ['The answer is a large one', null],
    ['\\boxed{20}', null],
  ])('finds in %j the letter %j', (output, letter) => {
    expect(findGpqa(output).answer).toBe(letter);
  });
});

test.each([
  ['TIGER-Lab/MMLU-Pro', '', 'mmlu-pro/made-up.jsonl', 'data/test-00000-of-00001.parquet'],
  ['Idavidrein/gpqa', ':gpqa_diamond.csv', 'gpqa/made-up.csv', 'gpqa_diamond.csv'],
])(
  'the samples of %s%s have the layout of its files on the Hub',
  async (name, file, sample, path) => {
    const local = readFileSync(join(SUITES, sample), 'utf8');
    const content = path.endsWith('.parquet') ? toParquet(local) : local;
    const others = {
      'README.md': '# Made up',
      'gpqa_main.csv': 'x',
      'data/validation-00000-of-00001.parquet': 'x',
    };
    const hub = await startFakeHub({
      name,
      files: { ...others, [path]: content },
      token: 'hf_0123456789',
    });
    const loaded = await loadMcq({ path: `hf:${name}${file}`, hub: hub.settings() });
    const { samples } = await loadMcq({ path: join(SUITES, sample) });
    expect(loaded.samples).toEqual(samples);
    expect(loaded.samples.every(({ target }) => target !== null)).toBe(true);
  },
);

function toParquet(lines: string): Uint8Array {
  const records = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const columnData = Object.keys(records[0]).map((name) => ({
    name,
    data: records.map((record) => record[name]),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
