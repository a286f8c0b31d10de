import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { MCP_LIMITS, McpConnection } from './mcp-connection.ts';
import { StdioTransport } from './stdio-transport.ts';

const at = (path: string) => new URL(path, import.meta.url).href;

/** A program that takes all files but `spare` that it may open, and starts a server; and again with files to spare. */
const START_WITHOUT_FILES = `
import { closeSync, openSync } from 'node:fs';
import { openServer } from '${at('./open-servers.ts')}';
const [spare, script] = process.argv.slice(1);
const command = { kind: 'stdio', name: 'odd', command: process.execPath, args: [script], env: {}, cwd: '/', secrets: [] };
const start = () => openServer(command).then(({ name, close }) => close().then(() => name), ({ message }) => message);
const taken = [];
try { for (;;) taken.push(openSync('/dev/null')); } catch {}
for (const file of taken.splice(0, Number(spare))) closeSync(file);
const without = await start();
for (const file of taken) closeSync(file);
console.log(JSON.stringify([without, await start()]));
`;

test.each([0, 6])(
  'a server that cannot be started with %i files to spare is said to be that, and starts later',
  (spare) => {
    const words = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e'];
    const script = new URL('../../../test/mcp/odd-server.ts', import.meta.url).pathname;
    const output = execFileSync('/bin/sh', [...words, START_WITHOUT_FILES, String(spare), script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([expect.stringMatching(/^it did not start: .*EMFILE/), 'odd']);
  },
);

test('a message that a server does not read any more fails once it is known how the server ended', async () => {
  const folder = makeFolder();
  const script = 'exec <&-; touch deaf; sleep 0.3; echo my last words >&2; exit 3';
  const server = { name: 'deaf', command: 'sh', args: ['-c', script], env: {}, cwd: folder, secrets: [] };
  const transport = new StdioTransport({ kind: 'stdio', ...server });
  await transport.start();
  await vi.waitUntil(() => existsSync(join(folder, 'deaf')), 20_000);
  await expect(transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 })).rejects.toThrow('EPIPE');
  expect(transport.describe()).toBe('it ended with exit code 3; its last words: my last words');
});

test('the last words of a server show no key that their limit has cut', async () => {
  const key = 'Qx7-aB3dE5fG7hJ9kL1m';
  const script = `printf '%s ' "$API_KEY" >&2; head -c 980 /dev/zero | tr '\\0' y >&2; exit 3`;
  const env = { PATH: '/usr/bin:/bin', API_KEY: key };
  const server = { name: 'odd', command: 'sh', args: ['-c', script], env, cwd: makeFolder(), secrets: [key] };
  const connection = new McpConnection({ kind: 'stdio', ...server }, MCP_LIMITS);
  await expect(connection.start()).rejects.toThrow('its last words: …[key] yyy');
});
