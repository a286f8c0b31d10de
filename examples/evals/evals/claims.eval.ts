import { defineEval } from 'viva';
import { decideClaim } from '../src/claims.ts';

await defineEval('claims', {
  data: [
    { id: 'small', input: 'My vase broke, it was worth 90 euros.', target: 'pay' },
    { id: 'large', input: 'A watch of 900 euros is gone.', target: 'review' },
    { id: 'unclear', input: 'It broke.', target: 'review' },
  ],
  agent: async ({ input }) => ({ output: await decideClaim(input) }),
  scores: {
    decision: ({ output, target }) => output.decision === target,
    path: ({ output, expect }) => expect(output.path).toEqual(['read', 'decide']),
  },
});
