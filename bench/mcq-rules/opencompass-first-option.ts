import { asSet, letterClass } from './letters.ts';
import type { PublicRule } from './rule.ts';

/** An ordered list of phrases in two languages, the first that occurs anywhere wins; else the first capital of the range. */
export const openCompassFirstOption: PublicRule = {
  name: 'OpenCompass, first option',
  read: (output, question) => {
    const X = `(${letterClass(question)})`;
    const phrases = [
      `答案是?\\s?[:：]?\\s?\\(?${X}`,
      `答案应该是\\s?${X}`,
      `选项\\s?${X}\\s?正确`,
      `[选選]择?\\s?${X}`,
      `[Tt]he (?:correct )?answer is:?\\s+\\(?${X}`,
      `[Tt]he (?:correct )?answer is option:?\\s+\\(?${X}`,
      `[Tt]he (?:correct )?answer is:?\\n*[^A-Za-z]{0,3}${X}`,
      `[Aa]nswer:?\\s*\\(?${X}\\)?\\b`,
      `(?:option|choice) \\(?${X}\\)? is (?:the )?correct`,
      `\\(?${X}\\)? is (?:the )?(?:correct|right|best)`,
      `^\\s*\\(?${X}\\)?[.。:：]?\\s*$`,
      `(?:^|\\n)\\s*${X}[.)、]`,
      X,
    ];
    for (const phrase of phrases) {
      const found = new RegExp(phrase, 'u').exec(output);
      if (found !== null) return asSet(found[1]);
    }
    return null;
  },
};
