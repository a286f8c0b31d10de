import { asSet, letterClass } from './letters.ts';
import type { PublicRule } from './rule.ts';

/** The last "(X)", else an option's text found anywhere, else the last ": X". */
export const lmEvalFlexible: PublicRule = {
  name: 'lm-eval, flexible extract',
  read: (output, question) => {
    const letter = letterClass(question);
    const bracketed = [...output.matchAll(new RegExp(`\\((${letter})\\)`, 'gu'))].at(-1)?.[1];
    if (bracketed !== undefined) return [bracketed];
    const lower = output.toLowerCase();
    const told = [...question.texts].find(([, text]) => text !== '' && lower.includes(text.toLowerCase()))?.[0];
    if (told !== undefined) return [told];
    return asSet([...output.matchAll(new RegExp(`:[\\s]*(${letter})`, 'gu'))].at(-1)?.[1]);
  },
};
