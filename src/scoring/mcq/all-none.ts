import { cleanString } from './clean/clean.ts';
import { pattern } from './pattern.ts';
import { anyOf } from './words/any-of.ts';

const EDGE = '[\\s"\'()\\[\\].,;:!-]{0,4}';
const TRUE = `(?:\\s{1,3}(?:${anyOf('is')}|all|sont|treffen)){0,2}\\s{0,3}(?:${anyOf('right')}|true|zu)?`;
const NONE = pattern(`^${EDGE}${anyOf('none')}${TRUE}${EDGE}$`);
const ALL = pattern(`^${EDGE}${anyOf('all')}${TRUE}${EDGE}$`);

/** Whether a text, an option's or a truth's, says "none of the above". A bare "none" is an ordinary option text. */
export function isNoneStatement(text: string): boolean {
  return NONE.test(toShort(text));
}

/** Whether a text says "all of the above", "all options", "all of the above statements are true". */
export function isAllStatement(text: string): boolean {
  return ALL.test(toShort(text));
}

/** The only label for which this holds; null when none or several do. */
export function onlyLabel(
  choices: Readonly<Record<string, string>> | undefined,
  holds: (text: string) => boolean,
): string | null {
  const [only, ...others] = Object.entries(choices ?? {}).flatMap(([label, text]) => (holds(text) ? label : []));
  return others.length === 0 ? (only ?? null) : null;
}

function toShort(text: string): string {
  return cleanString(text).toLowerCase();
}
