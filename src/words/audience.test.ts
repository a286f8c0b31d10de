import { expect, test } from 'vitest';
import { toJudgeKey } from '../figures/judge-calibration.ts';
import { PAIR, toResult } from '../figures/result.fixture.ts';
import { hiddenFrom, hideAgentWording, hidesRecords, hideTexts } from './audience.ts';
import { ALL_STATES, type SampleResult, STATES } from './row.ts';

test.each([
  [{ ci: true }, true],
  [{ ci: true, showGated: true }, false],
  [{ ci: false, showGated: null }, false],
  [{}, false],
])('%j hides records: %s', (settings, hides) => {
  expect(hidesRecords(settings)).toBe(hides);
});

test.each([
  ['openai:gpt-5', 'gpt-5', true],
  ['openai:gpt-5?effort=low', 'gpt-5-2025-08-07', true],
  ['openai-chat:meta/llama-3', 'meta/llama-3:free', true],
  ['anthropic:claude-x', 'claude-x-latest', true],
  ['module:./agents/gpt-5.mjs', 'gpt-5', true],
  ['openai:gpt-5', 'gpt-5 says: what is a1?', false],
  ['openai:gpt-5', 'gpt-5-what is a1?', false],
  ['openai:', 'What', false],
  ['module:./agent.mjs', 'Paris', false],
  ['openai:gpt-5', null, true],
])('where records are hidden %s shows the model %j: %s', (agent, model, shows) => {
  expect(hideAgentWording(toResult('correct', { agent, model }))).toMatchObject({
    model: shows ? model : null,
  });
});

test('where records are hidden the verdicts of judges are shown, and not their reasons', () => {
  const said = {
    models: ['a', 'b'],
    verdicts: ['pass', 'fail'],
    reasons: ['What is a1?', 'no'],
  } as const;
  const judge = {
    ...said,
    prompt_hash: 'h',
    criterion: 'Says What?',
    reference: 'SECRET',
    cost_usd: null,
  };
  const hidden = hideAgentWording({
    ...toResult('incorrect', { judge }),
    explanation: 'a: What is a1?',
  });
  expect(hidden).toMatchObject({
    explanation: 'a: pass, b: fail',
    judge: { verdicts: ['pass', 'fail'] },
  });
  expect(JSON.stringify(hidden)).not.toMatch(/SECRET|What/);
  // Its calibration is found all the same.
  expect(toJudgeKey(hidden.judge ?? judge)).toBe(toJudgeKey(judge));
  expect(toJudgeKey({ ...judge, criterion: 'Other' })).not.toBe(toJudgeKey(judge));
});

test('where records are hidden it is shown who wins a pair, and not why', () => {
  const said = {
    reasons: [['What is a1?', 'no']],
    criterion: 'Says What?',
    reference: 'SECRET',
  } as const;
  const hidden = hideAgentWording(toResult('correct', { pairs: [{ ...PAIR, ...said }] }));
  expect(hidden.pairs).toMatchObject([{ outcome: 'win', verdicts: PAIR.verdicts }]);
  expect(JSON.stringify(hidden)).not.toMatch(/SECRET|What|a1/);
});

test.each([
  ['refusal', 'refusal'],
  ['max_tokens', 'max_tokens'],
  ['what is a1?', 'in its own words'],
])('where records are hidden the reason %j is shown as %j', (reason, shown) => {
  const result = { ...toResult('no_answer'), reason } as SampleResult;
  expect(hideAgentWording(result)).toMatchObject({ reason: shown });
});

test('the sample and public suites are shown, and no other suite of the same dataset is', () => {
  const suites = [
    { suite: 'made up', dataset: 'sample' },
    { suite: 'open', dataset: 'own', public: true },
    { suite: 'own', dataset: 'own' },
  ];
  const names = ['made up', 'open', 'own', 'of no manifest'];
  expect(names.map(hiddenFrom({ ci: true }, suites))).toEqual([false, false, true, true]);
  expect(names.filter(hiddenFrom({ ci: true, showGated: true }, suites))).toEqual([]);
});

test('where records are hidden no state shows the words of an agent or a score', () => {
  for (const state of ALL_STATES) {
    const { reasonBy, explanationBy } = STATES[state];
    const row = { ...toResult(state), output: null, reason: 'what is a1?' };
    const hidden = hideAgentWording(JSON.parse(JSON.stringify(row)));
    if (reasonBy !== 'viva') expect(hidden.reason).toBe('in its own words');
    const failed = { ...toResult(state), reason: 'score', explanation: 'what is a1?' };
    const { explanation } = hideAgentWording(JSON.parse(JSON.stringify(failed)));
    if (explanationBy !== 'viva') expect(explanation).toBe('Its score failed.');
  }
});

test('a row without its texts says neither what was expected nor what was said, in any state', () => {
  for (const state of ALL_STATES) {
    const { error, ...row } = toResult(state, { target: 'secret', confidence: 'secret' });
    const full = {
      ...row,
      ...{ output: { a: 'secret' }, answer: ['secret'], accepted: 'secret', explanation: 'secret' },
      presented: { seed: 1, target: [777], answer: [777] },
      error: error && { ...error, message: 'secret' },
    };
    const hidden = hideTexts(JSON.parse(JSON.stringify(full)));
    expect(JSON.stringify(hidden)).not.toMatch(/secret|777/);
    expect(hidden).toMatchObject({ state, id: 'q1', output: null, answer: null });
  }
});
