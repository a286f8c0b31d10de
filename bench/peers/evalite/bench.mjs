import { readFileSync } from 'node:fs';
import { evalite } from 'evalite';

const records = JSON.parse(readFileSync('records.json', 'utf8'));
const answers = new Map(records.map(({ question, answer }) => [question, answer]));

evalite('bench', {
  data: () => records.map(({ question, truth }) => ({ input: question, expected: truth })),
  task: async (input) => answers.get(input),
  scorers: [
    { name: 'exact match', scorer: ({ output, expected }) => (output === expected ? 1 : 0) },
  ],
});
