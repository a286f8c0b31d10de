import { readFileSync } from 'node:fs';
import { createScorer, evaluate } from 'viteval';

const records = JSON.parse(readFileSync('records.json', 'utf8'));
const answers = new Map(records.map(({ question, answer }) => [question, answer]));
const exact = createScorer({
  name: 'exact',
  score: ({ output, expected }) => ({ score: output === expected ? 1 : 0 }),
});

evaluate('bench', {
  data: async () =>
    records.map(({ id, question, truth }) => ({ name: id, input: question, expected: truth })),
  task: async ({ input }) => answers.get(input),
  scorers: [exact],
});
