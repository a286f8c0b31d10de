import { describe, expect, test } from 'vitest';
import { messageOf } from '../../test/message-of.ts';
import { gradeGaia } from '../scoring/gaia/grade-gaia.ts';
import { matchers } from './index.ts';

expect.extend(matchers);

describe('toMatchGaiaAnswer', () => {
  test('passes for the right answer, however it is wrapped', () => {
    expect('I counted them.\n**FINAL ANSWER: 1,927**').toMatchGaiaAnswer('1927');
  });

  test('fails for another answer and says why', () => {
    expect(
      messageOf(() => expect('It was early.\nFINAL ANSWER: 1928').toMatchGaiaAnswer('1927')),
    ).toMatchInlineSnapshot(`
      "expect(output).toMatchGaiaAnswer(target)

      Expected: "1927"
      Received: "1928"

      Answer:   "1928" (final answer marker)
      Rule:     official, compared as number: 1928 is not 1927
      Output:   "It was early.\\nFINAL ANSWER: 1928""
    `);
  });

  test('fails for an output without an answer', () => {
    expect(messageOf(() => expect('').toMatchGaiaAnswer('1927'))).toContain(
      'Received: no answer\n\nAnswer:   none found',
    );
  });

  test('escapes and cuts what it shows', () => {
    const message = messageOf(() =>
      expect(`FINAL ANSWER: a\u202eb${'x'.repeat(9000)}`).toMatchGaiaAnswer('c\u009bd'),
    );
    expect(message).not.toMatch(/[\u202e\u009b]/);
    expect(message).toMatch(/Expected: "c\\u009bd"/);
    expect(message.length).toBeLessThan(2500);
  });

  test('applies a looser rule by name', () => {
    expect('FINAL ANSWER: 17 apples').toMatchGaiaAnswer('17', { rule: 'contains' });
    expect('FINAL ANSWER: 17 apples').not.toMatchGaiaAnswer('17');
  });

  test('accepts any of several answers', () => {
    const options = { rule: 'any-of', accept: ['NYC'] };
    expect('FINAL ANSWER: nyc').toMatchGaiaAnswer('New York', options);
    expect('FINAL ANSWER: New York').toMatchGaiaAnswer('New York', options);
    expect(
      messageOf(() => expect('FINAL ANSWER: Boston').toMatchGaiaAnswer('New York', options)),
    ).toContain('any-of, any of 2 accepted answers, compared as text: "boston" is not "newyork"');
  });

  test('accepts a grade that was made before', () => {
    const grade = gradeGaia('FINAL ANSWER: 18', '17');
    expect(
      messageOf(() => expect('FINAL ANSWER: 18').toMatchGaiaAnswer('17', { grade })),
    ).toContain('18 is not 17');
    expect('FINAL ANSWER: 18').toMatchGaiaAnswer('17', { grade: { ...grade, correct: true } });
  });

  test.each([null, undefined, 17, ['17']])('refuses %j, under .not too', (received) => {
    const usage =
      /^toMatchGaiaAnswer needs the agent's output as a string, got \w+\. Pass the text itself/;
    expect(() => expect(received).toMatchGaiaAnswer('17')).toThrow(usage);
    expect(() => expect(received).not.toMatchGaiaAnswer('17')).toThrow(usage);
  });
});

describe('toMatchNumber', () => {
  test('passes for the number in another form, within a tolerance and with its unit', () => {
    expect('So \\boxed{073}.').toMatchNumber('73');
    expect('So \\boxed{073}.').toMatchNumber(73);
    expect('FINAL ANSWER: 73').toMatchGaiaAnswer(73);
    expect('FINAL ANSWER: 1,234.5 km').toMatchNumber('1234', { absolute: 0.5, unit: 'km' });
  });

  test('fails for another number and says why', () => {
    const message = messageOf(() => expect('FINAL ANSWER: 74').toMatchNumber('73'));
    expect(message).toMatch(/^expect\(output\)\.toMatchNumber\(target\)\n/);
    expect(message).toContain('number, compared as number: "74" is not equal to "73"\n');
  });
});

const choices = { A: 'Copper', B: 'Iron', C: 'Helium', D: 'Gold' };

describe('toMatchMcqAnswer', () => {
  test('passes for the right options in any order and any layout', () => {
    expect('{"answer": "C", "confidence": "high"}').toMatchMcqAnswer('C', { choices });
    expect('The correct options are D and A.').toMatchMcqAnswer('A,D', { choices, multiple: true });
  });

  test('fails for another option and says why', () => {
    const message = messageOf(() => expect('The answer is B.').toMatchMcqAnswer('C', { choices }));
    expect(message).toMatch(/^expect\(output\)\.toMatchMcqAnswer\(target\)\n/);
    expect(message).toContain('set match, expected C (Helium), got B (Iron): missing C; wrong B\n');
  });

  test.each([
    ['{"answer": "B", "confidence": "high"}', '"B" (JSON answer), confidence "high"'],
    [
      'I cannot help with that.\n{"answer": null, "confidence": "low"}',
      'none found, confidence "low"',
    ],
  ])('shows the confidence that %s states', (output, shown) => {
    expect(messageOf(() => expect(output).toMatchMcqAnswer('C', { choices }))).toContain(
      `Answer:   ${shown}\n`,
    );
  });

  test('refuses a target that is not an option', () => {
    expect(() => expect('C').toMatchMcqAnswer('Z', { choices })).toThrow(/"Z"/);
  });
});

describe('toMatchMath', () => {
  test('fails for another value and says why', async () => {
    await expect(expect('So \\boxed{8}.').toMatchMath('7')).rejects.toThrow(
      'compared as mathematics: "8" is not equal to "7"',
    );
  });

  test('refuses what is not a string', () => {
    expect(() => void expect(5).toMatchMath('5')).toThrow(/^toMatchMath needs .+ got number/);
  });
});

test('a list of expected answers accepts any one of them, and is shown where none matches', async () => {
  const choices = { A: 'x', B: 'y', C: 'z' };
  expect('FINAL ANSWER: NYC').toMatchGaiaAnswer(['New York', 'NYC']);
  expect('FINAL ANSWER: 5').toMatchNumber([4, 5]);
  expect('C').toMatchMcqAnswer(['A', 'C'], { choices });
  await expect('\\boxed{1/2}').toMatchMath(['2', '0.5', '7']);
  expect(messageOf(() => expect('Rome').toMatchGaiaAnswer(['New York', 'NYC']))).toContain(
    'Expected: "any of: New York | NYC"',
  );
  expect(messageOf(() => expect('B').toMatchMcqAnswer(['A', 'C'], { choices }))).toContain(
    'none of 2 accepted answers matches',
  );
});
