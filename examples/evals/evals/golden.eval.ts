import { defineEval } from 'viva';
import { desk } from '../src/desk.ts';

await defineEval('golden', {
  data: [
    { id: 'hello', input: 'Hello.' },
    { id: 'known', input: 'P7 is broken.' },
  ],
  agent: ({ messages }) => desk(messages),
  score: ({ output, expect }) => expect(output).toMatchSnapshot(),
});
