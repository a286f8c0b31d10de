import { expect, test } from 'vitest';
import { AgentError, type Answer, type AnswerContext, type Progress } from '../words/answer.ts';
import { toAsked, UNLIMITED } from '../words/types.fixture.ts';
import { toJudge } from './judge-agent.ts';
import { VERDICT } from './reply-form.ts';

const PASS = '{"reason": "r", "verdict": "pass"}';
const usage = { input_tokens: 10, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0 };

/** Asks a judge that replies so, one after the other. */
async function ask(...replies: readonly (Answer | AgentError)[]) {
  const left = [...replies];
  const seen: Progress[] = [];
  const answer = async (_: unknown, { onProgress }: AnswerContext) => {
    const next = left.shift();
    if (next === undefined) throw new Error('asked too often');
    onProgress?.(next instanceof AgentError ? next.progress : next);
    if (next instanceof AgentError) throw next;
    return next;
  };
  const context: AnswerContext = {
    ...UNLIMITED,
    onProgress: (progress) => seen.push(progress),
    get workdir(): string {
      throw new Error('nobody asked for a folder');
    },
  };
  const outcome = await toJudge({ name: 'j', answer }, VERDICT)
    .answer(toAsked('?'), context)
    .catch((error: AgentError) => error);
  return { outcome, last: seen.at(-1) };
}

test('a reply without a verdict is asked for once more, and both are paid', async () => {
  const { outcome, last } = await ask(
    { output: 'pass!', costUsd: 1, usage },
    { output: PASS, costUsd: 2, usage },
  );
  expect(outcome).toMatchObject({
    output: '{"reason":"r","verdict":"pass"}',
    costUsd: 3,
    usage: { input_tokens: 20 },
  });
  expect(last).toMatchObject({ costUsd: 3 });
});

test('a second reply without one is an error of the judge, which says what came', async () => {
  const { outcome } = await ask({ output: 'pass!', costUsd: 1 }, { output: null, costUsd: 2 });
  expect(outcome).toBeInstanceOf(AgentError);
  expect(outcome).toMatchObject({ kind: 'bad_response', progress: { costUsd: 3 } });
  expect(String(outcome)).toContain('It began: "no text"');
});

test.each<[Answer, RegExp]>([
  [{ output: PASS, cutShort: 'max_tokens' }, /\(max_tokens\)\. Raise the token limit/],
  [{ output: null, reason: 'max_tokens' }, /\(max_tokens\)\. Raise the token limit/],
  [{ output: PASS, cutShort: 'context_window' }, /\(context_window\)\. Name a model/],
  [{ output: PASS, cutShort: 'incomplete' }, /\(incomplete\)\. Raise/],
])(
  'a reply that did not end has no verdict, and the error says what to raise: %j',
  async (reply, message) => {
    const { outcome } = await ask(reply, reply);
    expect(outcome).toBeInstanceOf(AgentError);
    expect(String(outcome)).toMatch(message);
    const { outcome: corrected } = await ask(reply, { output: PASS });
    expect(corrected).toMatchObject({ output: '{"reason":"r","verdict":"pass"}' });
  },
);

test('a refused prompt is not sent again', async () => {
  const { outcome } = await ask({ output: null, reason: 'refusal', costUsd: 1 });
  expect(outcome).toMatchObject({ kind: 'bad_response', progress: { costUsd: 1 } });
  expect(String(outcome)).toContain("No verdict: the judge's reply was refused");
});
