import { expect, test } from 'vitest';
import type { TraceStep } from './answer.ts';
import { describeHead, renderTurns, saidIn, toTurns } from './conversation.ts';
import { STEP } from './types.fixture.ts';

const usage = { input_tokens: 1200, output_tokens: 30, cached_tokens: 0, reasoning_tokens: 0 };
const call = { name: 'calculate', arguments: '{"code":"6*7"}', result: '= 42', failed: false };

test('a trace is a conversation: what was sent, replies, calls, results and the output', () => {
  const sent = {
    messages: [
      { role: 'system' as const, text: 'Be brief.' },
      { role: 'user' as const, text: '6 * 7?', files: [{ name: 'a.csv', bytes: 9 }] },
    ],
    tools: ['calculate', 'fetch_page'],
  };
  const steps = [
    {
      ...STEP,
      text: 'I count.',
      tool_calls: [{ ...call, at_ms: 2340 }],
      usage,
      at_ms: 1200,
      cost_usd: 0.01234,
    },
  ];
  expect(renderTurns(toTurns({ sent, steps }, 'It is 42.\u001b'))).toBe(`--- system
Be brief.

--- user
6 * 7?
File: a.csv, 9 bytes
Tools: calculate, fetch_page

--- model (at 1.2 s, 1200 tokens in, 30 out, $0.012)
I count.

--- model calls calculate
{"code":"6*7"}

--- calculate (at 2.3 s)
= 42

--- model
It is 42.\\u001b
`);
});

test.each<[string, Partial<TraceStep>, readonly string[]]>([
  ['thoughts', { reasoning: 'hm' }, ['model thinks: hm']],
  [
    'a failed call',
    { tool_calls: [{ ...call, result: 'no', failed: true }] },
    ['model calls calculate: {"code":"6*7"}', 'calculate failed: no'],
  ],
  [
    'a call that never ended',
    { tool_calls: [{ ...call, result: null }] },
    ['model calls calculate: {"code":"6*7"}'],
  ],
  [
    'a file that the model was shown',
    { tool_calls: [{ ...call, files: [{ name: 'b.png', bytes: 1 }] }] },
    ['model calls calculate: {"code":"6*7"}', 'calculate: = 42\nFile: b.png, 1 byte'],
  ],
  ['a step of another role', { role: 'system', text: 'Be brief.' }, ['system: Be brief.']],
  [
    'a reply without a text',
    { stop: 'max_tokens', usage },
    ['model (1200 tokens in, 30 out): no text (max_tokens)'],
  ],
  ['a step with the output', { text: '42\n' }, ['model: 42\n']],
])('%s', (_, step, expected) => {
  const turns = toTurns({ steps: [{ ...STEP, ...step }] }, step.text === '42\n' ? '42' : null);
  expect(turns.map((turn) => `${describeHead(turn)}: ${turn.text}`)).toEqual(expected);
});

test.each([
  ['as it was said before thoughts were left out', '<think>6?</think>7', ['user', 'model']],
  ['which is thought alone', '<think>6', ['user', 'model', 'model']],
])('the output is no further reply %s', (_, output, whos) => {
  const content = saidIn(output);
  const messages = [
    { role: 'user' as const, content: 'Hi' },
    { role: 'user' as const, content: 'How many?' },
    { role: 'assistant' as const, content },
  ];
  expect(toTurns({ steps: [], messages }, output).map(({ who }) => who)).toEqual(whos);
});

test('what others hear of an output is without thoughts, and of a value its JSON', () => {
  expect(saidIn('<think>6?</think> 7')).toBe('7');
  expect(saidIn({ n: 7 })).toBe('{\n  "n": 7\n}');
});
