import type { Answer } from './answer.ts';

const CUT = 'was cut short';
const LIMIT = "Raise the model's token limit (max_tokens, max_output_tokens).";

/** How a model's reply ended, and what to do, by the reason of its answer. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['max_tokens', `${CUT} (max_tokens). ${LIMIT}`],
  ['context_window', `${CUT} (context_window). Name a model with a longer context.`],
  ['incomplete', `${CUT} (incomplete). Run again; if it stays so: ${LIMIT}`],
  ['refusal', 'was refused (refusal). Run again, or name another model.'],
]);

/** What became of a reply that did not end as one, for a sentence that it is the subject of; else null. */
export function describeUnfinished({ output, reason, cutShort }: Answer): string | null {
  return ENDS.get(cutShort ?? (output === null ? (reason ?? '') : '')) ?? null;
}

/** Whether a model, or its server, refused the prompt. */
export function isRefusal({ output, reason }: Answer): boolean {
  return output === null && reason === 'refusal';
}
