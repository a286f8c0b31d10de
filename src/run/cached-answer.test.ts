import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AnswerCache, type CacheKey } from '../store/cache.ts';
import { type Agent, AgentError, type Answer, type TokenCounts } from '../words/answer.ts';
import { findCached } from './cached-answer.ts';
import { makeLane } from './lanes.fixture.ts';

const key: CacheKey = {
  agent: 'a',
  prompt: 'p',
  question: 'q',
  steps: null,
  deadline: 1,
  trial: 1,
};
const time = '2026-11-21T00:00:00.000Z';
const times = { started_at: time, answered_at: time, latency_ms: 5, attempts: 1, cached: false };

const REQUEST: TokenCounts = {
  input_tokens: 10,
  output_tokens: 1,
  cached_tokens: 0,
  reasoning_tokens: 0,
  cache_write_tokens: 0,
};
const STEP = { text: null, reasoning: null, tool_calls: [], stop: null, usage: null };

/** An agent whose tokens cost so much each. */
const at = (dollars: number): Agent['estimate'] => {
  return (requests) => requests.reduce((sum, each) => sum + each.input_tokens * dollars, 0);
};

const requests = [REQUEST, REQUEST];
const played = (cost_usd: number | null) => {
  return { turns: 1, ended: 'user', user: { name: 'u', cost_usd, faults: [] } } as const;
};

/** What is known of the cost of a cached answer, whose run had a tenth of the prices of this one. */
test.each<[what: string, Partial<Answer>, agent: Agent['estimate'], expected: Partial<Answer>]>([
  ['a stated cost stays', { costUsd: 3 }, at(1), { costUsd: 3 }],
  [
    'an estimate by code of the user stays',
    { costUsd: 3, costEstimated: true },
    at(1),
    { costUsd: 3, costEstimated: true },
  ],
  [
    'an estimate is made again',
    { costUsd: 2, costEstimated: true, requests },
    at(1),
    { costUsd: 20, costEstimated: true },
  ],
  [
    'a cost that was not known may be known',
    { requests },
    at(1),
    { costUsd: 20, costEstimated: true },
  ],
  [
    'a cost that was known may not be known',
    { costUsd: 2, costEstimated: true, requests },
    undefined,
    { costUsd: undefined, costEstimated: undefined },
  ],
  [
    'each reply gets its cost',
    { requests, costUsd: 2, trace: [STEP, { ...STEP, role: 'user' }, { ...STEP, cost_usd: 1 }] },
    at(1),
    {
      trace: [
        { ...STEP, cost_usd: 10 },
        { ...STEP, role: 'user' },
        { ...STEP, cost_usd: 10 },
      ],
    },
  ],
  [
    'a simulated user gets its own price',
    { requests, userRequests: [REQUEST], costUsd: 3, conversation: played(1) },
    at(1),
    { costUsd: 120, conversation: played(100) },
  ],
  [
    'the stated cost of an agent stays beside the estimate of its user',
    { userRequests: [REQUEST], costUsd: 8, costEstimated: true, conversation: played(1) },
    undefined,
    { costUsd: 107, conversation: played(100) },
  ],
  [
    'the stated cost of a user stays beside the estimate of its agent',
    { requests, costUsd: 3, costEstimated: true, conversation: played(1) },
    at(1),
    { costUsd: 21, conversation: played(1) },
  ],
])('%s', (_, written, estimate, expected) => {
  const cache = new AnswerCache(makeFolder());
  const lane = makeLane({ agent: { estimate } });
  const user = { fingerprint: '', name: 'u', estimate: at(10), speakFor: () => expect.fail() };
  const open = { ...lane, user, cache };
  const error = new AgentError('agent_crash', 'late', { progress: written });
  cache.put(key, { ...times, outcome: 'answered', answer: { output: 'x', ...written } }, () => {});
  cache.put({ ...key, trial: 2 }, { ...times, outcome: 'failed', error }, () => {});
  const again = { ...open, cache: new AnswerCache(cache.folder) };
  expect(findCached(again, key)).toMatchObject({ answer: { output: 'x', ...expected } });
  expect(findCached(again, { ...key, trial: 2 })).toMatchObject({ error: { progress: expected } });
});
