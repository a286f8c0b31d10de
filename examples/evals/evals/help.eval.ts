import { defineEval, judge } from 'viva';
import { answerFromHelp, retrieve } from '../src/help.ts';

await defineEval('help', {
  data: './help.jsonl',
  agent: async ({ input }) => ({ output: await answerFromHelp(input) }),
  scores: {
    fact: ({ output, record }) => output.text.includes(String(record.fact)),
    source: ({ output, target }) => output.source === target,
    recall: ({ input, target }) => Number(retrieve(input, 2).includes(target)),
    answers: judge('Answers the question that was asked.'),
    exact: judge('Is exact.', { scale: 5, levels: { 1: 'no number', 3: 'one', 5: 'several' } }),
  },
});
