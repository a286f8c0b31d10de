import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followPage } from '../docs/follow-page.ts';
import { copyProject } from '../e2e/copy-project.ts';
import { ROOT, readRows } from '../e2e/run-vitest.ts';

const SUITES = 'examples/suites';

test('the example suites are what their pages say', async () => {
  const project = copyProject();
  cpSync(join(ROOT, SUITES), join(project, SUITES), { recursive: true });
  const pages = ['', 'aime/', 'simpleqa/', 'mmlu-pro/', 'gpqa/', 'ifeval/'].map(
    (folder) => `${folder}README.md`,
  );
  const texts = pages.map((page) => readFileSync(join(ROOT, SUITES, page), 'utf8'));
  // All tables are of one run, so they come before what each figures.ts prints of it.
  const parts = texts.flatMap((text) => text.split(/^(?=```sh run\npnpm exec)/m));
  const ordered = parts.toSorted(
    (a, b) => Number(a.startsWith('```')) - Number(b.startsWith('```')),
  );
  const { runs, untrue } = await followPage(ordered.join('\n'), project);
  expect(untrue).toEqual([]);
  expect(runs).toBe(3);
  const wrong = readRows(join(project, '.evals/latest')).filter(({ state }) => state !== 'correct');
  expect(
    wrong
      .map(
        ({ suite, id, state, explanation }) =>
          `${suite} ${id}: ${state}, ${explanation?.replace(/^module:\S+:/, 'JUDGE:')}`,
      )
      .toSorted(),
  ).toEqual([
    'aime 2031-I-4: incorrect, compared as number: "81" is not equal to "90"',
    'aime 2031-II-2: no_answer, no answer was found in the output',
    'aime 2031-II-4: incorrect, compared as number: "232" is not equal to "220"',
    'gpqa rec4: incorrect, not equal to the expected answer',
    'gpqa rec5: no_answer, no answer was found in the output',
    'ifeval 11: incorrect, breaks combination:repeat_prompt',
    'ifeval 13: incorrect, breaks keywords:frequency',
    'ifeval 18: incorrect, breaks startend:end_checker',
    'ifeval 20: no_answer, no answer was found in the output',
    'ifeval 3: incorrect, breaks keywords:forbidden_words',
    'ifeval 8: incorrect, breaks change_case:english_lowercase',
    'mmlu-pro 5: incorrect, not equal to the expected answer',
    'mmlu-pro 6: no_answer, no answer was found in the output',
    'simpleqa 3: incorrect, JUDGE: fail (It does not have the words of the reference.)',
    'simpleqa 4: no_answer, it is no attempt',
    'simpleqa 7: no_answer, it is no attempt',
    'simpleqa 8: incorrect, JUDGE: fail (It does not have the words of the reference.)',
  ]);
});
