import { hash } from 'node:crypto';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { redact, redactIn } from '../../text/secrets.ts';
import { quote } from '../../text/show.ts';
import { playAudio, showImage } from '../media.ts';
import { detectKind } from '../readers/file-kind.ts';
import { readDocument } from '../readers/index.ts';
import { messageOf, type Tool, type ToolContext, type ToolOutput } from '../tool.ts';
import { MCP_LIMITS, type McpLimits } from './connection.ts';
import type { McpServer, McpSettings } from './mcp-file.ts';
import { connect, RunningServer } from './running-server.ts';

/** A server that runs, with its tools. */
export type OpenServer = {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly Tool[];
  close(): Promise<void>;
};

/** Providers take 128 in one request, of which viva's own and theirs need some. */
const MAX_TOOLS = 120;
const MAX_SCHEMA = 50_000;
const MAX_DESCRIPTION = 1_024;
const MAX_NAME = 64;

/** The servers of this process by their settings: all suites and agents share them. */
const opened = new Map<string, Promise<readonly OpenServer[]>>();

/**
 * Starts the servers of a run, once in a process; they end with it. Rejects with every problem when one does not start
 * or lists tools that no model can use: a run without some of its tools would measure something else.
 */
export function openServers(settings: McpSettings, limits: McpLimits = MCP_LIMITS): Promise<readonly OpenServer[]> {
  const key = JSON.stringify(settings);
  const opening = opened.get(key) ?? openAll(settings, limits);
  opened.set(key, opening);
  opening.catch(() => opened.delete(key));
  return opening;
}

async function openAll({ file, servers }: McpSettings, limits: McpLimits): Promise<readonly OpenServer[]> {
  const settled = await Promise.allSettled(servers.map((server) => openServer(server, limits)));
  const open = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const problems = settled.flatMap((result, index) =>
    result.status === 'fulfilled' ? [] : `MCP server ${quote(servers[index]?.name ?? '')}: ${messageOf(result.reason)}`,
  );
  problems.push(
    ...findProblems(open.flatMap(({ tools }) => tools)).map((problem) => `MCP servers together: ${problem}`),
  );
  if (problems.length === 0) return open;
  await Promise.all(open.map((server) => server.close()));
  throw new Error([...problems, `Correct ${file}, or set EVAL_MCP=off.`].join('\n'));
}

/** Starts one server and reads its list of tools; a server that fails at either has ended again. */
export async function openServer(server: McpServer, limits: McpLimits = MCP_LIMITS): Promise<OpenServer> {
  const running = new RunningServer(server, limits, await connect(server, limits));
  try {
    const listed = await running.listTools(MAX_TOOLS);
    const tools = listed.map((tool) => toTool(tool, running)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const [problem] = findProblems(tools);
    if (problem !== undefined) throw new Error(problem);
    return { name: running.name, version: running.version, tools, close: () => running.close() };
  } catch (error) {
    await running.close();
    throw error;
  }
}

function findProblems(tools: readonly Tool[]): readonly string[] {
  const names = tools.map(({ name }) => name);
  const clashing = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const large = tools.filter(({ schema }) => JSON.stringify(schema).length > MAX_SCHEMA);
  return [
    ...(tools.length > MAX_TOOLS ? [`more than ${MAX_TOOLS} tools are listed, and no request takes more.`] : []),
    ...[...clashing].map((name) => `two tools would have the name ${quote(name)}.`),
    ...large.map(({ name }) => `the input schema of ${quote(name)} has more than ${MAX_SCHEMA} characters.`),
  ];
}

/** A tool as agents use it. The server hears its own name at a call; where that holds a key, nobody else does. */
function toTool({ name, description = '', inputSchema }: ListedTool, server: RunningServer): Tool {
  const { version, secrets } = server;
  return {
    name: toToolName(server.name, redact(name, secrets)),
    description: redact(description, secrets).slice(0, MAX_DESCRIPTION).toWellFormed(),
    schema: redactIn(inputSchema, secrets),
    version,
    run: async (args, context) =>
      toToolOutput(await server.callTool(name, Object.fromEntries(args), context), secrets, context),
  };
}

/** "server__tool" in the letters and the length that every provider takes. */
export function toToolName(server: string, tool: string): string {
  const name = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 9)}_${hash('sha256', name).slice(0, 8)}`;
}

/** The result of a call: its texts, and its pictures beside them. A tool's own error is thrown, as all tools do. */
async function toToolOutput(
  { content, structuredContent, isError }: CallToolResult,
  secrets: readonly string[],
  context: ToolContext,
): Promise<ToolOutput> {
  const parts = await Promise.all(content.map((block, index) => toPart(block, index, secrets, context)));
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.text)).filter((text) => text !== '');
  // Keys are hidden before it is written as JSON, which writes some characters of a key in another way.
  const structure = content.length === 0 ? JSON.stringify(redactIn(structuredContent, secrets)) : undefined;
  const text = redact(texts.join('\n') || (structure ?? '(the tool returned nothing)'), secrets);
  if (isError === true) throw new Error(text);
  return { text, media: parts.flatMap((part) => (typeof part === 'string' ? [] : part.media)) };
}

function toPart(
  block: CallToolResult['content'][number],
  index: number,
  secrets: readonly string[],
  context: ToolContext,
): ToolOutput | Promise<ToolOutput> {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
  if (block.type !== 'resource') return readFile(`${block.type} ${index + 1}`, block.data, context);
  if ('text' in block.resource) return block.resource.text;
  // The name of a file goes out with the file, beside the text.
  return readFile(redact(block.resource.uri, secrets), block.resource.blob, context);
}

/** As attachments are read: by its content, and a broken picture never reaches an API. */
async function readFile(name: string, base64: string, context: ToolContext): Promise<ToolOutput> {
  const bytes = Buffer.from(base64, 'base64');
  try {
    const file = { name, bytes, kind: detectKind(bytes) };
    const shown = showImage(file, context) ?? playAudio(file, context);
    return shown ?? `[${name}]\n${(await readDocument(bytes, name, context)).text}`;
  } catch (error) {
    context.signal.throwIfAborted();
    return `[${messageOf(error)}]`;
  }
}
