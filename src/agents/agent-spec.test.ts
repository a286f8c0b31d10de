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
  ['gpt-5', null],
  ['', null],
])('parses %j', (value, expected) => {
  expect(parseAgentSpecs(value)).toEqual(expected);
});
