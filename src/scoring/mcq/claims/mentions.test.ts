import { describe, expect, it } from 'vitest';
import type { ChoiceQuestion } from '../extraction.ts';
import { readingOf } from '../reading.fixture.ts';
import { mentionsOf } from './mentions.ts';

/** The mentions of an output: its text, "option" included, "marked" and "leads" where it is. */
function mentionsIn(output: string, question: ChoiceQuestion = {}): readonly string[] {
  const reading = readingOf(output, question);
  return mentionsOf(reading).map(({ from, end, marked, leadsLine }) =>
    [reading.text.slice(from, end), marked ? 'marked' : '', leadsLine ? 'leads' : ''].filter(Boolean).join(' '),
  );
}

describe('mentionsOf', () => {
  it.each([
    ['It is B, as C and D are short.', ['B', 'C and D']],
    ['It is (B).', ['(B) marked']],
    ['It is {B}.', ['{B} marked']],
    ["It is 'B'.", ["'B' marked"]],
    ['It is "B".', ['"B" marked']],
    ['It is (B', ['(B']],
    ['It is option B.', ['option B marked']],
    ['It is answer "B".', ['answer "B" marked']],
    ['It is choice (B).', ['choice (B) marked']],
    ['It is no. B, not casino. C.', ['no. B marked', 'C']],
    ['It is b) or c', ['b) or c']],
    ['It is b), c', ['b), c']],
    ['It is c', []],
    ['It is (b) or option c.', ['(b) or option c marked']],
    ['It is (b). Not option c.', ['(b) marked', 'option c marked']],
    ['It is (B), C and not x.', ['(B), C marked']],
    ['It is B, (C) and not x.', ['B, (C) marked']],
    ['Here P(B) is 0.3, f[C] is 2, 3"D" and x_"A".', []],
    ['So "A" "B".', ['"A" marked', '"B" marked']],
    ['See B-cells and C.', ['C']],
    ['', []],
  ])('finds labels and how they are written: %j', (output, mentions) => {
    expect(mentionsIn(output)).toEqual(mentions);
  });

  it('finds longer labels in lower case where a bracket follows', () => {
    const choices = { I: 'lava', II: 'ash', III: 'pumice' };
    expect(mentionsIn('It is ii) or iii', { choices })).toEqual(['ii) or iii']);
  });

  it.each([
    ['B it is', true],
    ['So:\nB it is', true],
    ['So:\n- B it is', true],
    ['So:\n• (B) it is', true],
    ['So:\n12. B it is', true],
    ['So:\n3) "B" it is', true],
    ['So:\n- [x] B it is', true],
    ['So:\n☑ B it is', true],
    ['So:\n✗ B it is', true],
    ['So:\nOption B it is', true],
    ['So:\n1: B it is', false],
    ['So:\nx. B it is', false],
    ['So B it is', false],
    ['[?] B it is', false],
    ['The river that passes Cologne must be the B of these', false],
    [`${'It is long. '.repeat(4)}B`, false],
    [`${'It is long. '.repeat(4)}\n- B`, true],
  ])('knows which leads its line: %j', (output, leads) => {
    const [mention] = mentionsOf(readingOf(output));
    expect(mention?.leadsLine).toBe(leads);
  });

  it.each([
    ['A and B are wrong.', 'A and B'],
    ['"A and B are wrong."', '"A and B'],
    ['It fits. "A and B are wrong."', '"A and B'],
    ['It is C; A and B are wrong.', 'A and B'],
    ['It is C, but A and B are wrong.', 'A and B'],
    ['It is C while A and B are wrong.', 'A and B'],
    ['Es ist C, während A and B are wrong.', 'A and B'],
    ['It is C, A and B are wrong.', 'C'],
    ['It is (C; x) A and B are wrong.', 'A'],
    ['I had doubts, but now I know it is A and B are wrong.', 'A'],
    ['Say but, then A and B are wrong.', 'A'],
    ['Make a rebut A and B are wrong.', 'A'],
    ['It is butA and B are wrong.', 'B'],
    ['True: A and B are wrong.', 'A'],
  ])('keeps a list whole at the start of a clause: %j', (output, list) => {
    expect(mentionsIn(output).map((each) => each.replace(/ (?:marked|leads)/gu, ''))).toContain(list);
  });

  it('reads the first hundred places and the last three hundred', () => {
    const texts = Array.from({ length: 450 }, (_, i) =>
      i === 99 || i === 150 ? '(C)' : i === 100 || i === 149 ? '(D)' : 'B',
    );
    const read = mentionsOf(readingOf(texts.join(' is. '))).map(({ labels }) => labels.join());
    expect(read).toHaveLength(400);
    expect(read.filter((label) => label !== 'B')).toEqual(['C', 'C']);
    expect(mentionsOf(readingOf('B is. '.repeat(50)))).toHaveLength(50);
    expect(mentionsOf(readingOf('B is. '.repeat(250)))).toHaveLength(250);
  });
});
