import { findAll } from '../../words/find-all.ts';
import { NEGATES } from './doubt.ts';
import { wordsIn } from './question.ts';
import { type Claim, labelsClaim, mentionsIn, type Reading, SENTENCE } from './tokens.ts';

const CONCLUDES =
  /(?<![a-z])(?:so|thus|then|therefore|hence|consequently|conclusion|overall|i\.e\.|means that)(?![a-z])/iu;
/** Words that say nothing of an option. */
const EMPTY = new Set(
  'a an the it its this that these those there here he she they we i you his her their our is are was were be been being will would should can could may might must do does did has have had of to in on at by for with from as and or so thus therefore hence then than which who whose when while if because since also very just only more most much'.split(
    ' ',
  ),
);
const MOST_WORDS = 60;

/**
 * The only option of which a concluding sentence has all words that tell it from the others, in any
 * order: "Hence the graph moves 2 units to the right." for "The graph shifts right by 2".
 */
export function nearWords(reading: Reading): readonly Claim[] {
  const { text, lower, question } = reading;
  const sentences = [...findAll(text, SENTENCE)].filter(([each]) => /\p{L}/u.test(each));
  const last = sentences.at(-1);
  if (last === undefined || question.labels.open) return [];
  const end = last.index + last[0].length;
  const isConclusion = sentences.length === 1 || CONCLUDES.test(last[0]);
  if (!isConclusion || mentionsIn(reading, last.index, end).length > 0) return [];
  const sentenceStems = new Set(stems(last[0]));
  const isNegative = NEGATES.test(lower.slice(last.index, end));
  const options = [...question.written].map(([label, written]) => ({
    label,
    words: new Set(stems(written)),
    isNegative: NEGATES.test(written.toLowerCase()),
  }));
  const shared = [...(options[0]?.words ?? [])].filter((word) =>
    options.every(({ words }) => words.has(word)),
  );
  const full = options.filter(({ words }) => {
    const telling = [...words].filter((word) => !shared.includes(word));
    return telling.length > 0 && telling.every((word) => sentenceStems.has(word));
  });
  if (full.some((option) => option.isNegative !== isNegative)) return [];
  // "increases" is in "increases, then decreases".
  const longest = full.filter(({ words }) =>
    full.every((other) => [...other.words].every((word) => words.has(word))),
  );
  const [only] = longest;
  const isWord = [...(only?.words ?? [])].some((word) => /\p{L}{3}/u.test(word));
  return only === undefined || longest.length > 1 || !isWord
    ? []
    : [labelsClaim([only.label], last.index, end)];
}

/** The words of a text that say something, without their endings. */
function stems(text: string): readonly string[] {
  return [...wordsIn(text)]
    .slice(0, MOST_WORDS)
    .map(({ word }) => word)
    .filter((word) => !EMPTY.has(word) && /[\p{L}\p{N}]/u.test(word))
    .map((word) => (word.length > 5 ? word.slice(0, 5) : word.replace(/(?<=\p{L}{3})s$/u, '')));
}
