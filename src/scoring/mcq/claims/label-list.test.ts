import { describe, expect, it } from 'vitest';
import type { ChoiceQuestion } from '../extraction.ts';
import { readingOf } from '../reading.fixture.ts';
import { labelListAt } from './label-list.ts';

const one = {};
const several = { multiple: true };
const single = { multiple: false };
const letters = { choices: {} };
const lettersSeveral = { choices: {}, multiple: true };
const groups = { choices: { A: 'none', B: 'one', AB: 'both', O: 'neither' }, multiple: true };
const currents = { choices: { A: 'DC', B: 'AC', C: 'AC and DC', D: 'AB blood' } };
const tens = { choices: { '10': 'x', '11': 'y' } };
const symbols = { choices: { A: 'K', B: 'Na', C: 'C', D: 'B' } };

/** The list that stands from the bar on: its labels, whether it is hedged or mismatched, and its text. */
function listIn(marked: string, question: ChoiceQuestion = one, subject = false): string | null {
  const at = marked.indexOf('|');
  const reading = readingOf(marked.replace('|', ''), question);
  const list = labelListAt(reading, at, subject);
  if (list === null) return null;
  const { labels, hedged } = list;
  return `${labels.join(' ')}${hedged ? ' hedged' : ''}${list.mismatch ? ' mismatched' : ''}: ${reading.text.slice(list.start, list.end)}`;
}

describe('labelListAt', () => {
  it.each([
    ['|A, B and D.', 'A B D: A, B and D'],
    ['|(A), (B)', 'A B: (A), (B)'],
    ['|A & B', 'A B: A & B'],
    ['|A as well as option B', 'A B: A as well as option B'],
    ['|A. Danube and D. Loire', 'A D: A. Danube and D. Loire'],
    ['|A (Danube) and D (Loire).', 'A D: A (Danube) and D (Loire)'],
    ['|Danube (A), Elbe(C).', 'A C: Danube (A), Elbe(C)'],
    ['|Danube (C)', null],
    ['|Danube A', null],
    ['(A) |Danube flows', null],
    ['|(B. "Rhine"), (C. "Elbe")', 'B C: (B. "Rhine"), (C. "Elbe")'],
    ['|Danube', null],
    ['|A, A', 'A: A, A'],
    ['|A, x', 'A: A'],
    ['|x', null],
  ])('reads labels in a row: %s', (marked, list) => {
    expect(listIn(marked)).toBe(list);
  });

  it.each([
    ['|A or C', one, 'A C hedged: A or C'],
    ['|A / C', one, 'A C hedged: A / C'],
    ['|A / C', several, 'A C: A / C'],
    ['|A/C', several, 'A C: A/C'],
    ['|A or C/D', several, 'A C D hedged: A or C/D'],
    ['|A and C, or none', one, 'A C: A and C'],
    ['|C (or C)', one, 'C: C'],
    ['|C or (C)', one, 'C: C or (C)'],
  ])('knows a hedge: %s', (marked, question, list) => {
    expect(listIn(marked, question)).toBe(list);
  });

  it.each([
    ['|A\nC', several, 'A C: A\nC'],
    ['|A\n\nC', several, 'A C: A\n\nC'],
    ['|A;\nC.', several, 'A C: A;\nC'],
    ['|A\n- C\n- D', several, 'A C D: A\n- C\n- D'],
    ['|A\n•C', several, 'A C: A\n•C'],
    ['|A\n10. C', several, 'A C: A\n10. C'],
    ['|A\n2) C', several, 'A C: A\n2) C'],
    ['|A\nx) C', several, 'A: A'],
    ['|A\n2, C', several, 'A: A'],
    ['|A. Danube\nC. Elbe', several, 'A C: A. Danube\nC. Elbe'],
    ['|A. Danube\nC', several, 'A: A. Danube'],
    ['|A\nC. Elbe', several, 'A: A'],
    ['|A\nC is next', several, 'A: A'],
    ['|A is it.\nC', several, 'A: A'],
    ['|A\nC . \nD', several, 'A C D: A\nC .\nD'],
  ])('reads labels line by line: %j', (marked, question, list) => {
    expect(listIn(marked, question)).toBe(list);
  });

  it.each([
    ['|A C D', several, 'A C D: A C D'],
    ['|A C D.\nThese', several, 'A C D: A C D'],
    ['|A C flow', several, 'A: A'],
    ['|A C D', one, 'A: A'],
    ['|A:C', several, 'A: A'],
    ['|(A)(C)[D]', one, 'A C D: (A)(C)[D]'],
    ['|[A] [C] fit', one, 'A C: [A] [C]'],
    ['|(A) (C is', one, 'A: (A)'],
    ['|A (C)', one, 'A: A'],
    ['|(A)  (x)', one, 'A: (A)'],
    ['|(A) C', one, 'A: (A)'],
    ['|(10)(11)', tens, '10 11: (10)(11)'],
  ])('reads labels with nothing between: %j', (marked, question, list) => {
    expect(listIn(marked, question)).toBe(list);
  });

  it.each([
    ['|B: Danube', 'B mismatched: B'],
    ['|B Danube', 'B mismatched: B'],
    ['|B)Danube', 'B mismatched: B)'],
    ['|B "Danube"', 'B mismatched: B'],
    ['|B (Danube), I think', 'B mismatched: B'],
    ['|B - Danube - as', 'B mismatched: B'],
    ['|B - Danube + A', 'B mismatched: B'],
    ['|B: Danube and so', 'B mismatched: B'],
    ['|B: Danube was', 'B: B'],
    ['|B. Danube', 'B mismatched: B'],
    ['|B. Danube.\n', 'B mismatched: B'],
    ['|B. Danube\nIt is', 'B mismatched: B'],
    ['|B. Danube. It is', 'B mismatched: B'],
    ['|B. "Danube" !', 'B mismatched: B'],
    ['|B. Danube because it', 'B mismatched: B'],
    ['|B. Danube, since it', 'B mismatched: B'],
    ['|B. Danube sincerely', 'B: B'],
    ['|B. Danube and Elbe', 'B: B'],
    ['|B. Danube.com', 'B: B'],
    ['|B, Danube, Elbe', 'B: B'],
    ['|B\nDanube.', 'B mismatched: B'],
    ['|B\nDanube\n', 'B mismatched: B'],
    ['|B\n"Danube".', 'B mismatched: B'],
    ['|B\nDanube, Elbe', 'B: B'],
    ['|B\nDanube. It is', 'B: B'],
    ['|B: Rhine', 'B: B: Rhine'],
    ['|B: "(Rhine)"', 'B: B'],
    ['|B ("Rhine") is', 'B: B'],
    ['|B [Rhine]', 'B: B'],
    ['|B) "Rhine", as', 'B: B) "Rhine"'],
    ['|B–Rhine', 'B: B-Rhine'],
    ['|B x Rhine', 'B: B'],
  ])('compares a label with the text after it: %j', (marked, list) => {
    expect(listIn(marked)).toBe(list);
  });

  it('takes a label in a list for a label, whatever the options say', () => {
    expect(listIn('|A, B', symbols)).toBe('A B: A, B');
    expect(listIn('|A, Na', symbols)).toBe('A mismatched: A');
  });

  it.each([
    ['|C, and D is wrong', 'C: C'],
    ['|A and D, and B  is wrong', 'A D: A and D'],
    ['|C, and D was', 'C: C'],
    ['|C, and D\nhas', 'C: C'],
    ['|C, and D isn’t', 'C: C'],
    ['|C, y D es incorrecta', 'C: C'],
    ['|C, and D does not fit', 'C: C'],
    ['|C, and D, is simply wrong', 'C: C'],
    ['|C, and D island', 'C D: C, and D'],
    ['|C, A and D are wrong', 'C: C'],
    ['|C, A and D are all simply wrong', 'C: C'],
    ['|C, A and D are right', 'C A D: C, A and D'],
    ['|C, A and D too', 'C A D: C, A and D'],
    ['|C; A and D lie apart', 'C: C'],
    ['|C; A; D lies apart', 'C A: C; A'],
    ['|C; A and D because they fit', 'C A D: C; A and D'],
    ['|C; A and D becalm', 'C: C'],
    ['|C; A and D', 'C A D: C; A and D'],
    ['|C; A and D; they lie', 'C A D: C; A and D'],
    ['|C, A and D lie apart', 'C A D: C, A and D'],
    ['Right; |C, A and D lie apart', 'C A D: C, A and D'],
    ['|C, as A and D are short', 'C: C'],
    ['|C and the A', 'C A: C and the A'],
    ['|C is wrong', 'C: C'],
    ['|C are wrong', 'C: C'],
  ])('leaves the subject of the next clause: %j', (marked, list) => {
    expect(listIn(marked)).toBe(list);
  });

  it('keeps the subject of its own clause', () => {
    expect(listIn('|C and D are wrong', one, true)).toBe('C D: C and D');
  });

  it.each([
    ['|AD', one, 'A D: AD'],
    ['|(AD)', one, 'A D: (AD)'],
    ['|"AD".', one, 'A D: "AD"'],
    ['|AD\nIt', one, 'A D: AD'],
    ['|AD because', one, 'A D: AD'],
    ['|AD since', one, 'A D: AD'],
    ['|AD becausex', one, null],
    ['|AD converter', one, null],
    ['|AD Danube', one, 'A D: AD'],
    ['|AD-B', one, null],
    ['|AD-5', one, 'A D: AD'],
    ["|AD's", one, null],
    ['|AD+x', one, null],
    ['|ADx', one, null],
    ['|AD5', one, null],
    ['x|AD', one, null],
    ['5|AD', one, null],
    ['-|AD', one, null],
    ['选|AD', one, 'A D: AD'],
    ['|AE', one, null],
    ['|DA', one, null],
    ['|AA', one, null],
    ['|DA', several, 'D A: DA'],
    ['|AA', several, null],
    ['|AE', several, null],
    ['|AD', single, null],
    ['|A', several, 'A: A'],
    ['|AB', groups, 'AB: AB'],
    ['|(AB)', groups, 'AB: (AB)'],
    ['|BO', groups, 'B O: BO'],
    ['|AC', currents, null],
    ['|(AC)', currents, null],
    ['|AB', currents, 'A B: AB'],
    ['|BDF', letters, 'B D F: BDF'],
    ['|FH', letters, null],
    ['|AG', letters, null],
    ['|FAB', letters, null],
    ['|FAB', lettersSeveral, 'F A B: FAB'],
    ['|NOT', lettersSeveral, null],
  ])('reads capitals in a row: %s', (marked, question, list) => {
    expect(listIn(marked, question)).toBe(list);
  });

  it('reads a range where several may be right, and no more labels than are honest', () => {
    expect(listIn('|A-C', several)).toBe('A B C: A-C');
    const reading = readingOf('A, '.repeat(150));
    expect(labelListAt(reading, 0)?.tokens).toHaveLength(100);
  });

  it.each(['A-C', 'AC'])('knows no single labels in %s', (text) => {
    expect(labelListAt(readingOf(text, several), 0)?.tokens).toEqual([]);
  });
});
