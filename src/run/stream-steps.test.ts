import { expect, test } from 'vitest';
import { toResult } from '../figures/result.fixture.ts';
import type { TraceStep } from '../words/answer.ts';
import type { SampleResult } from '../words/row.ts';
import { STEP } from '../words/types.fixture.ts';
import { type StreamOptions, streamSteps } from './trace.ts';

const SAID = { ...STEP, text: 'Let me\ncount.' };
const call = { name: 'calculate', arguments: '{"expression":"9+9"}', result: null, failed: false };

/** The lines that are shown of what a stream is told. */
function show(
  options: Partial<StreamOptions>,
  tell: (stream: ReturnType<typeof streamSteps>) => void,
): readonly string[] {
  const lines: string[] = [];
  const all = { name: 'q1', gated: false, secrets: [], ...options };
  tell(streamSteps(all, (line) => lines.push(line)));
  return lines;
}

const streamAll = (reports: readonly (readonly TraceStep[])[], options = {}) =>
  show(options, (stream) => {
    for (const trace of reports) stream.onProgress({ trace });
  });

test('EVAL_STREAM shows what is new in each report, and nothing twice', () => {
  const asked = { ...SAID, tool_calls: [call] };
  const told = { ...SAID, tool_calls: [{ ...call, result: '18' }] };
  expect(
    streamAll([[SAID], [asked], [told], [told, { ...SAID, text: 'It is 18.', reasoning: 'sure' }]]),
  ).toEqual([
    'q1 step 1: model: Let me count.\n',
    'q1 step 1: model calls calculate: {"expression":"9+9"}\n',
    'q1 step 1: calculate: 18\n',
    'q1 step 2: model thinks: sure\n',
    'q1 step 2: model: It is 18.\n',
  ]);
});

test.each<[string, Partial<TraceStep>, string]>([
  [
    'a failed call',
    { tool_calls: [{ ...call, result: 'no', failed: true }], text: '' },
    'calculate failed: no',
  ],
  ['control characters', { text: 'a\u001b[31mb\u202ec' }, 'model: a\\u001b[31mb\\u202ec'],
  ['a long text, cut', { text: 'x'.repeat(5000) }, `model: ${'x'.repeat(284)}…`],
])('EVAL_STREAM shows %s', (_, step, text) => {
  expect(streamAll([[{ ...SAID, ...step }]]).at(-1)).toBe(`q1 step 1: ${text}\n`);
});

test('EVAL_STREAM shows no keys, and no text of gated records', () => {
  const shown = streamAll([[{ ...SAID, text: 'key-123456 is it' }]], { secrets: ['key-123456'] });
  expect(shown.join('')).not.toContain('123456');
  expect(streamAll([[{ ...SAID, tool_calls: [call] }]], { gated: true })).toEqual([
    'q1 step 1: model: (13 characters)\n',
    'q1 step 1: model calls calculate: (20 characters)\n',
  ]);
});

test.each<[string, string, Partial<StreamOptions>, string]>([
  ['the question', 'What is\n  it?', {}, 'What is it?'],
  [
    'of a long prompt its end',
    `${'x'.repeat(500)} What is it?`,
    {},
    `…${'x'.repeat(268)} What is it?`,
  ],
  ['no key', `Use ${'k'.repeat(8)}-1234`, { secrets: [`${'k'.repeat(8)}-1234`] }, 'Use [key]'],
  ['no gated text', 'What is it?', { gated: true }, '(11 characters)'],
])('EVAL_STREAM shows who is asked what: %s', (_, prompt, options, text) => {
  const lines = show(options, (stream) => stream.onAsked(prompt));
  expect(lines).toEqual([`q1: user: ${text}\n`]);
});

test.each<[string, SampleResult, readonly TraceStep[], string]>([
  ['an answer', toResult('incorrect', { latency_ms: 1234 }), [], 'incorrect after 1.2 s: text'],
  ['no answer', toResult('no_answer', { latency_ms: 50 }), [], 'no_answer (empty) after 0.1 s'],
  ['a failure', toResult('errored'), [], 'errored (network): down'],
  ['the last step', toResult('correct'), [{ ...SAID, text: 'text\n' }], 'correct'],
  ['not the last step', toResult('correct'), [SAID], 'correct: text'],
])('EVAL_STREAM shows what came of a question: %s', (_, result, trace, text) => {
  const lines = show({}, (stream) => {
    stream.onProgress({ trace });
    stream.onResult(result);
  });
  expect(lines.at(-1)).toBe(`q1: ${text}\n`);
});
