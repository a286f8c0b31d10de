const collator = new Intl.Collator('en', { numeric: true });

/** Orders names as people do: "level 2" before "level 10". Total: only identical names compare as 0. */
export function compareNaturally(left: string, right: string): number {
  // The collator calls some different strings equal ("é" composed and decomposed).
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right));
}
