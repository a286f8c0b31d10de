import { showValue } from '../text/show-value.ts';
import { nearest, plural } from '../text/wording.ts';
import { openToolbox, type Toolbox, type ToolSetting } from '../tools/index.ts';
import type { AnswerContext, Question, ToolUse, TraceStep } from '../types.ts';
import { oneOf, onOff, type Parameter } from './agent-spec.ts';
import { field, listField, textField } from './outside-value.ts';

/** Parameters that take tools away: all, the pages of the web, those of MCP servers. */
export const TOOL_PARAMETERS = { tools: onOff(), fetch_page: onOff(), mcp: onOff() } as const;

export type ToolValues = { readonly tools?: boolean; readonly fetch_page?: boolean; readonly mcp?: boolean };

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

/** Tools that a provider runs itself. */
const HOSTED_TOOLS = ['web_search', 'web_fetch', 'code_execution'] as const;

export type HostedName = (typeof HOSTED_TOOLS)[number];

/** One that an agent has. */
export type HostedTool = {
  /** The API's word for it and its version. */
  readonly type: string;
  /** Whether it is told which sites to leave out; null when it reads no page. */
  readonly guarded: boolean | null;
};

/** "on", "off" or a version of the tool by the API's own name. */
export function hostedTool<const T extends string = never>(...versions: readonly T[]): Parameter<'on' | 'off' | T> {
  return oneOf<'on' | 'off' | T>('on', 'off', ...versions);
}

/** The version to use, or null: the spec's parameter wins over the run's setting. */
export function chooseHosted<T extends string>(
  name: HostedName,
  value: 'on' | 'off' | T | undefined,
  usual: T,
  setting: readonly HostedName[],
): T | null {
  const chosen = value ?? (setting.includes(name) ? 'on' : 'off');
  return chosen === 'on' ? usual : chosen === 'off' ? null : chosen;
}

/** What is wrong with the committed setting, which no type checker may have seen. */
export function findHostedProblems(names: readonly unknown[]): readonly string[] {
  return names
    .filter((name) => !HOSTED_TOOLS.some((known) => known === name))
    .map((name) => {
      const meant = nearest(String(name), HOSTED_TOOLS);
      return `hostedTools in vitest.config.ts must name ${HOSTED_TOOLS.join(', ')}, got ${showValue(name)}. Did you mean ${meant}?`;
    });
}

/** A call of a tool that the provider ran itself, as the trace shows it. */
export type ServedCall = TraceStep['tool_calls'][number];

/** Of a reply of the Responses API: its searches and the code it ran. */
export function findResponsesCalls(items: readonly unknown[]): readonly ServedCall[] {
  return items
    .filter((item) => SERVED_ITEMS.some((type) => type === field(item, 'type')))
    .map((item) => ({
      name: textField(item, 'type')?.replace(/_call$/, '') ?? '',
      arguments: textField(item, 'code') ?? JSON.stringify(field(item, 'action') ?? {}),
      result: show(field(item, 'outputs')),
      failed: textField(item, 'status') === 'failed',
    }));
}

/** The items of the Responses API that stand for such a call. */
export const SERVED_ITEMS = ['web_search_call', 'code_interpreter_call'] as const;

/** Of a message of the Messages API: each call with the result that refers to it. */
export function findAnthropicCalls(blocks: readonly unknown[]): readonly ServedCall[] {
  const calls = blocks.filter((block) => field(block, 'type') === 'server_tool_use');
  return calls.map((call) => {
    const id = textField(call, 'id');
    const result = blocks.find((block) => id !== null && field(block, 'tool_use_id') === id);
    const content = field(result, 'content');
    return {
      name: textField(call, 'name') ?? '',
      arguments: JSON.stringify(field(call, 'input') ?? {}),
      result: show(Array.isArray(content) ? listField(result, 'content').map(withoutCipher) : withoutCipher(content)),
      failed: textField(content, 'error_code') !== null,
    };
  });
}

/** Search results come with their text enciphered. */
function withoutCipher(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'encrypted_content'));
}

function show(result: unknown): string | null {
  return result === undefined || result === null ? null : JSON.stringify(result);
}
