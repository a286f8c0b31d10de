import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { makeAgent } from '../agents/ask-agent.ts';
import { chat, responses } from '../agents/replies.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { startServer } from '../loopback-server.ts';
import { areInstalled, askExample, FOLDER, PACKAGES } from './ask-example.ts';

const DATES = { from: '2031-01-01', to: '2031-03-01' };

/**
 * A model that asks for the tool before it answers; a word of the question tells it to do something
 * else.
 */
async function startModel() {
  let replies = 0;
  const hungUp = Promise.withResolvers<void>();
  const url = await startServer(async (request, response) => {
    const asked = await readAll(request);
    if (asked.includes('SILENT')) return void response.on('close', hungUp.resolve);
    if (asked.includes('BUSY'))
      return void response.writeHead(429, { 'retry-after-ms': '1' }).end('{}');
    const api = request.url?.endsWith('/responses') ? responses : chat;
    const id = String(++replies);
    const args = JSON.stringify(asked.includes('BROKEN') ? { from: 'x', to: 'y' } : DATES);
    const isAnswered =
      /function_call_output|"role":"tool"/.test(asked) && !asked.includes('ENDLESS');
    const { body } = isAnswered
      ? api.text('59 days')
      : api.calls([{ id, name: 'days_between', args }]);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...body, id }));
  });
  return { url, hungUp: hungUp.promise };
}

test.for<[name: string, atLimit: object]>([
  [
    'ai-sdk',
    { outcome: 'answered', answer: { output: '', steps: 3, usage: { input_tokens: 300 } } },
  ],
  ['mastra', { outcome: 'answered', answer: { output: '', steps: 3 } }],
  ['openai-agents', { outcome: 'answered', answer: { output: '', steps: 3 } }],
  [
    'langchain',
    {
      outcome: 'failed',
      error: {
        kind: 'agent_crash',
        message: expect.stringMatching(/^GraphRecursionError: Recursion limit of 6 /),
      },
    },
  ],
])(
  '%s shows its steps, keeps limit and deadline, and says when the provider is busy',
  async ([name, atLimit], { skip }) => {
    skip(!areInstalled, PACKAGES);
    const { url, hungUp } = await startModel();
    vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');
    vi.stubEnv('OPENAI_BASE_URL', `${url}/v1`);
    vi.spyOn(console, 'error').mockReturnValue();
    const agent = await makeAgent(`module:${FOLDER}/${name}.ts`, { load: vi.importActual });

    const usage = { input_tokens: 100, output_tokens: 10, cached_tokens: 40, reasoning_tokens: 4 };
    const twice = { input_tokens: 200, output_tokens: 20, cached_tokens: 80, reasoning_tokens: 8 };
    const call = {
      name: 'days_between',
      arguments: JSON.stringify(DATES),
      result: '59',
      failed: false,
    };
    const trace = [
      { tool_calls: [call], usage },
      { text: '59 days', tool_calls: [], usage },
    ];
    expect(await askExample(agent, 'How many days?')).toMatchObject({
      answer: {
        output: '59 days',
        model: expect.stringMatching(/gpt-5-mini$|^scripted-model/),
        steps: 2,
        usage: twice,
        trace,
      },
    });
    expect(await askExample(agent, 'BROKEN')).toMatchObject({
      answer: { trace: [{ tool_calls: [{ failed: true }] }, {}] },
    });
    expect(await askExample(agent, 'ENDLESS', { maxSteps: 3 })).toMatchObject(atLimit);
    expect(await askExample(agent, 'BUSY')).toMatchObject({
      error: { kind: 'rate_limit', status: 429 },
    });
    expect(await askExample(agent, 'SILENT', { deadlineMs: 500 })).toMatchObject({
      error: { kind: 'timed_out' },
    });
    await hungUp;
    expect(agent.remarks?.()).toEqual([]);
  },
);

test('the agents fit the types of their packages', async ({ skip }) => {
  skip(!areInstalled, PACKAGES);
  expect(
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [
      '--singleThreaded',
      '-p',
      FOLDER,
    ]),
  ).toMatchObject({ stdout: '' });
});

test('each agent has at most 35 lines of code', () => {
  const agents = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
  const lengths = agents.map((name) => {
    const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n');
    return lines.filter((line) => !/^\s*(?:\/[/*].*)?$/.test(line)).length;
  });
  expect(Math.max(...lengths)).toBeLessThanOrEqual(35);
});
