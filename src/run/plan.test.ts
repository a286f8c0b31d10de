import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AnswerCache, type CacheParts } from '../store/cache.ts';
import type { Sample } from '../types.ts';
import { makeLane } from './lanes.fixture.ts';
import { type AgentLane, LaneCache } from './lanes.ts';
import { longestFirst, type Trial } from './plan.ts';

const times = { started_at: '2026-11-21T00:00:00Z', answered_at: '2026-11-21T00:00:01Z', attempts: 1 };

/** Trials of questions that took so many ms under a prompt; null: never answered. The run now is with prompt "new". */
function makeTrials(earlier: Readonly<Record<string, { readonly ms: number; readonly prompt: string } | null>>) {
  const cache = new AnswerCache(makeFolder());
  const toParts = (question: string, prompt: string) => ({ agent: 'a', prompt, question, limits: '1/-', trial: 1 });
  for (const [id, answer] of Object.entries(earlier)) {
    if (answer === null) continue;
    const { ms: latency_ms, prompt } = answer;
    cache.put(toParts(id, prompt), { ...times, latency_ms, outcome: 'answered', answer: { text: 'x' } });
  }
  const lane = makeLane({ cache: new LaneCache(cache, 'on', () => {}) });
  return Object.keys(earlier).map((id) => makeTrial(id, lane, toParts(id, 'new')));
}

function makeTrial(id: string, lane: AgentLane, parts: CacheParts | null): Trial {
  const sample: Sample = { id, suite: 's', input: id, target: '1', group: 'all', attachments: [], metadata: {} };
  const hashes = { prompt_hash: '', question_hash: '', run: '' };
  const meta = { suite: 's', dataset: 'd', agent: 'a', id, trial: 1, group: 'all', ...hashes };
  const isCached = parts !== null && lane.cache?.find(parts) != null;
  return { sample, lane, meta, parts, hashes: null, deadlineMs: 1, isCached };
}

const idsOf = (trials: readonly Trial[]) => trials.map(({ sample }) => sample.id);

test('begins what took longest under another prompt, and before it what was never answered', () => {
  const old = (ms: number) => ({ ms, prompt: 'old' });
  const trials = makeTrials({ a: old(20), b: null, c: old(3000), d: old(100), e: null });
  expect(idsOf(longestFirst(trials))).toEqual(['b', 'e', 'c', 'd', 'a']);
});

test('leaves what needs no call in its order, at the end', () => {
  const trials = makeTrials({
    a: { ms: 10, prompt: 'new' },
    b: { ms: 90, prompt: 'new' },
    c: { ms: 5, prompt: 'old' },
  });
  expect(idsOf(longestFirst(trials))).toEqual(['c', 'a', 'b']);
});

test('leaves the order of an agent whose answers are not cached', () => {
  const trials = ['b', 'a', 'c'].map((id) => makeTrial(id, makeLane(), null));
  expect(idsOf(longestFirst(trials))).toEqual(['b', 'a', 'c']);
});
