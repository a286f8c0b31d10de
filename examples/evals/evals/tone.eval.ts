import { defineEval, judge } from 'viva';
import { replyTo } from '../src/tone.ts';

await defineEval('tone', {
  data: './tone.jsonl',
  agents: {
    formal: ({ input }) => replyTo(input, 'formal'),
    kind: ({ input }) => replyTo(input, 'kind'),
  },
  prefer: judge('It is kinder, and says what happens next.'),
});
