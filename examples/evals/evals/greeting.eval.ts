import { defineEval } from 'viva';
import { aiSdk } from 'viva/ai-sdk';
import { streamGreeting } from '../src/tracker.ts';

await defineEval('greeting', {
  data: [{ id: 'hello', input: 'Hello', target: 'What is the number of your parcel?' }],
  agent: aiSdk(({ prompt }, options) => streamGreeting(prompt, options)),
  scores: {
    asks: ({ output, target }) => output === target,
    fast: ({ firstTokenMs }) => firstTokenMs !== null && firstTokenMs < 1000,
  },
});
