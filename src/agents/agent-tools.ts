import { onOff } from '../text/setting-values.ts';
import { plural } from '../text/wording.ts';
import { openToolbox, type Toolbox, type ToolSetting } from '../tools/index.ts';
import type { AnswerContext, Question, ToolUse } from '../types.ts';

/** Parameters that take tools away: all, the pages of the web, those of MCP servers. */
export const TOOL_PARAMETERS = { tools: onOff(), fetch_page: onOff(), mcp: onOff() } as const;

/** A tool that the provider of an agent runs itself. */
export type HostedTool = {
  /** The API's word for it and its version. */
  readonly type: string;
  /** Whether it is told which sites to leave out; null when it reads no page. */
  readonly guarded: boolean | null;
};

type ToolValues = { readonly tools?: boolean; readonly fetch_page?: boolean; readonly mcp?: boolean };

/** What an agent may use: to run, to know its answers by, and to be told in the report. */
export type AgentTools = Pick<Toolbox, 'toolsFor'> & {
  /** The prompt, and for the tools of MCP servers where the attachments are: these take paths. */
  promptFor(question: Question, context: Pick<AnswerContext, 'workdir'>): string;
  readonly fingerprint: readonly unknown[];
  readonly use: ToolUse;
};

/** The tools of an agent: viva's own, those of the run's MCP servers, and what its provider runs itself. */
export async function gatherTools(
  { tools = true, fetch_page = true, mcp = true }: ToolValues,
  setting: ToolSetting,
  hosted: readonly HostedTool[],
): Promise<AgentTools> {
  const toolbox = await openToolbox(setting, { tools, fetch_page, mcp });
  return {
    toolsFor: toolbox.toolsFor,
    promptFor: ({ prompt, attachments }, context) =>
      toolbox.servers.length === 0 || attachments.length === 0
        ? prompt
        : `${prompt}\n\nThe attached files are in the folder ${context.workdir}, for tools that take a path.`,
    fingerprint: [toolbox.described, hosted],
    use: toToolUse(toolbox, hosted),
  };
}

function toToolUse({ own, servers }: Toolbox, hosted: readonly HostedTool[]): ToolUse {
  const reading = hosted.filter(({ guarded }) => guarded !== null);
  const web = own.includes('fetch_page') || reading.length > 0 || servers.length > 0;
  const isWhole = servers.length === 0 && reading.every(({ guarded }) => guarded);
  const isPart = own.includes('fetch_page') || reading.some(({ guarded }) => guarded);
  return {
    own,
    hosted: hosted.map(({ type }) => type),
    mcp: servers.map(({ name, version, tools }) => ({ server: name, version, tools: tools.map((tool) => tool.name) })),
    leak_guard: !web ? 'no web' : isWhole ? 'on' : isPart ? 'in part' : 'off',
  };
}

/** The same in a sentence for the report; the leak guard is only told where the dataset is GAIA. */
export function describeUse({ own, hosted, mcp }: ToolUse): string {
  const servers = mcp.map(({ server, version, tools }) => {
    return `MCP server ${server} ${version} (${plural(tools.length, 'tool')})`;
  });
  const used = [...own, ...hosted.map((type) => `the provider's ${type}`), ...servers];
  const fees = hosted.length === 0 ? '' : '; fees of the provider for its tools are in no cost';
  return `tools: ${used.length === 0 ? 'none' : used.join(', ')}${fees}.`;
}
