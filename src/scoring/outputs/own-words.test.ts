import { describe, expect, it } from 'vitest';
import { ownWords } from './own-words.ts';

describe('ownWords', () => {
  it.each([
    ['42', '42'],
    ['42<|im_end|>\n<|im_start|>user\n41', '42'],
    ['[INST] 41? [/INST] 42', ' 42'],
    ['<|channel|>analysis<|message|>41?<|end|><|start|>assistant<|channel|>final<|message|>42', '42'],
    ['<|channel|>final<|message|>42<|return|><|channel|>final<|message|>41', '42'],
  ])('are those of the first turn, in the final channel: %j', (output, own) => {
    expect(ownWords(output)).toBe(own);
  });
});
