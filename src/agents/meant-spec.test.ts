import { describe, expect, test } from 'vitest';
import { suggestSpec } from './meant-spec.ts';
import './kinds.ts';

describe('suggestSpec', () => {
  test.each([
    ['gpt-5', 'openai:gpt-5'],
    ['gpt-4o-mini', 'openai:gpt-4o-mini'],
    ['gpt4', 'openai:gpt4'],
    ['o3', 'openai:o3'],
    ['o4-mini', 'openai:o4-mini'],
    ['chatgpt-4o-latest', 'openai:chatgpt-4o-latest'],
    ['ft:gpt-4o:mine:x:1', 'openai:ft:gpt-4o:mine:x:1'],
    ['gpt-5?reasoning_effort=low', 'openai:gpt-5?reasoning_effort=low'],
    ['openai/gpt-5', 'openai:gpt-5'],
    ['OpenAI:gpt-5', 'openai:gpt-5'],
    ['claude-sonnet-4-5', 'anthropic:claude-sonnet-4-5'],
    ['anthropic/claude-opus-4.1', 'anthropic:claude-opus-4.1'],
    ['claude:claude-opus-4-1', 'anthropic:claude-opus-4-1'],
    ['gemini-2.5-pro', 'ai:google/gemini-2.5-pro'],
    ['google/gemini-2.5-pro', 'ai:google/gemini-2.5-pro'],
    ['google:gemini-2.5-pro', 'ai:google/gemini-2.5-pro'],
    ['grok-4', 'ai:xai/grok-4'],
    ['x-ai/grok-4', 'ai:xai/grok-4'],
    ['deepseek-chat', 'ai:deepseek/deepseek-chat'],
    ['mistral-large-latest', 'ai:mistral/mistral-large-latest'],
    ['codestral-latest', 'ai:mistral/codestral-latest'],
    ['command-r-plus', 'ai:cohere/command-r-plus'],
    ['./agent.ts', 'module:./agent.ts'],
    ['agents/mine.mjs', 'module:agents/mine.mjs'],
    ['agent.py', 'command:python agent.py'],
    ['gpt-5,claude-sonnet-4-5', 'openai:gpt-5,anthropic:claude-sonnet-4-5'],
    ['replay, gpt-5', 'replay,openai:gpt-5'],
  ])('says for %s to write %s', (text, spec) => {
    expect(suggestSpec(text)).toBe(` Write ${spec}.`);
  });

  test.each([
    ['llama3', 'openai-chat:llama3'],
    ['llama3:8b', 'openai-chat:llama3:8b'],
    ['mistral:7b', 'openai-chat:mistral:7b'],
    ['ollama/llama3', 'openai-chat:llama3'],
    ['ollama:qwen3:4b', 'openai-chat:qwen3:4b'],
    ['deepseek-r1:14b', 'openai-chat:deepseek-r1:14b'],
    ['gpt-oss-120b', 'openai-chat:gpt-oss-120b'],
    ['openai/gpt-oss-120b', 'openai-chat:openai/gpt-oss-120b'],
    ['meta-llama/Llama-3.3-70B', 'openai-chat:meta-llama/Llama-3.3-70B'],
    ['our-tuned-7b', 'openai-chat:our-tuned-7b'],
  ])('leaves the server of %s to the user', (text, spec) => {
    expect(suggestSpec(text)).toBe(
      ` Write ${spec}, and set OPENAI_BASE_URL to the server that has it.`,
    );
  });

  test.each([
    ['opnai:gpt-5', ' Did you mean openai?'],
    ['comand:x', ' Did you mean command?'],
    ['replay,modul:x', ' Did you mean module?'],
  ])('names the kind that %s misspells', (text, hint) => {
    expect(suggestSpec(text)).toBe(hint);
  });

  test.each(['', 'mine', 'mine:x', 'gpt-5,mine', 'sk-abcdefgh1234567890abcdef', 'a b', 'replay'])(
    'says nothing of %j',
    (text) => {
      expect(suggestSpec(text)).toBe('');
    },
  );
});
