import { toMachineError } from '../processes/machine-error.ts';
import { quote } from '../text/show.ts';
import { type MediaPart, NO_MEDIA, refuseMedia } from './media.ts';
import { messageOf, type Tool, type ToolArguments, type ToolContext, type ToolOutput } from './tool.ts';

/** What the model is told of a call; `media` is what it is shown beside the text. */
export type ToolResult = {
  readonly output: string;
  readonly media: readonly MediaPart[];
  readonly failed: boolean;
};

const MAX_OUTPUT = 60_000;

/**
 * Runs a tool that a model asked for; `argumentsText` is JSON if the model kept to the schema. A model's mistake or a
 * failing tool is a result that says so; only the signal's own reason is thrown. A machine that cannot run the tool ends
 * the sample: what the model would answer without the tool is not its own answer.
 */
export async function runTool(
  tools: readonly Tool[],
  name: string,
  argumentsText: string,
  context: ToolContext,
): Promise<ToolResult> {
  // The call may have waited for others, and its sample may be over.
  context.signal.throwIfAborted();
  try {
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined) throw new Error(describeUnknown(name, tools));
    return toResult(await tool.run(parseArguments(argumentsText), context), context);
  } catch (error) {
    const lack = toMachineError(error, `run the tool ${quote(name)}`);
    if (lack !== null) context.giveUp?.(lack);
    context.signal.throwIfAborted();
    return { output: `Error: ${cutMiddle(messageOf(error), 2_000)}`, media: [], failed: true };
  }
}

/** A text of at most about `maxLength` characters: beginning and end stay, a note between them says what is left out. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const half = Math.floor(maxLength / 2);
  const left = text.slice(0, half).toWellFormed();
  const right = text.slice(-half).toWellFormed();
  return `${left}\n[... ${text.length - 2 * half} characters left out ...]\n${right}`;
}

/** For a file that the model cannot be shown, the text says why. */
function toResult(output: ToolOutput, { media: limits = NO_MEDIA }: ToolContext): ToolResult {
  const { text, media } = typeof output === 'string' ? { text: output, media: [] } : output;
  const refusals = media.flatMap((part) => refuseMedia(part, limits) ?? []);
  const shown = media.filter((part) => refuseMedia(part, limits) === null);
  return { output: [cutMiddle(text, MAX_OUTPUT), ...refusals].join('\n'), media: shown, failed: false };
}

function describeUnknown(name: string, tools: readonly Tool[]): string {
  const known = tools.map((tool) => tool.name).join(', ') || 'none';
  return `there is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${known}.`;
}

/** Models write nothing for a tool without arguments. */
function parseArguments(text: string): ToolArguments {
  const value = parseJson(text.trim() || '{}');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value));
  throw new Error(`the arguments must be a JSON object, got ${text.slice(0, 100)}. Call the tool again.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const problem = `the arguments are not valid JSON (${messageOf(cause)})`;
    throw new Error(`${problem}. Call the tool again with corrected arguments.`, { cause });
  }
}
