import { defineEval, recordTools } from 'viva';
import { aiSdk } from 'viva/ai-sdk';
import { askTracker, tools } from '../src/tracker.ts';

await defineEval('tracker', {
  data: [
    { id: 'found', input: 'Where is P7?', target: 'Lisbon', tools: ['track'] },
    { id: 'other', input: 'And P9?', target: 'Oslo', tools: ['track'] },
    { id: 'unclear', input: 'Where is my parcel?', target: 'number of your parcel', tools: [] },
  ],
  agent: aiSdk(({ prompt }, options) =>
    askTracker(prompt, options, recordTools(tools, { name: 'parcels' })),
  ),
  scores: {
    place: ({ output, target }) => output.includes(target),
    tools: ({ trace, record, expect }) =>
      expect(trace).toHaveCalledTools(record.tools, { extra: false }),
  },
});
