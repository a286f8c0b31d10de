import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { concludedClaims } from './concluded.ts';

const concluded = (output: string): readonly string[] =>
  concludedClaims(readingOf(output)).map(({ value }) => ('labels' in value ? value.labels.join() : value.kind));

describe('concludedClaims', () => {
  it.each([
    'Thus B.',
    'Thus, B.',
    'Hence: B',
    "So it's B, I think.",
    'It must be B because of Cologne.',
    'This leaves B; the others are short.',
    'So (B) flows north.',
    'So option B flows north.',
    'Option C goes east. So option B flows north.',
    'Only B passes Cologne.',
    'Only B can be it.',
    'Only B has the length.',
    'We know it all: it must be B.',
  ])('reads %j', (output) => {
    expect(concluded(output)).toEqual(['B']);
  });

  it.each([
    'So B flows north.',
    'So B flows north of (A) and (C).',
    'Only B if it rains.',
    'Only B when it rains.',
    'Not only this: so B passes Cologne.',
    'If it is B, we see it soon.',
    'Unless it is B, we are lost.',
    'Thus the Rhine.',
    'Thus none of the above.',
    'So it is B that is wrong.',
    'Nobody thinks it is B.',
    'No one has a doubt so far. It is B, is it?',
    'I am not convinced that is B.',
  ])('reads nothing from %j', (output) => {
    expect(concluded(output)).toEqual([]);
  });
});
