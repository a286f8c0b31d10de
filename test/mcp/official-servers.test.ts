import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { McpServer, OpenServer } from '../../src/tools/mcp/mcp-file.ts';
import { openServer } from '../../src/tools/mcp/server.ts';
import { runTool } from '../../src/tools/tool.ts';

/* The servers that the protocol's own people publish, as they are installed. */

const require = createRequire(import.meta.url);
const EVERYTHING = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

async function open(server: McpServer): Promise<OpenServer> {
  const opened = await openServer(server);
  onTestFinished(() => opened.close());
  return opened;
}

function overStdio(): Promise<OpenServer> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const args = [EVERYTHING, 'stdio'];
  const rest = { command: process.execPath, args, env, cwd: import.meta.dirname, secrets: [] };
  return open({ kind: 'stdio', name: 'everything', ...rest });
}

/** A process of its own, reached by its address. */
async function overHttp(): Promise<OpenServer> {
  const args = [
    '--import',
    join(import.meta.dirname, 'loopback-only.mjs'),
    EVERYTHING,
    'streamableHttp',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = /PORT=(\d+)\n/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return open({
    kind: 'http',
    name: 'everything',
    url: `http://127.0.0.1:${port}/mcp`,
    headers: {},
    secrets: [],
  });
}

function call({ tools }: OpenServer, name: string, args: object) {
  const media = { image: 1_000_000, pdf: 0, audio: 0 };
  return runTool(tools, name, JSON.stringify(args), {
    signal: new AbortController().signal,
    attachments: [],
    media,
  });
}

test.each([
  ['stdio', overStdio],
  ['streamable HTTP', overHttp],
])(
  'the tools, results, errors and pictures of server-everything over %s reach an agent, also after a call that is cut off',
  async (_, start) => {
    const server = await start();
    expect(server.tools.length).toBeGreaterThan(5);
    const context = { signal: AbortSignal.timeout(200), attachments: [] };
    const name = 'everything__trigger-long-running-operation';
    await expect(
      runTool(server.tools, name, '{"duration":20,"steps":2}', context),
    ).rejects.toThrow();
    expect(await call(server, 'everything__echo', { message: 'hi' })).toMatchObject({
      output: 'Echo: hi',
      failed: false,
    });
    expect((await call(server, 'everything__get-sum', { a: 40, b: 2 })).output).toContain('42');
    expect(await call(server, 'everything__get-sum', { a: 'x' })).toMatchObject({ failed: true });
    const picture = await call(server, 'everything__get-tiny-image', {});
    expect(picture.media).toMatchObject([{ kind: 'image', mediaType: 'image/png' }]);
  },
);
