import { nameTools, type ToolUse } from '../words/answer.ts';
import type { Json, Question } from '../words/sample.ts';
import { listUp } from '../words/show.ts';
import { calculate } from './calculate.ts';
import type { McpSettings, OpenServer } from './mcp/mcp-file.ts';
import { readAttachment } from './read-attachment.ts';
import type { Tool } from './tool.ts';
import { createFetchPage } from './web/fetch-page.ts';
import type { WebAccess } from './web/request-page.ts';

/**
 * The tools that agents may use besides those of MCP servers. To add a tool, add its file and a
 * line here.
 */
function createTools({ web }: ToolSetting): readonly Tool[] {
  return [calculate, readAttachment, createFetchPage(web)];
}

export type ToolSetting = Readonly<{
  /** The MCP servers of the run; none unless given. */
  mcp?: McpSettings | null;
  /** How pages are fetched. Only tests set this. */
  web?: Partial<WebAccess>;
}>;

type ToolChoice = Readonly<Record<'tools' | 'fetch_page' | 'mcp', boolean>>;

export type Toolbox = Readonly<{
  /** The tools for a question: read_attachment only if the question has attachments. */
  toolsFor(question: Question<Json>): readonly Tool[];
  /**
   * What models are told of the tools, and their versions. They are part of the fingerprint, since
   * answers depend on them, and not on what an MCP server said otherwise.
   */
  described: readonly unknown[];
  /** The names of viva's own tools. */
  own: readonly string[];
  /** Whether one of viva's own tools fetches pages of the web. */
  readsWeb: boolean;
  servers: readonly OpenServer[];
}>;

/** Collects the tools of an agent. Starts the MCP servers of the run if they are not running. */
export async function openToolbox(setting: ToolSetting, choice: ToolChoice): Promise<Toolbox> {
  const vivaTools = choice.tools
    ? createTools(setting).filter(({ readsWeb }) => choice.fetch_page || !readsWeb)
    : [];
  const servers = choice.tools && choice.mcp ? await openMcp(setting) : [];
  const all = [...vivaTools, ...servers.flatMap(({ tools }) => tools)];
  return {
    toolsFor: ({ attachments }) =>
      attachments.length === 0 ? all.filter((tool) => tool !== readAttachment) : all,
    described: all.map(({ name, description, schema, version = '1' }) => [
      name,
      description,
      schema,
      version,
    ]),
    own: vivaTools.map(({ name }) => name),
    readsWeb: vivaTools.some(({ readsWeb }) => readsWeb),
    servers,
  };
}

/** The MCP library is loaded only if there are servers. */
async function openMcp({ mcp = null }: ToolSetting): Promise<readonly OpenServer[]> {
  if (mcp === null || mcp.servers.length === 0) return [];
  const { openServers } = await import('./mcp/server.ts');
  return openServers(mcp);
}

/** A tool that the provider of an agent runs itself. */
export type HostedTool = Readonly<{
  /** The API's name of the tool, with the version. */
  type: string;
  /** Whether it gets a list of sites to exclude; null if it reads no pages. */
  guarded: boolean | null;
}>;

/**
 * The tools of the agent, for the manifest: viva's own, those of MCP servers, and the provider's.
 */
export function toToolUse(
  { own, readsWeb, servers }: Toolbox,
  hosted: readonly HostedTool[],
): ToolUse {
  const guards = [
    ...(readsWeb ? [true] : []),
    ...hosted.flatMap(({ guarded }) => guarded ?? []),
    ...servers.map(() => false),
  ];
  const some = guards.some(Boolean) ? 'in part' : 'off';
  return {
    own,
    hosted: hosted.map(({ type }) => type),
    mcp: servers.map(({ name, version, at, tools, cut }) => ({
      server: name,
      version,
      at,
      tools: tools.map((tool) => tool.name),
      ...(cut.length > 0 && { cut }),
    })),
    leak_guard: guards.length === 0 ? 'no web' : guards.every(Boolean) ? 'on' : some,
  };
}

/** The tools of the agent, for the report. The report adds the leak guard for GAIA. */
export function describeUse(use: ToolUse): string {
  const fees =
    use.hosted.length === 0 ? '' : "; costs do not include the provider's fees for its tools";
  const cut = use.mcp.flatMap((server) => server.cut ?? []);
  const note = `; descriptions of more than 20,000 characters are cut: ${listUp(cut)}`;
  return `tools: ${nameTools(use)}${fees}${cut.length === 0 ? '' : note}.`;
}
