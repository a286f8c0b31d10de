import { quote, showValue } from '../text/show.ts';
import type { Attachment, Progress } from '../types.ts';
import type { MediaLimits, MediaPart } from './media.ts';

/** A JSON schema of an object, as the model providers take it; an MCP server's may hold any other keyword. */
type ObjectSchema = {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly [keyword: string]: unknown;
};

/** What surrounds one call of a tool. */
export type ToolContext = {
  /** Aborts at the sample's deadline: whatever the tool started ends with it. */
  readonly signal: AbortSignal;
  readonly attachments: readonly Attachment[];
  /** What the model can look at or listen to itself; nothing unless given. */
  readonly media?: MediaLimits;
  /** Turns speech into text; absent when the agent has no means to. Rejects with a sentence for the model. */
  readonly transcribe?: Transcribe;
  /** Ends the sample with this error: without the tool, an answer would say nothing about the agent. */
  giveUp?(error: Error): void;
  /** Called when the tool had to wait for a server: if the deadline passes later, that is no timeout of the agent. */
  onPutOff?(why: NonNullable<Progress['backOff']>): void;
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
  /** Raise it when the same call comes to mean something else: cached answers are then asked again. */
  readonly version?: string;
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutput>;
};

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

/**
 * A function that does its work once for each question and file, however often a model asks; failed work is repeated. A
 * model that pages through a file has it parsed, or transcribed and paid for, once.
 */
export function remember<T>(work: (name: string, context: ToolContext) => Promise<T>) {
  const done = new WeakMap<ToolContext, Map<string, Promise<T>>>();
  return (name: string, context: ToolContext): Promise<T> => {
    const files = done.get(context) ?? new Map<string, Promise<T>>();
    done.set(context, files);
    const result = files.get(name) ?? work(name, context);
    files.set(name, result);
    result.catch(() => files.delete(name));
    return result;
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
