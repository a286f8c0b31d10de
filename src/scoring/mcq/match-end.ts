/** Where a sticky pattern that starts at `at` ends; null when it does not match there. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
