import { toMachineError } from '../processes/machine-error.ts';
import { isFields } from '../records/record.ts';
import { quote, showValue } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import type { Attachment, Progress } from '../types.ts';
import type { MediaLimits, MediaPart } from './media.ts';

/** A JSON schema of an object, as the model providers take it; an MCP server's may hold any other keyword. */
type ObjectSchema = {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly [keyword: string]: unknown;
};

/** What surrounds the tool calls of one sample. */
export type ToolContext = {
  /** Aborts at the sample's deadline: whatever the tool started ends with it. */
  readonly signal: AbortSignal;
  readonly attachments: readonly Attachment[];
  /** What the model can look at or listen to itself; nothing unless given. */
  readonly media?: MediaLimits;
  /** Turns speech into text; absent when the agent cannot. Rejects with a sentence for the model. */
  readonly transcribe?: Transcribe;
  /** Ends the sample with this error: without the tool, an answer would say nothing about the agent. */
  giveUp?(error: Error): void;
  /** Called when the tool has to wait for a server, until the promise settles: that is no time of the agent. */
  onBackOff?(why: NonNullable<Progress['backOff']>, until: Promise<unknown>): void;
};

export type Transcribe = (name: string, bytes: Uint8Array) => Promise<string>;

/** What a model wrote as arguments, by name. The schema does not bind the model, so tools check what they use. */
export type ToolArguments = ReadonlyMap<string, unknown>;

/** What a tool returns: a text alone, or a text and the files that it is about, which the model is shown. */
export type ToolOutput = string | { readonly text: string; readonly media: readonly MediaPart[] };

/** Something an agent may use. What it throws is told to the model, which may try again. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  /** It fetches pages of the web. */
  readonly readsWeb?: true;
  /** Raise it when the same call comes to mean something else: cached answers are then asked again. */
  readonly version?: string;
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutput>;
};

/** What the model is told of a call; `media` is what it is shown beside the text. */
export type ToolResult = {
  readonly output: string;
  readonly media: readonly MediaPart[];
  readonly failed: boolean;
};

const MAX_OUTPUT = 60_000;
const MAX_ERROR = 2_000;

/**
 * Runs a tool that a model asked for; `argumentsText` is JSON if the model kept to the schema. A model's mistake or a
 * failing tool gives a result that says so; only the signal's reason is thrown. A machine that cannot run the tool ends
 * the sample, since without the tool the model would not give its own answer.
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
    if (tool === undefined) {
      const known = tools.map((known) => known.name).join(', ') || 'none';
      throw new Error(`there is no tool ${quote(name)}. Tools: ${known}.`);
    }
    const output = await tool.run(parseArguments(argumentsText), context);
    const { text, media } = typeof output === 'string' ? { text: output, media: [] } : output;
    return { output: cutMiddle(text, MAX_OUTPUT), media, failed: false };
  } catch (error) {
    const lack = toMachineError(error, `run the tool ${quote(name)}`);
    if (lack !== null) context.giveUp?.(lack);
    context.signal.throwIfAborted();
    return { output: `Error: ${cutMiddle(messageOf(error), MAX_ERROR)}`, media: [], failed: true };
  }
}

/** Models write nothing for a tool without arguments. */
function parseArguments(text: string): ToolArguments {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() || '{}');
  } catch (cause) {
    const problem = `the arguments are not valid JSON (${messageOf(cause)})`;
    throw new Error(`${problem}. Call the tool again with corrected arguments.`, { cause });
  }
  if (isFields(value)) return new Map(Object.entries(value));
  throw new Error(`the arguments must be a JSON object, got ${showValue(value)}. Call the tool again.`);
}

/** A text of at most about `maxLength` characters: the beginning and the end, with a note of what is left out. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const half = Math.floor(maxLength / 2);
  const left = text.slice(0, half).toWellFormed();
  const right = text.slice(-half).toWellFormed();
  return `${left}\n[... ${text.length - 2 * half} characters left out ...]\n${right}`;
}

export function requiredText(args: ToolArguments, name: string): string {
  const value = args.get(name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${quote(name)} must be a text that is not empty, got ${showValue(value)}. Call the tool again.`);
}

export function optionalText(args: ToolArguments, name: string): string | null {
  return (args.get(name) ?? '') === '' ? null : requiredText(args, name);
}

/** A line number or the like. Models also write numbers in quotes. */
export function optionalCount(args: ToolArguments, name: string): number | null {
  const value = args.get(name) ?? '';
  if (value === '') return null;
  const count = typeof value === 'string' ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
  throw new Error(`${quote(name)} must be a whole number from 1 up, got ${showValue(value)}. Call the tool again.`);
}
