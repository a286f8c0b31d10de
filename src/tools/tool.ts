import { toMachineError } from '../processes/machine-error.ts';
import type { Progress } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import type { Attachment } from '../words/sample.ts';
import { cutLong, quote, showValue } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import type { MediaLimits, MediaPart } from './media.ts';

/**
 * A JSON schema of an object, as the model providers accept it. An MCP server's schema may have any
 * other keyword.
 */
type ObjectSchema = Readonly<{
  type: 'object';
  properties?: Readonly<Record<string, object>> | undefined;
  required?: readonly string[] | undefined;
  [keyword: string]: unknown;
}>;

/** The context of the tool calls of one sample. */
export type ToolContext = Readonly<{
  /** Aborts at the sample's deadline. Everything that the tool started must end then. */
  signal: AbortSignal;
  attachments: readonly Attachment[];
  /** The files that the model can see or hear itself; none if absent. */
  media?: MediaLimits;
  /** Converts speech to text; absent if the agent cannot. Rejects with a sentence for the model. */
  transcribe?: Transcribe;
  /**
   * Ends the sample with this error: without the tool, an answer would say nothing about the
   * agent.
   */
  giveUp?(error: Error): void;
  /**
   * Called when the tool must wait for a server, until the promise settles. This time is not part
   * of the latency.
   */
  onBackOff?(why: NonNullable<Progress['backOff']>, until: Promise<unknown>): void;
}>;

export type Transcribe = (name: string, bytes: Uint8Array) => Promise<string>;

/**
 * The arguments that a model wrote, by name. A model may ignore the schema, so tools check what
 * they use.
 */
export type ToolArguments = ReadonlyMap<string, unknown>;

/** The result of a tool: a string, or a text with files that are shown to the model. */
export type ToolOutput = string | Readonly<{ text: string; media: readonly MediaPart[] }>;

/** A tool of an agent. The model gets its errors and may try again. */
export type Tool = Readonly<{
  name: string;
  description: string;
  schema: ObjectSchema;
  readsWeb?: true;
  /**
   * Raise it when the same call gets another meaning: questions with cached answers are then asked
   * again.
   */
  version?: string;
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutput>;
}>;

/** The result of a call for the model. `media` are files that are shown with the text. */
export type ToolResult = Readonly<{
  output: string;
  media: readonly MediaPart[];
  failed: boolean;
}>;

const MAX_OUTPUT = 60_000;
const MAX_ERROR = 2_000;

/**
 * Runs a tool that a model asked for; `argumentsText` is JSON if the model followed the schema. For
 * a model's mistake or a failing tool, the result has the error; only the signal's reason is
 * thrown. If the machine cannot run the tool, the sample fails: without the tool the model would
 * give another answer.
 */
export async function runTool(
  tools: readonly Tool[],
  name: string,
  argumentsText: string,
  context: ToolContext,
): Promise<ToolResult> {
  // The call may have waited for others, and its sample may have ended.
  context.signal.throwIfAborted();
  try {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) {
      const names = tools.map((each) => each.name).join(', ') || 'none';
      throw new Error(`there is no tool ${quote(name)}. Tools: ${names}.`);
    }
    const output = await tool.run(parseArguments(argumentsText), context);
    const { text, media } = typeof output === 'string' ? { text: output, media: [] } : output;
    return { output: cutLong(text, MAX_OUTPUT), media, failed: false };
  } catch (error) {
    const lack = toMachineError(error, `run the tool ${quote(name)}`);
    if (lack !== null) context.giveUp?.(lack);
    context.signal.throwIfAborted();
    return { output: `Error: ${cutLong(messageOf(error), MAX_ERROR)}`, media: [], failed: true };
  }
}

/** Models may write an empty text for a tool without arguments. */
function parseArguments(text: string): ToolArguments {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() || '{}');
  } catch (cause) {
    const problem = `the arguments are not valid JSON (${messageOf(cause)})`;
    throw new Error(`${problem}. Call the tool again with corrected arguments.`, { cause });
  }
  if (isFields(value)) return new Map(Object.entries(value));
  throw new Error(
    `the arguments must be a JSON object, got ${showValue(value)}. Call the tool again.`,
  );
}

export function requiredText(args: ToolArguments, name: string): string {
  const value = args.get(name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(
    `${quote(name)} must be a non-empty string, got ${showValue(value)}. Call the tool again.`,
  );
}

export function optionalText(args: ToolArguments, name: string): string | null {
  return (args.get(name) ?? '') === '' ? null : requiredText(args, name);
}

/** A line number or similar. Models also write numbers in quotes. */
export function optionalCount(args: ToolArguments, name: string): number | null {
  const value = args.get(name) ?? '';
  if (value === '') return null;
  const count = typeof value === 'string' ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
  throw new Error(
    `${quote(name)} must be a whole number from 1 up, got ${showValue(value)}. Call the tool again.`,
  );
}
