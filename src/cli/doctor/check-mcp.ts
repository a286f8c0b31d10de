import { asksModel } from '../../agents/agent-spec.ts';
import { quote } from '../../records/show-value.ts';
import { plural } from '../../text/plural.ts';
import { findMcp, type McpServer } from '../../tools/mcp/mcp-file.ts';
import type { Finding } from './finding.ts';
import { withConfig } from './with-config.ts';

/** Whether the MCP servers of a run start and list their tools. They are ended again. */
export const mcp = withConfig('mcp', async (config, { env }) => {
  const used = config.mcp !== null || config.agents?.some(asksModel) === true;
  const settings = used ? findMcp(config.mcp, process.cwd(), env) : null;
  if (settings === null) return [{ status: 'ok', what: 'no server is set' }];
  if (settings.servers.length === 0) return [{ status: 'ok', what: `${settings.file} names no server` }];
  return Promise.all(settings.servers.map((server) => examine(server, settings.file)));
});

async function examine(server: McpServer, file: string): Promise<Finding> {
  const { openServer } = await import('../../tools/mcp/mcp-tools.ts');
  try {
    const { version, tools, close } = await openServer(server);
    await close();
    return { status: 'ok', what: `${server.name} ${version} starts and lists ${plural(tools.length, 'tool')}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: 'miss', what: `${quote(server.name)}: ${why}`, remedy: `Correct ${file}, or set EVAL_MCP=off.` };
  }
}
