import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { GRADER_VERSION } from '../store/manifest.ts';
import { toQuestionFile, writeQuestions } from '../store/question-log.ts';
import type { Sample, SampleResult } from '../types.ts';
import { compareRuns } from './compare-runs.ts';
import { checkBaseline, readRun, toProvidedBaseline } from './read-run.ts';

const HEAD = { suite: 'mcq', group: 'all', input: 'Which river?', attachments: [], metadata: {} };
const QUESTION: Sample = { ...HEAD, id: 'q1', target: 'B', choices: { A: 'Danube', B: 'Rhine', C: 'Elbe' } };
/** The same question with the Rhine shown as option C. */
const SHUFFLED: Sample = {
  ...QUESTION,
  target: 'C',
  choices: { A: 'Elbe', B: 'Danube', C: 'Rhine' },
  presentation: { seed: 7, ownLabels: { A: 'C', B: 'A', C: 'B' } },
};
type Facts = { readonly output?: string; readonly how?: string } & Partial<
  Pick<SampleResult, 'target' | 'options' | 'partial' | 'presented'>
>;

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

/** A run of an older version with the questions q1, q2 and so on, all of them right, and a log of these questions. */
function makeOld(questions: number, log: readonly Sample[], name = 'old') {
  const rows = Array.from({ length: questions }, (_, i) => {
    const head = { suite: 'mcq', id: `q${i + 1}`, target: 'B', options: 3, partial: { option_f1: 1 } };
    return toResult('correct', head);
  });
  const folder = makeRun(rows, { name });
  writeQuestions(folder, 'mcq', log);
  return folder;
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

  const UNKNOWN = 'its questions-mcq.json does not tell how its questions were shown.';
  it.each([
    ['T', 'F', UNKNOWN],
    ['i', 'ii', UNKNOWN],
    ['A', 'B', 'correct'],
    ['0', '1', 'correct'],
  ])('grades the shuffled options %s and %s again only where it can tell their order', (first, second, expected) => {
    const presentation = { seed: 1, ownLabels: { [first]: second, [second]: first } };
    const sample = { ...QUESTION, choices: { [first]: 'no', [second]: 'yes' }, target: first, presentation };
    const presented = { seed: 1, target: [1], answer: [1] };
    const side = read({ target: second, options: 2, presented, output: `{"answer": "${first}"}` }, sample);
    expect(side?.refused ?? side?.results[0]?.state).toContain(expected);
  });

  it('refuses a run without a readable question', () => {
    const folder = makeOld(2, []);
    const other = readRun(makeOld(2, [QUESTION, { ...QUESTION, id: 'q2' }], 'other'));
    const why =
      'mcq, replay is not compared: old was graded by an older version and cannot be graded again, because its ' +
      'questions-mcq.json is missing or unreadable. Run it again, or name another run.';
    const expected = { suites: [], not_compared: [why] };
    expect(compareRuns(readRun(folder), other)).toMatchObject(expected);
    writeFileSync(toQuestionFile(folder, 'mcq'), '{"version":1,"questions":[{"id"');
    expect(compareRuns(readRun(folder), other)).toMatchObject(expected);
    expect(compareRuns(other, readRun(folder))).toMatchObject(expected);
    const check = () => checkBaseline(toProvidedBaseline(readRun(folder)), other.sides, { suites: 1 });
    expect(check).toThrow(`EVAL_BASELINE names "old" (A), with which this run (B) cannot be compared: ${why}`);
  });

  it('leaves out single questions that cannot be graded again', () => {
    const log = ['q1', 'q2', 'q3'].map((id) => ({ ...QUESTION, id }));
    const whole = readRun(makeOld(3, log, 'whole'));
    const [suite] = compareRuns(readRun(makeOld(3, [QUESTION])), whole).suites;
    expect(suite?.figures).toMatchObject({ questions: 1, unpaired: { only_a: [], only_b: [], unfinished: [] } });
    expect(suite?.notes[0]).toBe(
      '2 questions are not compared (graded by an older version, and the run does not tell how they were shown): q2, q3',
    );
  });

  it('takes a bare answer as it was given', () => {
    expect(read({ how: 'as given', output: 'The answer is B.' }, QUESTION)?.results[0]?.state).toBe('no_answer');
  });
});
