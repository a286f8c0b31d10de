import { expect, test } from 'vitest';
import { countVariants } from './variant.ts';

test.each([
  [['a', 'b'], [undefined], '2 agents'],
  [['a'], ['x', 'y'], '2 prompts'],
  [['a', 'b'], ['x', 'y', 'z'], '3 prompts x 2 agents'],
])('the agents %j with the prompts %j are %s', (agents, prompts, text) => {
  expect(
    countVariants(agents.flatMap((agent) => prompts.map((prompt) => ({ agent, prompt })))),
  ).toBe(text);
});
