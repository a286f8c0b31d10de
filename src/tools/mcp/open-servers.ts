import { quote } from '../../records/show-value.ts';
import type { Tool } from '../tool.ts';
import { MCP_LIMITS, type McpLimits } from './mcp-connection.ts';
import type { McpServer, McpSettings } from './mcp-settings.ts';
import { loadTools, MAX_TOOLS } from './mcp-tools.ts';
import { RunningServer } from './running-server.ts';

/** A server that runs, with its tools. */
export type OpenServer = {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly Tool[];
  close(): Promise<void>;
};

/** The servers of this process by their settings: all suites and agents share them. */
const opened = new Map<string, Promise<readonly OpenServer[]>>();

/**
 * Starts the servers of a run, once in a process; they end with it. Rejects with every problem when one does not start
 * or lists no proper tools: a run without some of its tools would measure something else.
 */
export function openServers(settings: McpSettings, limits: McpLimits = MCP_LIMITS): Promise<readonly OpenServer[]> {
  const key = JSON.stringify(settings);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const opening = openAll(settings, limits);
  opened.set(key, opening);
  opening.catch(() => opened.delete(key));
  return opening;
}

async function openAll({ file, servers }: McpSettings, limits: McpLimits): Promise<readonly OpenServer[]> {
  const settled = await Promise.allSettled(servers.map((server) => openServer(server, limits)));
  const open = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const problems = settled.flatMap((result, index) =>
    result.status === 'rejected'
      ? [`MCP server ${quote(servers[index]?.name ?? '')}: ${messageOf(result.reason)}`]
      : [],
  );
  problems.push(...findClashes(open.flatMap(({ tools }) => tools)));
  if (problems.length === 0) return open;
  await Promise.all(open.map((server) => server.close()));
  throw new Error([...problems, `Correct ${file}, or set EVAL_MCP=off.`].join('\n'));
}

/** Starts one server and reads its list of tools; a server that fails at either has ended again. */
export async function openServer(server: McpServer, limits: McpLimits = MCP_LIMITS): Promise<OpenServer> {
  const running = await RunningServer.start(server, limits);
  try {
    const tools = await loadTools(running);
    return { name: running.name, version: running.version, tools, close: () => running.close() };
  } catch (error) {
    await running.close();
    throw error;
  }
}

function findClashes(tools: readonly Tool[]): readonly string[] {
  const names = tools.map(({ name }) => name);
  const clashing = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const tooMany =
    tools.length > MAX_TOOLS ? [`The MCP servers list ${tools.length} tools; at most ${MAX_TOOLS} go.`] : [];
  return [...[...clashing].map((name) => `Two MCP tools would have the name ${quote(name)}.`), ...tooMany];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
