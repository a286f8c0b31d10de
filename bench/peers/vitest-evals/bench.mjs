import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createHarness, describeEval } from 'vitest-evals';

const records = JSON.parse(readFileSync('records.json', 'utf8'));
const answers = new Map(records.map(({ question, answer }) => [question, answer]));
const harness = createHarness({
  name: 'instant',
  run: async ({ input }) => {
    const text = answers.get(input);
    const events = [
      { type: 'message', role: 'user', content: input },
      { type: 'message', role: 'assistant', content: text },
    ];
    return { events, output: { text }, usage: {} };
  },
});

describeEval('bench', { harness }, (it) => {
  it.concurrent.for(records)('$id', async ({ question, truth }, { run }) => {
    const result = await run(question);
    expect(result.output.text).toBe(truth);
  });
});
