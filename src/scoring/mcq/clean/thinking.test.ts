import { describe, expect, it } from 'vitest';
import { removeThinking } from './thinking.ts';
import { track } from './tracked-text.ts';

describe('removeThinking', () => {
  it.each([
    ['B', 'B', false],
    ['<think>A?</think>B', 'B', false],
    ['<THINK>A?</Think>B', 'B', false],
    ['[think]A?[/think]B', 'B', false],
    ['◁think▷A?◁/think▷B', 'B', false],
    ['<seed:think>A?</seed:think>B', 'B', false],
    ['Well. <thinking>A?</thinking>B <analysis>C?</analysis>D', 'Well. B D', false],
    ['<think>A? <think>C?</think>B', 'B', false],
    ['A? </think>B', 'B', false],
    ['<think>A?</think>C? </think>B', 'B', false],
    ['Well. <think>B', 'Well. ', true],
    ['<think>A?</think>C <think>B', 'C ', true],
    ['<thinker>A?</thinker>B', '<thinker>A?</thinker>B', false],
    ['<|channel|>analysis<|message|>A?<|end|><|channel|>final<|message|>B', 'B', false],
    ['A? <|channel|> final json<|message|>B', 'B', false],
    ['<|channel|>final<|message|>A<|channel|>final<|message|>B', 'B', false],
    ['<|channel|>final\n<|message|>B', '<|channel|>final\n<|message|>B', false],
  ])('leaves of %j only %j', (text, said, unfinished) => {
    const found = removeThinking(track(text));
    expect(found.said.text).toBe(said);
    expect(found.unfinished).toBe(unfinished);
  });
});
