import { describe, expect, it } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { GRADER_VERSION } from '../store/manifest.ts';
import { writeQuestions } from '../store/question-log.ts';
import type { Sample, SampleResult } from '../types.ts';
import { readRun } from './read-run.ts';

const HEAD = { suite: 'mcq', group: 'all', input: 'Which river?', attachments: [], metadata: {} };
const QUESTION: Sample = { ...HEAD, id: 'q1', target: 'B', choices: { A: 'Danube', B: 'Rhine', C: 'Elbe' } };
/** The same question with the Rhine shown as option C. */
const SHUFFLED: Sample = {
  ...QUESTION,
  target: 'C',
  choices: { A: 'Elbe', B: 'Danube', C: 'Rhine' },
  presentation: { seed: 7, ownLabels: { A: 'C', B: 'A', C: 'B' } },
};
type Facts = { readonly output?: string; readonly how?: string } & Pick<SampleResult, 'partial' | 'presented'>;

/** A run with a row as an older version left it: it had read another option. */
function read(
  { output = 'The only remaining option is B.', how = 'pointer', ...facts }: Facts,
  sample: Sample,
  grader?: number,
) {
  const head = { suite: 'mcq', id: 'q1', target: 'B', options: 3, partial: { option_f1: 0 }, ...facts };
  const folder = makeRun(
    [
      {
        ...toResult('incorrect', head),
        state: 'incorrect',
        reason: null,
        rules: null,
        error: null,
        output,
        answer: 'A',
        how,
      },
    ],
    grader === undefined ? {} : { suite: { grader } },
  );
  writeQuestions(folder, 'mcq', [sample]);
  return readRun(folder).sides[0];
}

describe('gradeAgain', () => {
  it('gives rows of an older version the verdicts of today', () => {
    const side = read({}, QUESTION);
    expect(side?.regraded).toBe(1);
    expect(side?.results[0]).toMatchObject({
      state: 'correct',
      answer: 'B',
      how: 'statement',
      partial: { option_f1: 1 },
    });
  });

  it('names options by their own labels where they were shown in another order', () => {
    const presented = { seed: 7, target: [3], answer: null };
    const side = read({ presented, output: 'The only remaining option is C.' }, SHUFFLED);
    expect(side?.results[0]).toMatchObject({ state: 'correct', answer: 'B', presented: { ...presented, answer: [3] } });
  });

  it.each([
    ['of this version', {}, GRADER_VERSION],
    ['of a suite with a rule of its own', { partial: { points: 0 } }, undefined],
  ])('leaves rows %s as they are', (_, facts, grader) => {
    const side = read(facts, QUESTION, grader);
    expect(side?.regraded).toBeUndefined();
    expect(side?.results[0]?.how).toBe('pointer');
  });

  it('takes a bare answer as it was given', () => {
    expect(read({ how: 'as given', output: 'The answer is B.' }, QUESTION)?.results[0]?.state).toBe('no_answer');
  });
});
