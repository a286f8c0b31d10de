import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { AnswerCache, type CacheParts } from '../store/cache.ts';
import type { Sample } from '../types.ts';
import { CachedAnswers } from './lane.ts';
import { ProviderGate } from './limits.ts';
import { longestFirst } from './plan.ts';
import type { Trial } from './trial.ts';

const times = { started_at: '2026-11-21T00:00:00Z', answered_at: '2026-11-21T00:00:01Z', attempts: 1 };
const gate = new ProviderGate({ concurrency: 1, budget: null, pilot: false });

/** Trials of questions that took so many ms under a prompt; null: never answered. The run now is with prompt "new". */
function makeTrials(earlier: Readonly<Record<string, { readonly ms: number; readonly prompt: string } | null>>) {
  const cache = new AnswerCache(makeFolder());
  const toParts = (question: string, prompt: string): CacheParts => ({
    agent: 'a',
    prompt,
    question,
    limits: '1/-',
    trial: 1,
  });
  for (const [id, answer] of Object.entries(earlier)) {
    if (answer === null) continue;
    const { ms: latency_ms, prompt } = answer;
    cache.put(toParts(id, prompt), { ...times, latency_ms, outcome: 'answered', answer: { text: 'x' } });
  }
  const agent = { name: 'a', fingerprint: 'a', answer: async () => ({ text: 'x' }) };
  const station = { agent, gate, budget: null, answers: new CachedAnswers(cache, 'on', () => {}) };
  return Object.keys(earlier).map((id) => makeTrial(id, station, toParts(id, 'new')));
}

function makeTrial(id: string, station: Trial['station'], parts: CacheParts | null): Trial {
  const sample: Sample = { id, suite: 's', input: id, target: '1', group: 'all', attachments: [], metadata: {} };
  const hashes = { prompt_hash: '', question_hash: '', run: '' };
  const meta = { suite: 's', dataset: 'd', agent: 'a', id, trial: 1, group: 'all', ...hashes };
  return { sample, station, meta, parts, contents: null, deadlineMs: 1 };
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

test('leaves the order of an agent whose answers are not kept', () => {
  const agent = { name: 'replay', answer: async () => ({ text: 'x' }) };
  const station = { agent, gate, budget: null, answers: null };
  const trials = ['b', 'a', 'c'].map((id) => makeTrial(id, station, null));
  expect(idsOf(longestFirst(trials))).toEqual(['b', 'a', 'c']);
});
