import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { chat } from '../../test/agents/replies.ts';
import { serve } from '../measure/serve.ts';
import { makeRecords } from './records.ts';

/*
 * A process of its own with a chat API on loopback: `node model-server.ts MILLISECONDS QUESTIONS`. It
 * prints its port, and returns the right answer after the while, as a stream if it is asked for one.
 */

const [ms, count] = process.argv.slice(2).map(Number);
const truths = makeRecords({ count: count ?? 0, wrong: 'none' }).map(({ truth }) => truth);

const { port } = await serve(async (request, response) => {
  const sent = await text(request);
  await sleep(ms);
  const shelf = Number(/Shelf (\d+) /.exec(sent)?.[1]);
  const answer = `FINAL ANSWER: ${truths[shelf]}`;
  if (!/"stream":true/.test(sent)) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(chat.text(answer).body));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const id = { id: 'c', object: 'chat.completion.chunk', model: 'made-up' };
  const deltas = [
    { role: 'assistant', content: '' },
    ...[...answer].map((content) => ({ content })),
  ];
  const choices = deltas.map((delta) => [{ index: 0, delta, finish_reason: null }]);
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const last = { ...id, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const chunks = [...choices.map((part) => ({ ...id, choices: part })), last];
  for (const chunk of [...chunks, { ...id, choices: [], usage }])
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
});
console.log(port);
