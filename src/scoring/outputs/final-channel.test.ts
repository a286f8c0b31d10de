import { describe, expect, it } from 'vitest';
import { finalChannelStart } from './final-channel.ts';

describe('finalChannelStart', () => {
  it.each([
    ['<|channel|>analysis<|message|>A?<|end|><|start|>assistant<|channel|>final<|message|>B', 'B'],
    ['<|channel|>final<|message|>A<|channel|>final<|message|>B', 'B'],
    ['<|channel|> \nfinal <|constrain|>json<|message|>B', 'B'],
    [
      `<|channel|>final<|constrain|>${'x'.repeat(41)}<|message|>B`,
      `<|channel|>final<|constrain|>${'x'.repeat(41)}<|message|>B`,
    ],
    ['<|channel|>\n\nfinal json<|message|>B', 'B'],
    ['<|channel|>analysis<|message|>B', '<|channel|>analysis<|message|>B'],
    [`<|channel|>final${' '.repeat(40)}<|message|>B`, 'B'],
    [`<|channel|>final${' '.repeat(41)}<|message|>B`, `<|channel|>final${' '.repeat(41)}<|message|>B`],
    ['B', 'B'],
  ])('begins behind the marks of the last final channel: %j', (output, said) => {
    expect(output.slice(finalChannelStart(output))).toBe(said);
  });
});
