import { describe, expect, it } from 'vitest';
import { track } from './tracked-text.ts';
import { firstTurn } from './turns.ts';

describe('firstTurn', () => {
  it.each([
    ['B<|im_end|>\n<|im_start|>user\nWhy?', 'B', 0],
    ['<s> [INST] A or B? [/INST] B</s>', ' B', 26],
    ['[INST] A or B? [/INST] B', ' B', 22],
  ])('leaves the model its own turn, which knows where it stood: %j', (output, kept, place) => {
    const turn = firstTurn(track(output));
    expect(turn.text).toBe(kept);
    expect(turn.origins?.[0]).toBe(place);
  });

  it('leaves an output with one turn as it is', () => {
    const source = track('The answer is B.');
    expect(firstTurn(source)).toBe(source);
  });
});
