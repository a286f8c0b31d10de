/**
 * Whether questions, truths, answers and what agents word themselves must not be shown (DESIGN 5.10): in CI, unless
 * EVAL_SHOW_GATED is set. Takes settings, also as a manifest has them.
 */
export function hidesRecords({ ci, showGated }: { readonly ci?: unknown; readonly showGated?: unknown }): boolean {
  return ci === true && showGated !== true;
}
