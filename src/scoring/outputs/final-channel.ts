const FINAL_CHANNEL = /<\|channel\|>\s{0,3}final[^<\n]{0,40}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/gu;

/** Where the last final channel of an output begins, behind its marks: what other channels say is only thought. 0 without one. */
export function finalChannelStart(text: string): number {
  const last = [...text.matchAll(FINAL_CHANNEL)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
