import { expect, test } from 'vitest';
import { findAskedModel } from './asked-model.ts';

test.each([
  ['openai:gpt-5', 'gpt-5', true],
  ['openai:gpt-5?effort=low', 'gpt-5-2025-08-07', true],
  ['openai-chat:meta/llama-3', 'meta/llama-3:free', true],
  ['anthropic:claude-x', 'claude-x-latest', true],
  ['module:./agents/gpt-5.mjs', 'gpt-5', true],
  ['openai:gpt-5', 'gpt-5 says: what is a1?', false],
  ['openai:gpt-5', 'gpt-5-what is a1?', false],
  ['openai:gpt-5', 'another', false],
  ['openai:', 'What', false],
  ['module:./agent.mjs', 'What is a1?', false],
  ['module:./agent.mjs', 'Paris', false],
])('%s asked for %s: %j', (agent, model, isAsked) => {
  expect(findAskedModel({ agent, model })).toBe(isAsked ? model : null);
});

test('no model is none', () => {
  expect(findAskedModel({ agent: 'openai:gpt-5', model: null })).toBe(null);
});
