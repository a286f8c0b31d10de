import type { TextMatch } from '../option-texts.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter, textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';

const CALLED =
  "called|known as|termed|se llaman?|s'appellent?|hei[ßs]en|hei[ßs]t|si chiama|chama-se|称为|稱為|叫做?|называется";
const RESULT_BEFORE = pattern(
  `(?:=|≈|${CALLED}|${anyOf('is')})\\s?(?:(?:about|approximately|around|the|der|die|das|el|la|le|il|lo|o) )?$`,
);
/** The sentence ends, or goes on about the option: "is hepatitis E, with a fatality of 20 %". */
const NAMED_END = /^(?:[.!;\n。]|$|,\s(?:with|which|where|whose|who|because|since|given|due|not)(?!\p{L}))/u;

/** "The system is feudalism." */
export function isTextNamed(reading: Reading, match: TextMatch): boolean {
  return isResult(reading, match) && NAMED_END.test(textAfter(reading.text, match.end, 12));
}

/** "... = 3", "the result is 3". */
export function isResult(reading: Reading, match: TextMatch): boolean {
  return RESULT_BEFORE.test(textBefore(reading.lower, match.start, 16));
}
