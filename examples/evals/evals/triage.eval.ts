import { defineEval } from 'viva';
import { triage } from '../src/triage.ts';

await defineEval('triage', {
  data: './triage.csv',
  agent: ({ input }) => triage(input),
});
