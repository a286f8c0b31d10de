import type { Attachment } from '../types.ts';

/** A JSON schema of an object, as the model providers take it. */
type ObjectSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
  readonly required: readonly string[];
};

/** What surrounds one call of a tool. */
export type ToolContext = {
  /** Aborts at the sample's deadline: whatever the tool started ends with it. */
  readonly signal: AbortSignal;
  readonly attachments: readonly Attachment[];
};

/** What a model wrote as arguments, by name; the schema is only a request to it, so tools check what they use. */
export type ToolArguments = ReadonlyMap<string, unknown>;

/** Something an agent may use. A throw is told to the model, which may try again. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  run(args: ToolArguments, context: ToolContext): Promise<string>;
};
