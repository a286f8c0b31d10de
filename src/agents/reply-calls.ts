import pLimit from 'p-limit';
import type { ToolResult } from '../tools/run-tool.ts';

/** Calls of one reply that run side by side: a reply may ask for thousands, and other samples need the machine too. */
const MOST_AT_ONCE = 8;
/** Calls of one reply that are run at all; models ask for a handful. */
const MOST_CALLS = 128;
const TOO_MANY: ToolResult = {
  output: `Error: not run, since one reply called for more than ${MOST_CALLS} tools. Call for fewer at a time.`,
  media: [],
  failed: true,
};

/** The calls of tools that one reply asks for, in their order. */
export class ReplyCalls {
  readonly #limit = pLimit(MOST_AT_ONCE);
  #count = 0;

  /** Runs a call in its turn; one too many is told to the model instead. */
  run(call: () => Promise<ToolResult>): Promise<ToolResult> {
    this.#count++;
    return this.#count > MOST_CALLS ? Promise.resolve(TOO_MANY) : this.#limit(call);
  }
}
