import { describe, expect, test } from 'vitest';
import { messageOf } from '../../test/message-of.ts';
import { parseAgentSpecs } from '../agents/agent-spec.ts';
import { readConfig } from '../config.ts';

describe('the name of an agent', () => {
  test.each([
    ['openai:m?base_url=http://me:pw@host/v1', 'openai:m?base_url=http://[key]@host/v1'],
    ['openai:m?base_url=http%3A%2F%2Fme%3Apw%40host', 'openai:m?base_url=http://[key]@host'],
    ['openai:m?temperature=0&api_key=abc', 'openai:m?temperature=0&api_key=[key]'],
    ['command:OPENAI_API_KEY=abcdefgh1 python3 a.py', 'command:OPENAI_API_KEY=[key] python3 a.py'],
    ['command:curl https://me:pw@host/x', 'command:curl https://[key]@host/x'],
    ['openai:gpt-4o?temperature=0', 'openai:gpt-4o?temperature=0'],
    ['openai:m?base_url=http%3A%2F%2Fhost', 'openai:m?base_url=http%3A%2F%2Fhost'],
  ])('for %s is %s', (written, shown) => {
    expect(parseAgentSpecs(written)).toMatchObject([{ text: shown }]);
  });

  test('hides nothing from the agent itself', () => {
    const [model, command] = parseAgentSpecs('openai:m?base_url=http://me:pw@host,command:KEY=abcdefgh1 a') ?? [];
    expect(model?.params).toEqual([['base_url', 'http://me:pw@host']]);
    expect(command?.target).toBe('KEY=abcdefgh1 a');
  });
});

test.each([
  ['a value that is refused', { EVAL_AGENT: 'gpt:http://me:p4ssphrase@host' }],
  ['a setting that is none', { EVAL_API_KEY: 'p4ssphrase' }],
])('a credential in %s is not shown', (_, env) => {
  const message = messageOf(() => readConfig(env));
  expect(message).toContain('[key]');
  expect(message).not.toContain('p4ssphrase');
});
