import { hash } from 'node:crypto';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { quote } from '../../records/show-value.ts';
import type { ObjectSchema, Tool } from '../tool.ts';
import { toToolOutput } from './mcp-output.ts';
import type { RunningServer } from './running-server.ts';

/** Providers take 128 in one request, of which viva's own and theirs need some. */
export const MAX_TOOLS = 120;
const MAX_SCHEMA = 50_000;
const MAX_DEPTH = 50;
const MAX_DESCRIPTION = 1_024;
const MAX_NAME = 64;

/** A server's tools as agents use them, in the order of their names. Throws with a sentence when they are nonsense. */
export async function loadTools(server: RunningServer): Promise<readonly Tool[]> {
  const listed = await server.listTools(MAX_TOOLS);
  if (listed.length > MAX_TOOLS)
    throw new Error(`it lists more than ${MAX_TOOLS} tools: more than a request may hold.`);
  const names = listed.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`it lists the tool ${quote(server.hide(repeated))} twice.`);
  const tools = listed.map((tool) => toTool(tool, server));
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The server hears its own name at a call; where that holds a key, nobody else does. */
function toTool({ name, description = '', inputSchema }: ListedTool, server: RunningServer): Tool {
  return {
    name: toToolName(server.name, server.hideInName(name)),
    description: server.hide(description).slice(0, MAX_DESCRIPTION).toWellFormed(),
    schema: hideIn(checkSchema(inputSchema, server.hide(name)), (text) => server.hideInName(text)),
    version: server.version,
    run: async (args, context) => {
      const result = await server.callTool(name, Object.fromEntries(args), context);
      return toToolOutput(result, (text) => server.hide(text), context);
    },
  };
}

/** "server__tool" in the letters and the length that every provider takes. */
export function toToolName(server: string, tool: string): string {
  const name = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 9)}_${hash('sha256', name).slice(0, 8)}`;
}

function checkSchema(schema: ListedTool['inputSchema'], name: string): ObjectSchema {
  if (isWithin(schema, MAX_DEPTH) && JSON.stringify(schema).length <= MAX_SCHEMA) return schema;
  const limits = `at most ${MAX_SCHEMA} characters and ${MAX_DEPTH} levels`;
  throw new Error(`the input schema of ${quote(name)} is too large or too deep (${limits}).`);
}

/** Names of properties too, and in one form: "required" names them again. */
function hideIn<T>(value: T, hide: (text: string) => string): T;
function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((part) => hideIn<unknown>(part, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [hide(name), hideIn<unknown>(part, hide)]));
}

function isWithin(value: object, levels: number): boolean {
  const inner = Object.values(value).filter((part) => typeof part === 'object' && part !== null);
  return levels > 0 && inner.every((part) => isWithin(part, levels - 1));
}
