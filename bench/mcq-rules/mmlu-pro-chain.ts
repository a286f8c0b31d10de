import { asSet, letterClass } from './letters.ts';
import type { PublicRule } from './rule.ts';

/** "answer is (X)", else the last "answer: X", else the last letter that stands alone; no random guess. */
export const mmluProChain: PublicRule = {
  name: 'MMLU-Pro chain',
  read: (output, question) => {
    const letter = letterClass(question);
    const is = new RegExp(`answer is \\(?(${letter})\\)?`, 'u').exec(output);
    const colon = [...output.matchAll(new RegExp(`[aA]nswer:\\s*(${letter})`, 'gu'))].at(-1);
    const alone = [...output.matchAll(new RegExp(`\\b(${letter})\\b`, 'gu'))].at(-1);
    return asSet((is ?? colon ?? alone)?.[1]);
  },
};
