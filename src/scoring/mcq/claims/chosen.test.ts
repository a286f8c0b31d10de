import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { chosenClaims } from './chosen.ts';

const chosen = (output: string): readonly string[] =>
  chosenClaims(readingOf(output)).map(({ value }) => ('labels' in value ? value.labels.join() : value.kind));

describe('chosenClaims', () => {
  it.each([
    'I choose B.',
    'I would go with B.',
    'I am not sure, but I choose B.',
    'It is not so easy, yet I choose B.',
    "I can't see it all, so I pick B.",
    'To my mind one should pick B.',
    'I have to choose B.',
    'I will have to choose B.',
    'Well, I want to pick B.',
    "I'd like to go with B.",
    'So we need to select B.',
    'Thus to pick B is right.',
    'Please note that I choose B.',
    'They are long, and I choose B.',
    'I choose the Rhine.',
    '故选B。',
    '请看，故选B。',
  ])('reads %j', (output) => {
    expect(chosen(output)).toEqual(['B']);
  });

  it.each([
    'I do not choose B.',
    'I would not really choose B.',
    "I wouldn't choose B.",
    "I wouldn't simply choose B.",
    'I never pick B.',
    'Nunca elijo la opción B.',
    'They choose B.',
    'I know that they pick B.',
    'He who picks B is wrong.',
    'Please choose B.',
    'Please just choose B.',
    'To choose B is bold.',
    'I came to see that it is bold to choose B.',
    'It would be bold of them to choose B.',
    'I saw how easy it was for all of them to choose B.',
    'Wien to pick B!',
    '不应该选择B。',
    '不选择B。',
    '请选择B。',
    'I choose to wait.',
    'I choose B is wrong.',
    'Nobody says that I choose B.',
  ])('reads nothing from %j', (output) => {
    expect(chosen(output)).toEqual([]);
  });

  it('reads every choice', () => {
    expect(chosen('I pick A. Then I pick B.')).toEqual(['A', 'B']);
  });
});
