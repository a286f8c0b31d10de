import { expect, test } from 'vitest';
import { judge } from '../judge/judge.ts';
import { toPassJudge } from './to-pass-judge.ts';
import './index.ts';

expect.extend({ toPassJudge });

test('a judge outside of a suite is refused in one sentence, under .not too', async () => {
  const wrong =
    /^toPassJudge asks a model, which may cost money, so it works only in the "score" of a suite/;
  await expect(expect('17').toPassJudge('Is it 17?')).rejects.toThrow(wrong);
  await expect(expect('17').not.toPassJudge('Is it 17?')).rejects.toThrow(wrong);
});

test.each([null, 17, ['17']])('refuses %j', async (received) => {
  await expect(expect(received).toPassJudge('?')).rejects.toThrow("needs the agent's output");
  await expect(expect('17').toPassJudge(received as never)).rejects.toThrow(
    'toPassJudge needs the criterion',
  );
});

test('a judge needs a criterion', () => {
  for (const criterion of ['', ' ', undefined])
    expect(() => judge(criterion as never)).toThrow('judge needs a criterion');
});

test('a judge has two options', () => {
  expect(() => judge('?', { judge: ['openai:m'] } as never)).toThrow(
    'judge has no option "judge". Did you mean judges?',
  );
});
