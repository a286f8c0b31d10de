import { describe, expect, it } from 'vitest';
import type { Claim } from './claims/claim.ts';
import { clean } from './clean/clean.ts';
import { track } from './clean/tracked-text.ts';
import { decide, isCutOff } from './decide.ts';
import { toKnownQuestion, toReading } from './reading.ts';

const rivers = { A: 'Danube', B: 'Rhine', C: 'Elbe' };
const numbers = { A: '1', B: '2', C: '3' };
const digits = { '1': 'Danube', '2': 'Rhine', '3': 'Elbe' };

function read(text: string, choices: Readonly<Record<string, string>>, multiple?: boolean) {
  return toReading(toKnownQuestion({ choices, multiple }), track(text), clean(track(text)));
}

function claimOf(...labels: readonly string[]): Claim {
  return { value: { kind: 'labels', labels }, start: 0, end: 1, by: 'label' };
}

describe('decide', () => {
  const claims = () => [claimOf('B')];
  it.each([
    ['The Rhine passes Cologne', rivers, true],
    ['Here is why:', rivers, true],
    ['It is B.\nNote: the others do not pass it', rivers, true],
    ['It is B.\n#B and the other tags', rivers, true],
    ['It is B.\nSee page 2 # 3 of it', rivers, true],
    [`It is B.\n${'x'.repeat(61)}:`, rivers, true],
    ['It is B.\n\nExplanation:\n', rivers, false],
    ['It is B.\n\n**Explanation:**', rivers, false],
    ['It is B.\n\n# Explanation', rivers, false],
    ['It is B.\n\n  ### Explanation\n', rivers, false],
    ['I see:\n1. It is long\n2.', rivers, false],
    ['I see:\n1) It is long\n 12)  \n', rivers, false],
    ['The number is\n2.', digits, true],
    ['The number is\n2.', numbers, true],
    ['1. It is long\n2.', numbers, false],
    ['I see:\n1) It is long\n2)', numbers, false],
    ['3. It is long\n2.', numbers, true],
  ])('does not guess where the next part was begun: %j', (text, choices, guesses) => {
    const reading = read(text, choices);
    expect(decide(reading, [{ name: 'weak', weak: true, claims }])).toEqual(
      guesses ? { claim: claimOf('B'), step: 'weak' } : null,
    );
    expect(decide(reading, [{ name: 'firm', claims }])?.step).toBe('firm');
  });

  it('takes the last claim, or the last of one option where one is right', () => {
    const steps = [{ name: 'firm', claims: () => [claimOf('A'), claimOf('B'), claimOf('A', 'C')] }];
    expect(decide(read('.', rivers), steps)?.claim).toEqual(claimOf('A', 'C'));
    expect(decide(read('.', rivers, true), steps)?.claim).toEqual(claimOf('A', 'C'));
    expect(decide(read('.', rivers, false), steps)?.claim).toEqual(claimOf('B'));
  });
});

describe('isCutOff', () => {
  it.each([
    ['It is B, because', true],
    ['It is B, since the Rhine passes Cologne', false],
    ['47 + 6 =', true],
    ['47 + 6 = 50+', true],
    ['Vitamin C+', false],
    ['f(x) = 3 (', true],
    ['It passes Cologne (see page', true],
    ['It passes Cologne (see page 3)', false],
    ['I choose (B', false],
    ['It passes Cologne (or so\nOption B is it', false],
    ['It is 6 since x = 5 holds', false],
    ['It passes Cologne (\nOption B', false],
    ['x'.repeat(240), false],
    ['x'.repeat(241), true],
    [`${'It is long. '.repeat(20)}It is B`, true],
    [`${'It is long. '.repeat(20)}It is B.\n`, false],
  ])('%j: %s', (text, cut) => {
    expect(isCutOff(text)).toBe(cut);
  });
});
