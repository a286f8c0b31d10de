import type { CutShort, TraceStep, Usage } from '../types.ts';

/** A call of a tool as the model asked for it; `arguments` is JSON if the model kept to the schema. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
};

/** Tokens of one request. Cache writes are part of `input_tokens`; only prices need them. */
export type TokenCounts = Usage & { readonly cache_write_tokens: number };

/** One reply of a model, whatever the API. */
export type Turn = {
  readonly text: string | null;
  /** What keeps the text from being a whole answer: null when it is one. What stands before a refusal is no answer. */
  readonly flaw: 'refusal' | CutShort | null;
  readonly reasoning: string | null;
  /** The calls to be run; empty when the model is done. */
  readonly calls: readonly ToolCall[];
  /** The calls that the provider ran itself; none unless given. */
  readonly served?: TraceStep['tool_calls'];
  /** Why the reply ended, in the provider's word. */
  readonly stop: string | null;
  /** Null when the server does not count. */
  readonly usage: TokenCounts | null;
  readonly model: string | null;
};
