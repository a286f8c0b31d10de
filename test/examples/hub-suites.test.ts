import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { findInteger } from '../../examples/suites/aime/find-integer.ts';
import { findLetter as findGpqa } from '../../examples/suites/gpqa/find-letter.ts';
import { findLetter as findMmluPro } from '../../examples/suites/mmlu-pro/find-letter.ts';
import { findDev, loadFiveShots } from '../../examples/suites/mmlu-pro/five-shots.ts';
import { loadMcq } from '../../src/data/load.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { startFakeHub } from '../hub/fake-hub.ts';
import { makeFolder } from '../make-folder.ts';

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

describe("MMLU-Pro's five shots", () => {
  const made = (name: string) => readFileSync(join(SUITES, 'mmlu-pro', name), 'utf8');
  const QUESTIONS = made('made-up.jsonl');
  const DEV = made('made-up-dev.jsonl');

  async function load(dev = DEV, questions = QUESTIONS) {
    const files = {
      'README.md': '# Made up',
      'data/test-00000-of-00001.parquet': toParquet(questions),
      'data/validation-00000-of-00001.parquet': toParquet(dev),
    };
    const hub = await startFakeHub({ name: 'TIGER-Lab/MMLU-Pro', files, token: 'hf_0123456789' });
    const source = `hf:TIGER-Lab/MMLU-Pro@${hub.commit}`;
    return loadFiveShots(source, findDev(source), { hub: hub.settings() });
  }

  test('come from the dev split of the same revision, each with its thoughts, and stand before the question', async () => {
    const { samples, notes } = await load();
    expect(samples.map(({ input }) => String(input).match(/^Question: /gm)?.length)).toEqual(
      Array(6).fill(6),
    );
    const [lamp, , subsets] = samples.map(({ input }) => String(input));
    expect(lamp).toMatch(
      /^Question: A heater of 2 kW runs for 3 hours\. How much energy does it use\?\nOptions:\nA\. 0\.67 kWh\n(?:[B-J]\. .+\n){9}Answer: Energy is power times time: 2 kW times 3 h is 6 kWh\. The answer is \(G\)\.\n\nQuestion: A train/,
    );
    expect(
      lamp?.endsWith(
        '\n\nQuestion: A lamp of 60 W burns for 5 hours. How much energy does it use?',
      ),
    ).toBe(true);
    expect(subsets).not.toContain('A heater');
    expect(notes.at(-1)?.text).toMatch(
      /^5 solved questions .+ from hf:TIGER-Lab\/MMLU-Pro@\w+:validation /,
    );
    // Expected answers are those of the questions.
    expect(samples.map(({ target }) => target).join('')).toBe('HEICFE');
  });

  test.each([
    [
      'has too few of a subject',
      DEV.split('\n').slice(0, 14).join('\n'),
      QUESTIONS,
      /has 4 solved questions about business beside 5,/,
    ],
    ['is what is asked', DEV, DEV, /has 4 solved questions about physics beside 101,/],
  ])('are refused where the dev split %s', async (_, dev, questions, refusal) => {
    await expect(load(dev, questions)).rejects.toThrow(refusal);
  });

  test('are of the revision, or of the folder, that EVAL_MCQ names', () => {
    expect(findDev('hf:o/n')).toBe('hf:o/n:validation');
    expect(findDev('hf:o/n@abc:data/test*')).toBe('hf:o/n@abc:validation');
    const data = makeFolder({ 'validation-00000-of-00001.parquet': '' });
    const dev = join(data, 'validation-00000-of-00001.parquet');
    expect(findDev(data)).toBe(dev);
    expect(findDev(join(data, 'test-00000-of-00001.parquet'))).toBe(dev);
    expect(() => findDev('other/questions.jsonl')).toThrow(
      /^The five shots are of the dev split, and other has no validation-\S+\. Put it there, or/,
    );
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
