import OpenAI from 'openai';
import { makeRecords } from './records.ts';

/*
 * What OpenAI's SDK alone measures: `node bare-sdk.ts AT_ONCE QUESTIONS stream|whole` asks the server of
 * OPENAI_BASE_URL and prints the latencies in ms as JSON.
 */

const [atOnce, count, form] = process.argv.slice(2);
const questions = makeRecords({ count: Number(count), wrong: 'none' }).map(
  ({ question }) => question,
);
const client = new OpenAI();
const latencies: number[] = [];

await Promise.all(Array.from({ length: Number(atOnce) }, askOn));
console.log(JSON.stringify(latencies));

async function askOn(): Promise<void> {
  for (let content = questions.shift(); content !== undefined; content = questions.shift()) {
    const started = performance.now();
    const asked = { model: 'made-up', messages: [{ role: 'user' as const, content }] };
    if (form === 'stream')
      for await (const _ of await client.chat.completions.create({ ...asked, stream: true }));
    else await client.chat.completions.create(asked);
    latencies.push(performance.now() - started);
  }
}
