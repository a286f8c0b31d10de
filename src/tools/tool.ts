import type { Attachment, Progress } from '../types.ts';
import type { MediaLimits, MediaPart } from './media.ts';

/** A JSON schema of an object, as the model providers take it; an MCP server's may hold any other keyword. */
export type ObjectSchema = {
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
  /** Turns speech into text; absent when the agent has no means to. */
  readonly transcribe?: Transcribe;
  /** Ends the sample with this error: what the tool needs is gone for good, so that no answer would tell anything. */
  giveUp?(error: Error): void;
  /** Hears that what the tool needs put the call off: a deadline that runs out afterwards is no time-out. */
  onPutOff?(why: NonNullable<Progress['putOff']>): void;
};

/** Rejects with a sentence for the model when the file cannot be transcribed. */
export type Transcribe = (name: string, bytes: Uint8Array) => Promise<string>;

/** What a model wrote as arguments, by name; the schema is only a request to it, so tools check what they use. */
export type ToolArguments = ReadonlyMap<string, unknown>;

/** What a tool returns: a text alone, or with files for the model's own eyes; the text says what they are. */
export type ToolOutput = string | { readonly text: string; readonly media: readonly MediaPart[] };

/** Something an agent may use. A throw is told to the model, which may try again. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  /** To be raised when the same call comes to mean something else: kept answers are then asked again. */
  readonly version?: string;
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutput>;
};
