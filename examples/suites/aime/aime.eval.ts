import { defineEval, gradeNumber } from 'viva';
import { findInteger } from './find-integer.ts';

await defineEval('aime', {
  data: './made-up.jsonl',
  map: ({ ID, Problem, Answer }) => ({
    id: ID,
    input: Problem,
    target: Answer,
    group: ID.replace(/-\d+$/, ''),
  }),
  prompt:
    'Solve the problem. The answer is a whole number from 0 to 999: end with it as \\boxed{answer}.\n\n{{question}}',
  agent: 'replay:./predictions.jsonl',
  timeoutSeconds: 1800,
  score: ({ output, target }) => {
    const { answer, how } = findInteger(output);
    return { ...gradeNumber(answer, target, { extract: false }), how };
  },
});
