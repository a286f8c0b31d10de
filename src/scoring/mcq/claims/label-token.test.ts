import { describe, expect, it } from 'vitest';
import type { ChoiceQuestion } from '../extraction.ts';
import { readingOf } from '../reading.fixture.ts';
import { labelTokenAt } from './label-token.ts';

/** A bar stands where the label is looked for. */
function tokenIn(marked: string, question?: ChoiceQuestion) {
  const at = marked.indexOf('|');
  const reading = readingOf(marked.replace('|', ''), question);
  const token = labelTokenAt(reading, at);
  return token === null ? null : { ...token, text: reading.text.slice(token.start, token.end) };
}

const numbered = Object.fromEntries(['iron', 'zinc', 'lead', 'tin', 'gold'].map((metal, i) => [`${i + 8}`, metal]));
const seats = { '1A': 'the aisle', '1B': 'the window' };
const roman = { I: 'lava', II: 'ash', III: 'pumice' };
const lower = { a: 'oak', b: 'ash', c: 'elm' };

describe('labelTokenAt', () => {
  it.each([
    ['see |B', 'B'],
    ['see |(B) here', '(B)'],
    ['see |( B ) here', '( B )'],
    ['see |[("B")], not C', '[("B")]'],
    ['|{B}', '{B}'],
    ['\\boxed{B}|', null],
    ['|<B>', '<B>'],
    ['see |B) here', 'B)'],
    ['(|B )', 'B'],
    ['see |(B here', '(B'],
    ['see |b)', 'b)'],
    ['see| B', null],
    ['see |E', null],
    ['see |(E)', null],
    ['see |((((B))))', null],
  ])('reads a label with its brackets: %s', (marked, text) => {
    expect(tokenIn(marked)?.text ?? null).toBe(text);
  });

  it.each([
    ['|(B)', true],
    ['|"B"', true],
    ['|(B', false],
    ['|B)', false],
    ['|B', false],
  ])('knows a label in brackets: %s', (marked, enclosed) => {
    expect(tokenIn(marked)?.enclosed).toBe(enclosed);
  });

  it('spells a label as the question does', () => {
    expect(tokenIn('see |(b)')?.label).toBe('B');
    expect(tokenIn('see |ib', { choices: { Ib: 'one', IB: 'two' } })).toBeNull();
  });

  it.each([
    ['vitamin-|B', null],
    ['X|B', null],
    ['5|B', null],
    ["d'|A", null],
    ['U.|A', null],
    ['x_|B', null],
    ['x^|B', null],
    ['@|B', null],
    ['x# |B', 'B'],
    ['#|B', null],
    ['1-|B', null],
    ['it is -|B', 'B'],
    ['. |B', 'B'],
    ["X' |B", 'B'],
    ['选项|B', 'B'],
    ['选项.|B', 'B'],
    ['オプション|B', 'B'],
    ['答え。|B', 'B'],
    ['정답은|B', 'B'],
    ['これが|B', 'B'],
    ['これX|B', null],
    ['В |B', 'B'],
    ['В|B', null],
  ])('reads no label inside a word, a formula or initials, but one beside a Chinese word: %s', (marked, text) => {
    expect(tokenIn(marked)?.text ?? null).toBe(text);
  });

  it.each([
    ["|B's", null],
    ['|B-cell', null],
    ['|B- or', 'B'],
    ['|B-5', 'B'],
    ['|B+', null],
    ['|B+ in maths', null],
    ['|B+C', 'B'],
    ['|B+Cl', null],
    ['|B+C5', null],
    ['|B+5', null],
    ['|B^2', null],
    ['|B°', null],
    ['|B%', null],
    ['|B/c', null],
    ['|B/C', 'B'],
    ['|B.C. is', null],
    ['|B.c.', 'B'],
    ['|B = 5', null],
    ['|B=5', null],
    ['|B => Rhine', 'B'],
    ['|B == yes', 'B'],
    ['|B(x)', null],
    ['|B(5)', null],
    ['|B(!)', 'B'],
    ['|B(第二)', 'B'],
    ['it is |B-', 'B'],
  ])('reads no label in a formula, a compound or a grade: %s', (marked, text) => {
    expect(tokenIn(marked)?.text ?? null).toBe(text);
  });

  it.each([
    ['|B-Rhine', 'B'],
    ['|B(Rhine)', 'B'],
    ['|B-Elbe', null],
    ['|B(Elbe)', null],
    ['|A Danube', 'A'],
    ['|a Danube', 'A'],
    ['|A/danube', null],
  ])('knows a label by its own text beside it: %s', (marked, label) => {
    expect(tokenIn(marked)?.label ?? null).toBe(label);
  });

  it.each([
    ['grew |B. subtilis in', null],
    ['grew |C. coli in', null],
    ['It is |C. Colibri', 'C'],
    ['It is |C. This', 'C'],
    ['It is |C. coliform', 'C'],
    ['is |C, coli', 'C'],
    ['is |C; see B. subtilis', 'C'],
  ])('reads no label in the name of a species: %s', (marked, label) => {
    expect(tokenIn(marked)?.label ?? null).toBe(label);
  });

  it('takes what looks like a species where it is the text of an option', () => {
    expect(tokenIn('|B. bacillus', { choices: { A: 'coccus', B: 'bacillus' } })?.label).toBe('B');
  });

  it.each([
    ['it is |8', '8'],
    ['it is |12', '12'],
    ['it is |(8)', '8'],
    ['costs $|8', null],
    ['costs €|8', null],
    ['at -|8 or', null],
    ['$5 - |8', '8'],
    ['it is |8.5', null],
    ['it is |8,5', null],
    ['at |8:15', null],
    ['it is |8/9', null],
    ['the |8-9 range', null],
    ['it is |8-fold', null],
    ['|8×8', null],
    ['|8 × 8', null],
    ['|8%', null],
    ['|8 %', null],
    ['|8 °C', null],
    ['|8, %', '8'],
    ['|8 - 9', '8'],
    ['|8 of them', null],
    ['|12 of them', null],
    ['|12 is', '12'],
    ['|8 5', null],
    ['at 5 |8', '8'],
  ])('reads no label in a number or a measure: %s', (marked, label) => {
    expect(tokenIn(marked, { choices: numbered })?.label ?? null).toBe(label);
  });

  it.each([
    ['a current of 5 |A', null],
    ['step 5, |A', 'A'],
    ['5x |A', 'A'],
  ])('reads no label in a unit: %s', (marked, label) => {
    expect(tokenIn(marked)?.label ?? null).toBe(label);
  });

  it.each([
    ['|A river', null],
    ['|A 5 km river', null],
    ['|A River', 'A'],
    ['|A, rivers', 'A'],
    ['|A is', 'A'],
    ['|A because', 'A'],
    ['|A and B', 'A'],
    ['|A or B', 'A'],
    ['|A incorrectly', 'A'],
    ['|A isle', null],
    ['|B river', 'B'],
    ['|b River', null],
    ['|b is', 'B'],
    ['|b', 'B'],
  ])('tells a label from an article: %s', (marked, label) => {
    expect(tokenIn(marked)?.label ?? null).toBe(label);
  });

  it.each([
    ['|I is', 'I'],
    ['|I describes', 'I'],
    ['|I would', null],
    ['|I looks', null],
    ['|i have', null],
    ['|I wash', null],
    ['|I and', 'I'],
    ['|I assumes', null],
    ['|II would', 'II'],
    ['|II melts', 'II'],
    ['|I describe', null],
  ])('tells a label from a pronoun: %s', (marked, label) => {
    expect(tokenIn(marked, { choices: roman })?.label ?? null).toBe(label);
  });

  it('takes longer labels for no words', () => {
    expect(tokenIn('|1A melts', { choices: seats })?.label).toBe('1A');
    expect(tokenIn('seat |1A × 2', { choices: seats })?.label).toBe('1A');
    expect(tokenIn('|ii melts', { choices: roman })?.label).toBe('II');
    expect(tokenIn('|A would', { choices: lower })?.label).toBe('a');
    expect(tokenIn('|a tree', { choices: lower })).toBeNull();
  });
});
