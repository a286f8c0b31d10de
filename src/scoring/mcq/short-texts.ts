import { type OptionTexts, toKey, toOptionTexts } from './option-texts.ts';

/** What tells the options apart where their texts share words at the start or the end: "B12" among four vitamins. */
export function toShortTexts(choices: Readonly<Record<string, string>>): OptionTexts {
  const texts = Object.entries(choices).map(([label, text]) => ({ label, words: toKey(text).split(' ') }));
  if (texts.length < 2) return toOptionTexts({});
  const all = texts.map(({ words }) => words);
  const first = shared(all);
  const last = shared(all.map((words) => words.slice(first).toReversed()));
  if (first + last === 0) return toOptionTexts({});
  const labels = new Set(texts.map(({ label }) => label.toLowerCase()));
  const short = texts
    .map(({ label, words }) => [label, words.slice(first, words.length - last).join(' ')] as const)
    .filter(([, text]) => /\p{L}/u.test(text) && text.length > 1 && !labels.has(text));
  return toOptionTexts(Object.fromEntries(short));
}

/** How many words all of them start with; at least one of each is left. */
function shared(all: readonly (readonly string[])[]): number {
  const most = Math.min(...all.map((words) => words.length)) - 1;
  let count = 0;
  while (count < most && new Set(all.map((words) => words[count])).size === 1) count += 1;
  return count;
}
