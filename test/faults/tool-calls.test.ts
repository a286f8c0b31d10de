import { expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { chat, messages, responses } from '../agents/replies.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { faultSettings, runFaults, totalsOf } from './run-faults.ts';

/** Every tenth one takes a process; pages of this machine are refused at once. */
const CALLS = Array.from({ length: 300 }, (_, index) => ({
  id: `call_${index}`,
  name: index % 10 === 0 ? 'calculate' : 'fetch_page',
  args: index % 10 === 0 ? { code: `${index} + 0.5` } : { url: 'http://127.0.0.1/' },
}));
const ENCODED = CALLS.map((call) => ({ ...call, args: JSON.stringify(call.args) }));

const MANY = {
  openai: responses.calls(ENCODED),
  'openai-chat': chat.calls(ENCODED),
  anthropic: messages.calls(CALLS),
} as const;

/** A model that calls for all of them at once when it is asked about "many", and answers once it has been told the results. */
function reply({ path, body }: SeenRequest): Reply {
  const kind = path.includes('chat/completions') ? 'openai-chat' : path.includes('messages') ? 'anthropic' : 'openai';
  const isMany = JSON.stringify(body).includes('What is many?') && !JSON.stringify(body).includes('call_299');
  if (isMany) return MANY[kind];
  return APIS.find((api) => api.kind === kind)?.text('FINAL ANSWER: 17') ?? { fault: 'silent' };
}

test.each(APIS)(
  '$kind: a reply that calls for 300 tools costs no sample, and most of them are refused',
  async (api) => {
    const server = await startScriptedServer(reply);
    const run = await runFaults({
      ...faultSettings(['many', 'no-fault'], `${api.kind}:m`),
      OPENAI_API_KEY: 'none',
      ANTHROPIC_API_KEY: 'none',
      OPENAI_BASE_URL: api.base(server.url),
      ANTHROPIC_BASE_URL: api.base(server.url),
    });
    expect(run.outcomes).toEqual({ many: 'correct', 'no-fault': 'correct' });
    expect(totalsOf(run)).toMatchObject({ complete: true });
    const told = server.requests.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('call_299'));
    expect(told).toHaveLength(1);
    const [said = ''] = told;
    expect(said.split('not run, since one reply called for more than 128 tools').length - 1).toBe(300 - 128);
    expect(said).toContain('= 120.5');
    expect(said).not.toContain('= 130.5');
  },
);
