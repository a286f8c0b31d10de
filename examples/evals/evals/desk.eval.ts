import { defineEval, judge, simulateUser } from 'viva';
import { desk } from '../src/desk.ts';

await defineEval('desk', {
  data: [
    { id: 'calm', persona: 'Patient.', goal: 'Get a new parcel for P7.', input: 'Hello.' },
    { id: 'angry', persona: 'In a rage.', goal: 'Get a new parcel for P9.' },
  ],
  user: simulateUser({ maxTurns: 5 }),
  agent: ({ messages }) => desk(messages),
  scores: {
    solved: ({ output }) => output.includes('a new parcel'),
    polite: judge('The desk is polite from the first to the last message.'),
    asks: judge('The desk asks for the number of the parcel before it promises anything.'),
  },
});
