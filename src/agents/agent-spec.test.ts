import { expect, test } from 'vitest';
import { parseAgentSpecs } from './agent-spec.ts';

test.each([
  ['replay', [{ kind: 'replay', target: '', text: 'replay' }]],
  ['replay:a.jsonl', [{ kind: 'replay', target: 'a.jsonl', text: 'replay:a.jsonl' }]],
  [
    'replay:a.jsonl, replay:b.jsonl',
    [
      { kind: 'replay', target: 'a.jsonl', text: 'replay:a.jsonl' },
      { kind: 'replay', target: 'b.jsonl', text: 'replay:b.jsonl' },
    ],
  ],
  ['replay:a,b.jsonl', [{ kind: 'replay', target: 'a,b.jsonl', text: 'replay:a,b.jsonl' }]],
  ['replay:a,replays', [{ kind: 'replay', target: 'a,replays', text: 'replay:a,replays' }]],
  ['replay:what?.jsonl', [{ kind: 'replay', target: 'what?.jsonl', text: 'replay:what?.jsonl' }]],
  ['openai:m', [{ kind: 'openai', target: 'm', text: 'openai:m' }]],
  [
    'openai-chat:llama3:8b?temperature=0&base_url=http%3A%2F%2F127.0.0.1/v1?x,anthropic:c?temperature=0&temperature=1',
    [
      {
        kind: 'openai-chat',
        target: 'llama3:8b',
        text: 'openai-chat:llama3:8b?temperature=0&base_url=http%3A%2F%2F127.0.0.1/v1?x',
        params: [
          ['temperature', '0'],
          ['base_url', 'http://127.0.0.1/v1?x'],
        ],
      },
      {
        kind: 'anthropic',
        target: 'c',
        text: 'anthropic:c?temperature=0&temperature=1',
        params: [
          ['temperature', '0'],
          ['temperature', '1'],
        ],
      },
    ],
  ],
  ['module:./agent.ts?x', [{ kind: 'module', target: './agent.ts?x', text: 'module:./agent.ts?x' }]],
  [
    'command:sh -c "a, b" | c?d=1,replay',
    [
      { kind: 'command', target: 'sh -c "a, b" | c?d=1', text: 'command:sh -c "a, b" | c?d=1' },
      { kind: 'replay', target: '', text: 'replay' },
    ],
  ],
  ['gpt-5', null],
  ['', null],
])('parses %j', (value, expected) => {
  expect(parseAgentSpecs(value)).toEqual(expected);
});
