import { makeRun } from '../../../test/make-run.ts';
import { PAIR, toResult } from '../../figures/result.fixture.ts';
import { RunWriter } from '../../store/run-writer.ts';
import type { TraceStep } from '../../words/answer.ts';
import type { SampleResult } from '../../words/row.ts';
import { STEP, toSample } from '../../words/types.fixture.ts';

const USAGE = { input_tokens: 100, output_tokens: 10, cached_tokens: 40, reasoning_tokens: 4 };

export const FACTS = {
  suite: 'own',
  dataset: 'private',
  agent: 'openai:gpt-x?temperature=0',
  model: 'gpt-x-2026-01-01',
  prompt_hash: '1a2b3c4d',
  usage: USAGE,
  cost_usd: 0.25,
  latency_ms: 3000,
  started_at: '2026-01-02T03:04:05.000Z',
  answered_at: '2026-01-02T03:04:08.000Z',
};

export const STEPS: readonly TraceStep[] = [
  {
    text: 'I look it up. SECRET-SAID',
    reasoning: 'SECRET-THOUGHT',
    tool_calls: [
      {
        name: 'search',
        arguments: '{"q":"SECRET-ARGS"}',
        result: 'SECRET-FOUND',
        failed: false,
        at_ms: 1500,
      },
      { name: 'broken', arguments: 'no JSON', result: 'SECRET-FAILED', failed: true },
    ],
    stop: 'tool_calls',
    usage: USAGE,
    at_ms: 1000,
    cost_usd: 0.1,
  },
  STEP,
];

export const JUDGE = {
  models: ['openai:j', 'anthropic:j'],
  verdicts: ['pass', 'cannot_tell'] as const,
  prompt_hash: 'a',
  cost_usd: 0.1,
  reasons: ['SECRET-REASON', 'SECRET-DOUBT'],
  criterion: 'SECRET-CRITERION',
  reference: 'SECRET-REFERENCE',
};

/** Answers of each kind, in a run of two trials. */
export function makeExported(dataset = 'private'): string {
  const facts = { ...FACTS, dataset };
  const secret = { target: 'SECRET-TARGET', explanation: 'SECRET-WHY' };
  const said = { output: 'SECRET-OUTPUT', answer: 'SECRET-OUTPUT' };
  const asked = (state: SampleResult['state'], id: string, trial: number): SampleResult => {
    const row = toResult(state, { ...facts, id, trial });
    return { ...row, ...secret, ...(row.output !== null && said) } as SampleResult;
  };
  const error = { kind: 'network', message: 'SECRET-ERROR', status: null };
  const rows = [
    {
      ...asked('correct', 'q1', 1),
      scores: { recall: 0.5, kind: true, score: false, none: null },
      presented: { seed: 1, order: ['B', 'A'], target: [2], answer: [2] },
    },
    asked('incorrect', 'q1', 2),
    asked('no_answer', 'q2', 1),
    { ...asked('errored', 'q2', 2), error } as SampleResult,
    asked('timed_out', 'q3', 1),
    {
      ...asked('correct', 'q3', 2),
      judge: JUDGE,
      pairs: [{ ...PAIR, criterion: 'SECRET-WISH' }],
    },
  ];
  const folder = makeRun(rows, { name: 'runs/20260102T000000Z-a' });
  new RunWriter(folder).questions('own', [
    toSample({
      id: 'q1',
      input: 'SECRET-QUESTION',
      choices: { B: 'no', A: 'SECRET-OPTION' },
    }),
  ]);
  const messages = [{ role: 'system', text: 'SECRET-SYSTEM' }] as const;
  const sent = { messages, tools: ['search'] };
  for (const row of rows.slice(0, 2)) new RunWriter(folder).trace(row, { sent, steps: STEPS });
  return folder;
}
