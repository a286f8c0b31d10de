/** Whether a text matches a pattern in which `*` stands for any characters and `?` for one; all others are literal. */
export function matchesGlob(pattern: string, text: string): boolean {
  // Two positions and one way back instead of a regular expression, which many stars would make exponential.
  let [at, patternAt, starAt, retryAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === '*') {
      [starAt, retryAt] = [patternAt++, at];
    } else if (wanted === '?' || wanted === text[at]) {
      at++;
      patternAt++;
    } else if (starAt !== -1) {
      at = ++retryAt;
      patternAt = starAt + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(patternAt));
}
