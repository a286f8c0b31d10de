import type { Answer } from './answer.ts';

const CUT = 'was cut short';
const LIMIT = 'Raise the token limit of the model (max_tokens, max_output_tokens).';

/** How a model's reply ended, and what to do, by the reason of its answer. */
const ENDS: ReadonlyMap<string, readonly [how: string, remedy: string]> = new Map([
  ['max_tokens', [CUT, LIMIT]],
  ['context_window', [CUT, 'Name a model with a longer context.']],
  ['incomplete', [CUT, LIMIT]],
  ['refusal', ['was refused', 'Run again, or name another model.']],
]);

/** What became of a reply that did not end as one, for a sentence that it is the subject of; else null. */
export function describeUnfinished({ output, reason, cutShort }: Answer): string | null {
  const why = cutShort ?? (output === null ? (reason ?? '') : '');
  const [how, remedy] = ENDS.get(why) ?? [];
  return how === undefined ? null : `${how} (${why}). ${remedy}`;
}

/** What helps against the reasons for which replies were cut short, each remedy once. */
export function adviseCuts(reasons: readonly string[]): string {
  return [...new Set(reasons.map((reason) => ENDS.get(reason)?.[1] ?? LIMIT))].join(' ');
}

/** Whether a model, or its server, refused the prompt. */
export function isRefusal({ output, reason }: Answer): boolean {
  return output === null && reason === 'refusal';
}
