import { expect, test } from 'vitest';
import type { TraceStep } from '../types.ts';
import { streamSteps } from './stream-steps.ts';

const SAID: TraceStep = { text: 'Let me\ncount.', reasoning: null, tool_calls: [], stop: 'end', usage: null };
const call = { name: 'calculate', arguments: '{"expression":"9+9"}', result: null, failed: false };

function stream(reports: readonly (readonly TraceStep[])[], options = {}): readonly string[] {
  const lines: string[] = [];
  const show = streamSteps({ name: 'q1', gated: false, secrets: [], ...options }, (line) => lines.push(line));
  for (const trace of reports) show({ trace });
  return lines;
}

test('shows what is new in each report, and nothing twice', () => {
  const asked = { ...SAID, tool_calls: [call] };
  const told = { ...SAID, tool_calls: [{ ...call, result: '18' }] };
  expect(stream([[SAID], [asked], [told], [told, { ...SAID, text: 'It is 18.', reasoning: 'sure' }]])).toEqual([
    'q1 step 1: says: Let me count.\n',
    'q1 step 1: calls calculate {"expression":"9+9"}\n',
    'q1 step 1: calculate gave: 18\n',
    'q1 step 2: thinks: sure\n',
    'q1 step 2: says: It is 18.\n',
  ]);
});

test.each<[string, Partial<TraceStep>, string]>([
  ['a failed call', { tool_calls: [{ ...call, result: 'no', failed: true }], text: '' }, 'calculate failed: no'],
  ['control characters', { text: 'a\u001b[31mb\u202ec' }, 'says: a\\u{1b}[31mb\\u{202e}c'],
  ['a long text, cut', { text: 'x'.repeat(5000) }, `says: ${'x'.repeat(294)}...`],
])('shows %s', (_, step, text) => {
  expect(stream([[{ ...SAID, ...step }]]).at(-1)).toBe(`q1 step 1: ${text}\n`);
});

test('shows no keys, and of gated records no text', () => {
  expect(stream([[{ ...SAID, text: 'key-123456 is it' }]], { secrets: ['key-123456'] }).join('')).not.toContain(
    '123456',
  );
  expect(stream([[{ ...SAID, tool_calls: [call] }]], { gated: true })).toEqual([
    'q1 step 1: says: (13 characters)\n',
    'q1 step 1: calls calculate (20 characters)\n',
  ]);
});
