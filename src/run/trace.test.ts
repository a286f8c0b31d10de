import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../figures/result.fixture.ts';
import type { Agent, Answer, Outcome } from '../words/answer.ts';
import { STEP as EMPTY, toSample } from '../words/types.fixture.ts';
import { toTrace } from './trace.ts';

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
