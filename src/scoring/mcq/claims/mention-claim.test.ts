import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { mentionClaim } from './mention-claim.ts';
import { mentionsOf } from './mentions.ts';

describe('mentionClaim', () => {
  it.each([
    ['It is B and C.', 'labels', 'BC'],
    ['It is B or C.', 'hedge', 'BC'],
    ['It is B: Danube.', 'mismatch', 'B'],
    ['It is A, B or C.', undefined, undefined],
    ['It is A, B, C or D.', undefined, undefined],
  ])('says what a mention claims: %s', (output, kind, labels) => {
    const reading = readingOf(output);
    const [mention] = mentionsOf(reading);
    const claim = mention === undefined ? null : mentionClaim(mention);
    expect(claim?.value.kind).toBe(kind);
    expect(claim !== null && 'labels' in claim.value ? claim.value.labels.join('') : undefined).toBe(labels);
  });
});
