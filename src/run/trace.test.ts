import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../figures/result.fixture.ts';
import type { Agent, Answer, Outcome, TraceStep } from '../words/answer.ts';
import type { SampleResult } from '../words/row.ts';
import { STEP as EMPTY, toSample } from '../words/types.fixture.ts';
import { type StreamOptions, streamSteps, toTrace } from './trace.ts';

const SECRET = 'local-key-12345';
const STEP = { ...EMPTY, text: 'x' };
const sample = toSample({ input: '6 * 7?' });
const times = { started_at: '', answered_at: '', latency_ms: 1, attempts: 1, cached: true };
const live: Agent = { name: 'a', answer: async () => ({ output: null }) };
const replay: Agent = { ...live, replayAnswer: () => ({ output: null }) };
const prompt = { text: `Key ${SECRET}. {{question}}`, hash: '', name: null };
const filled = { messages: [{ role: 'user', text: 'Key [key]. 6 * 7?' }], tools: [] };
const sent = { messages: [{ role: 'user' as const, text: 'as sent' }], tools: ['t'] };

test.each<[string, Agent, 'correct' | 'incorrect', Partial<Answer>, object | null]>([
  [
    'of a model begins with what it was sent',
    live,
    'correct',
    { trace: [STEP], sent },
    { sent, steps: [STEP] },
  ],
  [
    'of other agents, or from an older cache, begins with the prompt',
    live,
    'correct',
    { trace: [STEP] },
    { sent: filled, steps: [STEP] },
  ],
  [
    'of a failure has no steps if the agent shows none',
    live,
    'incorrect',
    {},
    { sent: filled, steps: [] },
  ],
  [
    'of a replay has its steps',
    replay,
    'correct',
    { trace: [STEP], sent },
    { sent, steps: [STEP] },
  ],
  ['is left out for a right answer without steps', live, 'correct', {}, null],
  ['is left out for a replay without steps, which asks nobody', replay, 'incorrect', {}, null],
])('a trace %s', (_, agent, state, said, expected) => {
  const outcome: Outcome = { ...times, outcome: 'answered', answer: { output: 'x', ...said } };
  expect(toTrace(outcome, toResult(state), sample, { agent, prompt, secrets: [SECRET] })).toEqual(
    expected,
  );
});

test('a trace names the files of a question as the agent sees them, with their size', () => {
  const path = join(makeFolder(), 'secret name.csv');
  writeFileSync(path, 'boxes');
  const asked = { ...sample, attachments: [{ name: 'secret name.csv', path }] };
  const outcome: Outcome = { ...times, outcome: 'answered', answer: { output: 'x', trace: [] } };
  const trace = toTrace(outcome, toResult('correct'), asked, {
    agent: live,
    prompt: { ...prompt, text: '{{question}}' },
    secrets: [],
  });
  expect(trace?.sent?.messages).toEqual([
    { role: 'user', text: '6 * 7?', files: [{ name: 'attachment.csv', bytes: 5 }] },
  ]);
});

const SAID = { ...EMPTY, text: 'Let me\ncount.' };
const call = { name: 'calculate', arguments: '{"expression":"9+9"}', result: null, failed: false };

/** The lines that are shown of what a stream is told. */
function listShown(
  options: Partial<StreamOptions>,
  tell: (stream: ReturnType<typeof streamSteps>) => void,
): readonly string[] {
  const lines: string[] = [];
  const all = { name: 'q1', isHidden: false, secrets: [], ...options };
  tell(streamSteps(all, (line) => lines.push(line)));
  return lines;
}

const streamAll = (reports: readonly (readonly TraceStep[])[], options = {}) =>
  listShown(options, (stream) => {
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
  expect(streamAll([[{ ...SAID, tool_calls: [call] }]], { isHidden: true })).toEqual([
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
  ['no gated text', 'What is it?', { isHidden: true }, '(11 characters)'],
])('EVAL_STREAM shows who is asked what: %s', (_, prompt, options, text) => {
  const lines = listShown(options, (stream) => stream.onAsked(prompt));
  expect(lines).toEqual([`q1: user: ${text}\n`]);
});

test.each<[string, SampleResult, readonly TraceStep[], string]>([
  ['an answer', toResult('incorrect', { latency_ms: 1234 }), [], 'incorrect after 1.2 s: text'],
  ['no answer', toResult('no_answer', { latency_ms: 50 }), [], 'no_answer (empty) after 0.1 s'],
  ['a failure', toResult('errored'), [], 'errored (network): down'],
  ['the last step', toResult('correct'), [{ ...SAID, text: 'text\n' }], 'correct'],
  ['not the last step', toResult('correct'), [SAID], 'correct: text'],
])('EVAL_STREAM shows what came of a question: %s', (_, result, trace, text) => {
  const lines = listShown({}, (stream) => {
    stream.onProgress({ trace });
    stream.onResult(result);
  });
  expect(lines.at(-1)).toBe(`q1: ${text}\n`);
});
