import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { MCP_LIMITS, McpConnection } from './connection.ts';
import { StdioTransport } from './transports.ts';

/** A server that is a script of the shell. */
function shell(script: string, env: Readonly<Record<string, string>> = {}, secrets: readonly string[] = []) {
  const rest = { command: 'sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin', ...env }, cwd: makeFolder() };
  return { kind: 'stdio', name: 'odd', secrets, ...rest } as const;
}

/** What a script says, as messages of the protocol, and what is known of it once it has ended. */
async function hear(script: string, env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioTransport(shell(script, env));
  const heard: unknown[] = [];
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onmessage = (message) => heard.push(message);
  await transport.start();
  return { transport, heard, ended };
}

const message = (text: string) => ({ jsonrpc: '2.0', method: 'note', params: { text } });

/** Writes what it is told byte by byte, so that a character comes in two parts. */
const IN_PARTS = `'${process.execPath}' -e 'const next = (bytes) => bytes.length && process.stdout.write(bytes.subarray(0, 1),
  () => setTimeout(next, 1, bytes.subarray(1))); next(Buffer.from(process.env.SAID))'`;

test('messages are heard however they come in parts, and nonsense between them does no harm', async () => {
  const lines = ['Server ready', '', JSON.stringify(message('añ€')), '[]\r', '{"a"', JSON.stringify(message('b')), ''];
  const { heard, ended } = await hear(IN_PARTS, { SAID: lines.join('\n') });
  await ended;
  expect(heard).toEqual([message('añ€'), message('b')]);
});

test('replies without a result are answered for, and no other object is taken for one', async () => {
  const lines = ['{"jsonrpc":"2.0","id":"a","result":null}', '{"id":5,"level":30}', '{"jsonrpc":"2.0","id":null}'];
  const { transport, heard, ended } = await hear('echo "$SAID"', { SAID: lines.join('\n') });
  await ended;
  expect(heard).toEqual([
    { jsonrpc: '2.0', id: 'a', error: { code: -32603, message: expect.stringContaining('no result') } },
  ]);
  expect(transport.describe()).toBe('it ended with exit code 0; it wrote 2 lines that are no MCP messages');
});

test('a server that reads no more is ended, and what it said last is known', async () => {
  const { transport, ended } = await hear('exec <&-; echo my last words >&2; sleep 60');
  onTestFinished(() => transport.close());
  await vi.waitUntil(() => transport.describe() !== '', 20_000);
  await transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 });
  await ended;
  expect(transport.describe()).toBe('it was ended by SIGTERM; its last words: my last words');
});

test('the last words of a server show no key that their limit has cut', async () => {
  const key = 'Qx7-aB3dE5fG7hJ9kL1m';
  const script = `printf '%s ' "$API_KEY" >&2; head -c 980 /dev/zero | tr '\\0' y >&2; exit 3`;
  const connection = new McpConnection(shell(script, { API_KEY: key }, [key]), MCP_LIMITS);
  await expect(connection.start()).rejects.toThrow('its last words: …[key] yyy');
});
