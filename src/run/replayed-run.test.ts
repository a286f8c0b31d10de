import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { JUDGE, toResult } from '../figures/result.fixture.ts';
import { readConfig } from '../settings.ts';
import type { JudgeWord } from '../words/row.ts';
import { toSample } from '../words/types.fixture.ts';
import { makeLane } from './lanes.fixture.ts';
import { countTrials, readReplayed, readVerdicts } from './replayed-run.ts';

const samples = ['a', 'b', 'c'].map((id) => toSample({ id }));

test.each([
  ['a run', 'replay:RUNS/twice', {}, 'a,b', 2],
  ['a run with EVAL_TRIALS', 'replay:RUNS/twice', { EVAL_TRIALS: '1' }, 'a,b', 1],
  ['two runs', 'replay:RUNS/twice,replay:RUNS/once', {}, 'a,b,c', 1],
  ['a run and another agent', 'replay:RUNS/twice,command:x', {}, 'a,b,c', 1],
  ['a run without the suite, which the agent refuses', 'replay:RUNS/mcq', {}, 'a,b,c', 1],
  ['predictions', 'replay:RUNS/work', {}, 'a,b,c', 1],
  ['its own agents', '', {}, 'a,b,c', 1],
])('a run that replays %s asks the same questions as often', (_, agents, env, ids, trials) => {
  const dir = makeFolder({ 'work/a.jsonl': '{}' });
  const both = [1, 2].flatMap((trial) =>
    ['a', 'b'].map((id) => toResult('correct', { id, trial })),
  );
  makeRun(both, { dir, name: 'twice' });
  makeRun([toResult('incorrect', { id: 'c' })], { dir, name: 'once' });
  makeRun([toResult('correct', { id: 'a', suite: 'mcq' })], { dir, name: 'mcq' });
  const config = readConfig({ EVAL_AGENT: agents.replaceAll('RUNS', dir), ...env });
  const replayed = readReplayed(config.agents ?? [], 'gaia', samples);
  const { samples: asked = samples } = replayed ?? {};
  const count = countTrials(config, undefined, replayed, [makeLane()], asked);
  expect([asked.map(({ id }) => id).join(), count]).toEqual([ids, trials]);
});

test('a replayed run has the verdicts and grades of its judges in the form in which they are kept', () => {
  const judges = [{ judge: 'openai:m', fingerprint: 'f', prompt_hash: JUDGE.prompt_hash }];
  const asked = (asked_hash: string, verdict: JudgeWord, scale?: number) => {
    return { ...JUDGE, asked_hash, verdicts: [verdict], ...(scale && { scale }) };
  };
  const others = [asked('b', 4, 5), asked('c', 'cannot_tell', 5), asked('d', 'error', 5)];
  const judge = { ...asked('a', 'pass'), others };
  const run = makeRun([toResult('correct', { suite: 'own', judge })], { suite: { judges } });
  const { agents } = readConfig({ EVAL_AGENT: `replay:${run}` });
  const kept = [...readVerdicts(agents ?? [], 'own').values()].map((outcome) =>
    outcome.outcome === 'answered' ? outcome.answer.output : null,
  );
  const said = '"reason":"It says so."';
  expect(kept.toSorted()).toEqual(
    [`{${said},"verdict":"pass"}`, `{${said},"grade":4}`, `{${said},"grade":"cannot_tell"}`].sort(),
  );
});
