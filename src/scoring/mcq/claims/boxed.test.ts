import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { boxedClaims } from './boxed.ts';

describe('boxedClaims', () => {
  it.each([
    ['Thus \\boxed{C} follows, not D.', ['C']],
    ['Thus [[C]] follows, not D.', ['C']],
    ['Thus <<C>> follows, not D.', ['C']],
    ['First \\boxed{\\text{B}}, and then \\boxed{Elbe}.', ['B', 'C']],
    ['Thus \\boxed{42} and not D.', []],
    ['Thus [C] and not D.', []],
  ])('reads boxes and double brackets: %s', (output, labels) => {
    const values = boxedClaims(readingOf(output)).map(({ value }) => value);
    expect(values).toEqual(labels.map((label) => ({ kind: 'labels', labels: [label] })));
  });
});
