import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { McpServer, OpenServer } from '../../src/tools/mcp/mcp-file.ts';
import { openServer } from '../../src/tools/mcp/server.ts';
import { runTool, type Tool, type ToolContext } from '../../src/tools/tool.ts';
import { COMPILED } from '../compile-cache.ts';

// A busy machine takes seconds to write 10 MB.
export const LIMITS = { startMs: 60_000, callMs: 2_500, pauseMs: 10 };

/** The key of the server in its variables. */
export const KEY = 'abcdefgh-1234';

/**
 * The settings of a server that goes wrong as `mode` says; `words` follow it on its command line.
 */
export function oddServer(
  mode: string,
  ...words: readonly string[]
): McpServer & { readonly kind: 'stdio' } {
  return {
    kind: 'stdio',
    name: 'odd',
    command: process.execPath,
    args: [join(import.meta.dirname, 'odd-server.ts'), mode, ...words],
    env: { PATH: process.env['PATH'] ?? '', ...COMPILED, API_KEY: KEY },
    cwd: import.meta.dirname,
    secrets: [KEY],
  };
}

/** The same server, started; it ends with the test. */
export async function openOdd(mode: string, ...words: readonly string[]): Promise<OpenServer> {
  const server = await openServer(oddServer(mode, ...words), LIMITS);
  onTestFinished(() => server.close());
  return server;
}

/** Calls a tool of it as a model would. */
export function callOdd(
  tools: readonly Tool[],
  name: string,
  args: object = {},
  context: Partial<ToolContext> = {},
) {
  const media = { image: 1_000, pdf: 1_000, audio: 1_000 };
  const signal = new AbortController().signal;
  return runTool(tools, `odd__${name}`, JSON.stringify(args), {
    signal,
    attachments: [],
    media,
    ...context,
  });
}
