import { describe, expect, it } from 'vitest';
import type { ChoiceQuestion } from '../extraction.ts';
import { readingOf } from '../reading.fixture.ts';
import { confirmedClaims } from './confirmed.ts';

/** Every claim with its labels or its kind, and "firm" where it is said to be the answer. */
function confirmed(output: string, question?: ChoiceQuestion): readonly string[] {
  return confirmedClaims(readingOf(output, question)).map(({ value, firm }) => {
    const told = 'labels' in value ? value.labels.join(value.kind === 'hedge' ? ' or ' : ',') : value.kind;
    return firm ? `${told} firm` : told;
  });
}

describe('confirmedClaims', () => {
  it.each([
    ['B is the correct answer.', 'B firm'],
    ['Option B seems to be the right one.', 'B firm'],
    ['B, as far as I see, fits; B wins the best match.', 'B firm'],
    ['The clue makes (B) the right answer.', 'B firm'],
    ['So is B the right answer.', 'B firm'],
    ['B is the best option when the tide is low.', 'B firm'],
    ['B is the right answer, as the only wrong one goes north.', 'B firm'],
    ['C it is.', 'C firm'],
    ['B is correct.', 'B'],
    ['B is correct, but it is long.', 'B'],
    ['B (correct) is long.', 'B'],
    ['B是正确的。', 'B'],
    ['D is the only wrong option.', 'D'],
    ['A and C are correct.', 'A,C firm'],
    ['A and C are true.', 'A,C'],
    ['A and C are valid.', 'A,C'],
    ['A and C are accurate.', 'A,C'],
    ['A and C are the correct statements.', 'A,C'],
    ['A and C are right in fact; both are the right facts.', 'A,C firm'],
    ['A is correct. So is D.', 'A,D firm'],
    ['A is correct, and so is option D.', 'A,D firm'],
    ['A is correct as are C and D.', 'A,C,D firm'],
    ['A is correct. So is C or D.', 'A'],
    ['A or B is the correct answer.', 'A or B firm'],
    ['A or B is the correct answer. So is D.', 'A or B firm'],
    ['If it rained long ago, B is correct. It would rain again.', 'B'],
    ['It was D before. The hint about Cologne makes B the right answer.', 'B firm'],
  ])('reads %j as %j', (output, claim) => {
    expect(confirmed(output)).toEqual([claim]);
  });

  it.each([
    'B is not correct.',
    "B isn't correct.",
    'B is the second best answer.',
    'B is nearly right.',
    'B não é correta.',
    'B is correct if it rains.',
    'B is correct only if it rains.',
    'B is correct when the tide is low.',
    'B is correct but D is longer.',
    'B is correct about the length.',
    'Is it so that B is correct?',
    'If it rained, B would be correct.',
    'Nobody thinks that B is correct.',
    'We gave B the answer yesterday.',
    'He called B the right answer.',
    'A, B, C or D is correct.',
    'One of A, B, C or D is correct.',
    'I think that either option A or option B is the right one.',
    'B is long.',
  ])('reads nothing from %j', (output) => {
    expect(confirmed(output)).toEqual([]);
  });

  it('reads one label of "so is" where one option is right', () => {
    expect(confirmed('A is correct. So is D.', { multiple: false })).toEqual(['A']);
  });

  it.each([
    ['Looked at all.\n✓ B passes Cologne\n✗ A is short', ['B']],
    ['Looked at all.\n✓B passes Cologne', ['B']],
    ['Looked at all.\n✓ ("Option B" passes Cologne)', ['B']],
    ['A ✓ B passes Cologne', ['A']],
    ['✓ A, B, C or D', []],
  ])('reads the ticks of %j', (output, claims) => {
    expect(confirmed(output)).toEqual(claims);
  });
});
