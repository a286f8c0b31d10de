/** Two names of options that are joined: "A and B", "1 or 3", "(b), (c)". */
const JOINED =
  /(?<![\p{L}\p{N}])\(?([\p{L}\p{N}]{1,3})[).]?\s{0,2}(?:,|;|&|\/|\+|\band\b|\bor\b|\bnor\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\bo\b|\be\b|和|与|或|、)\s{0,2}\(?([\p{L}\p{N}]{1,3})(?![\p{L}\p{N}])/giu;

/** One name of an option beside a word that shows it to be one: "option C", "only B", "A only", "except (D)". */
const BESIDE =
  /(?:\b(?:options?|choices?|answers?|statements?)|(?:\bonly|\bexcept|\bbut|\bneither|\beither|\bboth)) \(?([\p{L}\p{N}]{1,3})\)?(?![\p{L}\p{N}])|^\(?([\p{L}\p{N}]{1,3})\)? only\b/giu;

const ABOVE =
  /\bof (?:the |these )?(?:above|below|preceding|previous|foregoing|following|others?)\b|\b(?:above|below|preceding|previous|other) (?:options?|choices?|answers?|statements?)\b|\b(?:options?|choices?|answers?|statements?) (?:above|below)\b/i;

/**
 * Whether an option's text speaks of other options by label or place, so that it is right only in its own order. In
 * doubt it does: "vitamins A and D" among options A to D only costs the shuffling of one question.
 */
export function refersToOptions(text: string, labels: readonly string[]): boolean {
  if (ABOVE.test(text)) return true;
  const known = new Set(labels.map((label) => label.toLowerCase()));
  const isLabel = (name: string | undefined) => name !== undefined && known.has(name.toLowerCase());
  const joined = [...text.matchAll(JOINED)].some(([, left, right]) => isLabel(left) && isLabel(right));
  // "only a physician" begins with a word, not with option A: a lone name must be spelt as the label is.
  const beside = [...text.matchAll(BESIDE)].some(([, after, before]) => labels.includes(after ?? before ?? ''));
  return joined || beside;
}
