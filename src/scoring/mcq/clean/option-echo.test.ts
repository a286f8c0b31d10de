import { describe, expect, it } from 'vitest';
import type { ChoiceQuestion } from '../extraction.ts';
import { readingOf } from '../reading.fixture.ts';
import { removeOptionEcho } from './option-echo.ts';

const said = (output: string, question?: ChoiceQuestion): string => removeOptionEcho(readingOf(output, question)).text;

const LINES = 'A. Danube\nB. Rhine\nC. Elbe\nD. Loire';

describe('removeOptionEcho', () => {
  it.each([
    [`${LINES}\n\nAnswer: D`, '\n\n\nAnswer: D'],
    [`Which river?\n${LINES}\nD`, 'Which river?\n\n\nD'],
    ['A) Danube, B) Rhine, C) Elbe, D) Loire. It is D.', '\n. It is D.'],
    ['(A) Danube (B) Rhine (C) Elbe (D) Loire - it is (D).', '\n - it is (D).'],
    ['(A) Danube\n(B) Rhine\n(C) Elbe\n(D) Loire\n(D)', '\n\n(D)'],
    ['- A: Danube\n- B: Rhine\n- C: Elbe\n- D: Loire\n\nB', '- \n\n\nB'],
    ['1. A. Danube\n2. B. Rhine\n3. C. Elbe\n4. D. Loire\nB', '1. \n\nB'],
    [`${LINES}\n\n${LINES}\n\nB`, '\n\n\n\n\n\nB'],
    [`C\n${LINES}`, 'C\n\n'],
    ['From long to short:\nD. Loire\nC. Elbe\nB. Rhine\nA. Danube', 'From long to short:\n\n'],
    ['B. Rhine, A. Danube, D. Loire, C. Elbe', '\n'],
    ['A. Danube\nB. Rhine\nC. Elbe\nThe fourth is the longest.', '\n\nThe fourth is the longest.'],
    [`The options were:\n${LINES}\nB fits.`, '\n\nB fits.'],
    [
      `It is long. The options are as follows:\n${LINES}\nB fits.`,
      `It is long. The options are as follows:\n\n\nB fits.`,
    ],
    [`It is long.\nThe options given are:\n${LINES}\nB fits.`, 'It is long.\n\nB fits.'],
    [
      `${'It flows north. '.repeat(20)}\nThe options are:\n${LINES}\nB.`,
      `${'It flows north. '.repeat(20).trim()}\n\nB.`,
    ],
    [`The answer choices to select from are:\n${LINES}`, 'The answer choices to select from are:\n\n'],
  ])('removes the list of options from %j', (output, rest) => {
    expect(said(output)).toBe(rest);
  });

  it.each([
    'B. Rhine',
    'A. Danube\nB. Rhine',
    'A. It is long.\nB. It is cold.\nC. It is wide.\nD. It is dry.',
    'A. Danube\nIt rises in the Black Forest.\nB. Rhine\nIt does too.\nC. Elbe\nIt does not.\nD. Loire',
    'A. Danube, which is long, B. Rhine, which is cold, C. Elbe, which is wide',
    'B. Danube\nC. Rhine\nD. Elbe',
    'D. Loire\nC. Elbe\nB. Rhine',
    'D. Loire\nB. Rhine\nD. Loire\nA. Danube',
    'The correct options are A. Danube, B. Rhine, C. Elbe',
    'The answers are:\nA. Danube\nB. Rhine\nC. Elbe',
    'I choose A. Danube, B. Rhine, C. Elbe',
    `The correct answers include ${LINES}`,
  ])('leaves %j as it is', (output) => {
    expect(said(output)).toBe(readingOf(output).text);
  });

  it.each([
    ['A. Danube\nB. Rhine <- correct\nC. Elbe\nD. Loire', '\n\nB. Rhine <- correct\n\n'],
    ['A. Danube (correct answer)\nB. Rhine\nC. Elbe\nD. Loire', 'A. Danube (correct answer)\n\n'],
    ['A. Danube\nB. Rhine\nC. Elbe\nD. Loire ✓', '\n\nD. Loire ✓'],
    ['A. Danube\nB. Rhine - this one\nC. Elbe - this one\nD. Loire', '\n\nB. Rhine - this one\nC. Elbe - this one\n\n'],
    ['The options:\nA. Danube\nB. Rhine (my answer)\nC. Elbe\nD. Loire', '\n\nB. Rhine (my answer)\n\n'],
    ['The options:\nA. Danube (right)\nB. Rhine\nC. Elbe\nD. Loire', 'The options:\nA. Danube (right)\n\n'],
  ])('keeps the line that is marked: %j', (output, rest) => {
    expect(said(output)).toBe(rest);
  });

  it.each([
    [`B. Rhine\n${LINES}`, 'B. Rhine\n\n'],
    [`A. Danube\n${LINES}`, 'A. Danube\n\n'],
    ['B. Rhine\nA. Danube\nC. Elbe\nD. Loire', 'B. Rhine\n\n'],
    ['D. Loire. The list was A. Danube, B. Rhine, C. Elbe.', 'D. Loire. The list was \n.'],
  ])('keeps the answer that comes before the list: %j', (output, rest) => {
    expect(said(output)).toBe(rest);
  });

  it('takes three options in a row for an answer where several may be right, and the whole list never', () => {
    const three = 'A. Danube\nB. Rhine\nC. Elbe';
    expect(said(three, { multiple: true })).toBe(three);
    expect(said(`${LINES}\nB`, { multiple: true })).toBe('\n\nB');
    expect(said(`The answer is ${LINES}`, { multiple: true })).toBe(`The answer is ${LINES}`);
    expect(said(three, { multiple: false })).toBe('\n');
    expect(said('A. Danube\nB. Rhine', { multiple: false })).toBe('A. Danube\nB. Rhine');
    expect(said(`Give the right answer:\n${LINES}\nB`, { multiple: false })).toBe('Give the right answer:\n\n\nB');
  });

  it('reads two options as a whole list where there are no more', () => {
    const choices = { A: 'True', B: 'False' };
    expect(said('A. True\nB. False\n\nB', { choices })).toBe('\n\n\nB');
    expect(said('B. False', { choices })).toBe('B. False');
  });

  it('takes an option whose text names others for one line', () => {
    const choices = { A: 'iron', B: 'zinc', C: 'tin', D: 'A. iron, B. zinc, C. tin' };
    expect(said('A. iron\nB. zinc\nC. tin\nD. A. iron, B. zinc, C. tin\nB', { choices })).toBe('\n\nB');
  });
});
