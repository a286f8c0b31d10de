/**
 * Overlap of two sets of options, shown beside the verdict: Jaccard index and F1 of options, both 0 to 1. `chosen` is
 * null where nothing was chosen; two empty sets (NONE expected and stated) overlap fully.
 */
export function partialCredit(
  right: readonly string[],
  chosen: readonly string[] | null,
): { readonly jaccard: number; readonly option_f1: number } {
  if (chosen === null) return { jaccard: 0, option_f1: 0 };
  const common = chosen.filter((label) => right.includes(label)).length;
  const both = right.length + chosen.length;
  if (both === 0) return { jaccard: 1, option_f1: 1 };
  return { jaccard: common / (both - common), option_f1: (2 * common) / both };
}
