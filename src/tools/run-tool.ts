import { cutMiddle } from './cut-middle.ts';
import type { Tool, ToolArguments, ToolContext } from './tool.ts';

/** What the model is told of a call. */
export type ToolResult = {
  readonly output: string;
  readonly failed: boolean;
};

const MAX_OUTPUT = 60_000;

/**
 * Runs a tool that a model asked for; `argumentsText` is JSON if the model kept to the schema. A model's mistake or a
 * failing tool is a result that says so; only the signal's own reason is thrown.
 */
export async function runTool(
  tools: readonly Tool[],
  name: string,
  argumentsText: string,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined) throw new Error(describeUnknown(name, tools));
    const output = await tool.run(parseArguments(argumentsText), context);
    return { output: cutMiddle(output, MAX_OUTPUT), failed: false };
  } catch (error) {
    context.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return { output: `Error: ${cutMiddle(message, 2_000)}`, failed: true };
  }
}

function describeUnknown(name: string, tools: readonly Tool[]): string {
  const known = tools.map((tool) => tool.name).join(', ') || 'none';
  return `there is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${known}.`;
}

/** Models write nothing for a tool without arguments. */
function parseArguments(text: string): ToolArguments {
  const value: unknown = text.trim() === '' ? {} : parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value));
  throw new Error(`the arguments must be a JSON object, got ${text.slice(0, 100)}. Call the tool again.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the arguments are not valid JSON (${reason}). Call the tool again with corrected arguments.`, {
      cause,
    });
  }
}
