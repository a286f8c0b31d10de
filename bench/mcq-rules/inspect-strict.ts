import type { PublicRule } from './rule.ts';

/** The last line that is "ANSWER: ..." and nothing else, else the first such place; every letter must be a label. */
export const inspectStrict: PublicRule = {
  name: 'inspect_ai, strict',
  read: (output, { labels }) => {
    const lines = [...output.matchAll(/^ANSWER\s*:\s*([A-Za-z\d ,]+?)\s*\.?$/gimu)];
    const found = lines.at(-1) ?? /ANSWER\s*:\s*([A-Za-z\d ,]+?)(?:[^\w,]|\n|$)/iu.exec(output);
    const letters = [...new Set((found?.[1] ?? '').replace(/[\s,]|and/giu, '').toUpperCase())];
    return letters.length > 0 && letters.every((letter) => labels.includes(letter)) ? letters : null;
  },
};
