import { expect, test } from 'vitest';
import { AgentError } from '../types.ts';
import type { Asked } from './ask.ts';
import { hideInAsked } from './hide-asked.ts';

const SECRET = 'local-key-12345';
const times = { startedAt: '', answeredAt: '', latencyMs: 5, attempts: 1, cached: false };

test('an answer and its trace hold no key', () => {
  const step = { text: SECRET, reasoning: null, tool_calls: [], stop: null, usage: null };
  const asked: Asked = { ...times, outcome: 'answered', answer: { text: `It is ${SECRET}`, trace: [step] } };
  expect(hideInAsked(asked, [SECRET])).toMatchObject({ answer: { text: 'It is [key]', trace: [{ text: '[key]' }] } });
});

test('a failure holds none in message, request id, progress, causes and stacks', () => {
  const cause = new Error(`wrong ${SECRET}`, { cause: new TypeError(SECRET) });
  const progress = { steps: 2, model: SECRET };
  const error = new AgentError('agent_crash', `no: ${SECRET}`, {
    cause,
    progress,
    status: 7,
    requestId: `r ${SECRET}`,
    latencyMs: null,
  });
  const hidden = hideInAsked({ ...times, outcome: 'failed', error }, [SECRET]);
  expect(hidden).toMatchObject({
    error: {
      kind: 'agent_crash',
      message: 'no: [key]',
      status: 7,
      requestId: 'r [key]',
      latencyMs: null,
      progress: { steps: 2, model: '[key]' },
      cause: { message: 'wrong [key]', cause: { name: 'TypeError', message: '[key]' } },
    },
  });
  const stacks = hidden.outcome === 'failed' && hidden.error.cause instanceof Error ? hidden.error.cause.stack : '';
  expect(stacks).toContain('wrong [key]');
  expect(stacks).not.toContain(SECRET);
});
