import { expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { askAgent } from '../agents/ask-agent.ts';
import { chat, messages, responses } from '../agents/replies.ts';
import { type Reply, startScriptedServer } from '../agents/scripted-server.ts';

/** One in forty takes a process; pages of this machine are refused at once. */
const CALLS = Array.from({ length: 300 }, (_, index) => ({
  id: `call_${index}`,
  name: index % 40 === 0 ? 'calculate' : 'fetch_page',
  args: index % 40 === 0 ? { code: `${index} + 0.5` } : { url: 'http://127.0.0.1/' },
}));
const ENCODED = CALLS.map((call) => ({ ...call, args: JSON.stringify(call.args) }));

const MANY = new Map<string, Reply>([
  ['openai', responses.calls(ENCODED)],
  ['openai-chat', chat.calls(ENCODED)],
  ['anthropic', messages.calls(CALLS)],
]);

test.each(APIS)('$kind: of a reply that calls for 300 tools most are refused, and it is answered', async (api) => {
  const many = MANY.get(api.kind) ?? api.text('no such API');
  const server = await startScriptedServer([many, api.text('FINAL ANSWER: 17')]);
  const { text } = await askAgent(`${api.kind}:m?base_url=${api.base(server.url)}`);
  expect(text).toBe('FINAL ANSWER: 17');
  const said = JSON.stringify(server.requests[1]?.body);
  expect(said.split('not run, since one reply called for more than 128 tools').length - 1).toBe(300 - 128);
  expect(said).toContain('= 120.5');
  expect(said).not.toContain('= 160.5');
});
