import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { McpSettings } from './mcp-settings.ts';
import { readMcpFile } from './read-mcp-file.ts';

const USUAL = '.mcp.json';

/** The servers of the file that EVAL_MCP names, or else of `.mcp.json` where the project has one; null for "off". */
export function findMcp(
  setting: string | null,
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): McpSettings | null {
  if (setting === 'off' || (setting === null && !existsSync(resolve(root, USUAL)))) return null;
  const file = setting ?? USUAL;
  return { ...readMcpFile(resolve(root, file), env), file };
}
