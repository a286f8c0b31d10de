import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../../src/index.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { askAgent } from './ask-agent.ts';
import { type Reply, startScriptedServer } from './scripted-server.ts';

/** A folder with a module that is an agent, beside the packages of this project. */
function makeModule(source: string): string {
  const folder = makeFolder({ 'agent.ts': source });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'agent.ts');
}

/** The error, or the answer, of a module that does this and nothing else. */
const failWith = (body: string) =>
  askAgent(`module:${makeModule(`export default async () => { ${body} };`)}`).catch(
    (error: unknown) => error,
  );

/** Code that asks a model through an SDK that does not try again. */
const askOpenai = (url: string) =>
  `const { default: OpenAI } = await import('openai');
   const client = new OpenAI({ baseURL: '${url}/v1', apiKey: 'k', maxRetries: 0, logLevel: 'off' });
   await client.responses.create({ model: 'm', input: 'x' });`;
const askAnthropic = (url: string) =>
  `const { default: Anthropic } = await import('@anthropic-ai/sdk');
   const client = new Anthropic({ baseURL: '${url}', apiKey: 'k', maxRetries: 0, logLevel: 'off' });
   await client.messages.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] });`;

const refuse = (status: number, code = 'none'): Reply => ({
  status,
  body: { error: { message: 'refused', code, type: code } },
});

describe.each([
  ['openai', askOpenai],
  ['@anthropic-ai/sdk', askAnthropic],
] as const)('what %s throws in a module', (_, askModel) => {
  test.each([
    [401, 'auth', refuse(401)],
    [429, 'quota', refuse(429, 'insufficient_quota')],
    [null, 'network', { fault: 'reset' }],
  ] as const)('%s is %s', async (status, kind, reply) => {
    const { url } = await startScriptedServer([reply]);
    expect(await failWith(askModel(url))).toMatchObject({ kind, status });
  });
});

describe('what a module throws', () => {
  test('is recognized inside the errors that wrap it', async () => {
    const { url } = await startScriptedServer([refuse(429)]);
    const body = `try { ${askOpenai(url)} } catch (cause) { throw new Error('step 3 failed', { cause }); }`;
    expect(await failWith(body)).toMatchObject({
      kind: 'rate_limit',
      message: expect.stringMatching(/step 3 failed/),
    });
  });

  test.each([
    [
      'a server that is not there, by a socket',
      `const { connect } = await import('node:net');
       await new Promise((_, reject) => connect(1, '127.0.0.1').on('error', reject));`,
      'network',
    ],
    [
      'a status under another name',
      'throw Object.assign(new Error("busy"), { statusCode: 503 })',
      'server',
    ],
    [
      'the last error of several tries',
      'throw Object.assign(new Error("x"), { lastError: Object.assign(new Error("busy"), { statusCode: 429 }) })',
      'rate_limit',
    ],
    [
      'a code without a status',
      'throw Object.assign(new Error("x"), { code: "rate_limit_exceeded" })',
      'rate_limit',
    ],
    [
      'a program that took too long',
      "(await import('node:child_process')).execSync('sleep 5', { timeout: 50 })",
      'agent_crash',
    ],
    [
      'a script that took too long',
      "(await import('node:vm')).runInNewContext('for(;;);', {}, { timeout: 20 })",
      'agent_crash',
    ],
    [
      'an error that causes itself',
      'const e = new Error("x"); e.cause = e; throw e',
      'agent_crash',
    ],
    [
      'an object of no class',
      'throw Object.assign(Object.create(null), { status: 429 })',
      'rate_limit',
    ],
  ])('is recognized: %s', async (_, body, kind) => {
    expect(await failWith(body)).toMatchObject({ kind });
  });

  const throwing = (kind: string) =>
    `const { AgentError } = await import('${join(ROOT, 'src/index.ts')}');
     throw new AgentError('${kind}', 'said so', { status: 418 });`;

  test('is kept as it is where it says its kind itself', async () => {
    const error = await failWith(throwing('server'));
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ kind: 'server', message: 'said so', status: 418 });
  });

  test('is refused where there is no such kind', async () => {
    expect(await failWith(throwing('busy'))).toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining('got "busy"'),
    });
  });
});
