import { defineEval } from 'viva';
import { quote } from '../src/quoter.ts';
import { toAnswer } from '../src/to-answer.ts';

await defineEval('quoter', {
  data: [
    { id: 'three', input: 'What does a parcel of 3 kg cost?', target: 'It costs 10 euros.' },
    { id: 'half', input: 'And one of 0.5 kg?', target: 'It costs 5 euros.' },
  ],
  agent: async ({ prompt }, { signal }) => toAnswer(await quote(prompt, signal)),
});
