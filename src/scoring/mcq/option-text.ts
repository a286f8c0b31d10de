import { findAll } from '../../words/find-all.ts';
import { NEGATES } from './doubt.ts';
import { anyOf, before, behind, matchAt, toPattern } from './patterns.ts';
import {
  type Claim,
  labelsClaim,
  labelsOf,
  markedIn,
  type Reading,
  SENTENCE,
  textAt,
  textsIn,
} from './tokens.ts';
import { ENDING } from './words.ts';

/** What leads to the last words of an output: "=", "is", "so", "the result:". */
const CONCLUSION = toPattern(
  `(?:${anyOf(
    '[=≈→∴⟹:]|->|=>|--?(?= )|–(?= )|—',
    `(?<![\\p{L}])${anyOf(
      '(?:so|thus|therefore|hence|consequently|which means(?: that)?|we conclude that),?',
      "is|are|was|were|be|becomes?|equals?|gives?|giving|i\\.e\\.|yields?|gets?|obtain(?:s|ed)?|finds?|it's|that's",
      'called|named|namely|means|outputs?|prints?|returns?|shows?|es|ist|est|sono|é|è',
    )}(?![\\p{L}])`,
    '因此|所以|综上|故|属于|处于|是|为|即|选|应为|等于',
  )}),? ?(?:approximately |about |roughly |exactly |therefore |indeed |just |only |the |a |an |\\$|"|\\(|\\[)* ?`,
  'gu',
);
/** The output ends, perhaps with what the answer is not. */
const AT_END = new RegExp(
  `^(?:\\^\\s?\\{?\\s?\\\\circ\\s?\\}?|°)?${ENDING}\\s{0,3}["')\\]⟧]{0,2}(?:,? (?:and |but )?(?:not|rather than|instead of|unlike) [^.!?\\n]{1,60})? {0,2}[.!。]?["')\\]]{0,2}\\s*$`,
  'u',
);

/** "..., so it is the Rhine." at the end of the output. */
export function concluded(reading: Reading): readonly Claim[] {
  const { text, lower, question } = reading;
  const reach = Math.max(0, ...[...question.texts.values()].map((option) => option.reach));
  const tail = Math.max(0, lower.trimEnd().length - reach - LONGEST_ENDING);
  return [...findAll(lower.slice(tail), CONCLUSION)].flatMap(
    ({ 0: lead, index }): readonly Claim[] => {
      const at = tail + index + lead.length;
      const found = textAt(reading, at);
      if (found === null) return equalNumber(reading, at, tail + index);
      if (!AT_END.test(text.slice(found.end))) return [];
      if (isOfAnother(reading, found.label, at)) return [];
      const [clause = ''] = /[^.!?\n;,]*$/u.exec(before(lower, at, 'clause')) ?? [];
      return NEGATES.test(clause)
        ? []
        : [{ ...labelsClaim([found.label], at, found.end), from: tail + index }];
    },
  );
}

const NUMBER = /(-?)\$? ?(\d[\d,]{0,12}(?:\.\d{1,9})?)(?: ?\/ ?(\d{1,9}))?( ?%)?/uy;
const WHOLE_NUMBER = new RegExp(`^\\s*${NUMBER.source}\\s*$`, 'u');

/** The only option of the same value: 0.25 for "1/4" and "25%", at the end of the output. */
function equalNumber(reading: Reading, at: number, from: number): readonly Claim[] {
  const { text, question } = reading;
  const stated = matchAt(NUMBER, text, at);
  const value = stated === null ? null : toNumber(stated);
  if (stated === null || value === null || !AT_END.test(text.slice(at + stated[0].length)))
    return [];
  const equal = [...question.written].flatMap(([label, option]) => {
    const number = WHOLE_NUMBER.exec(option);
    const optionValue = number === null ? null : toNumber(number);
    return optionValue !== null && Math.abs(optionValue - value) < 1e-12 * Math.abs(optionValue)
      ? [label]
      : [];
  });
  return equal.length === 1 ? [{ ...labelsClaim(equal, at, at + stated[0].length), from }] : [];
}

function toNumber([, sign, number = '', divisor = '1', percent]: RegExpExecArray): number | null {
  const value = Number(number.replaceAll(',', '')) / Number(divisor);
  const scaled = percent === undefined ? value : value / 100;
  return Number.isFinite(scaled) ? (sign === '-' ? -scaled : scaled) : null;
}

/** What may surround the text of an option at the end. */
const LONGEST_ENDING = 120;

/** "Option (C) is beside the Elbe. The river near Vienna is the Danube." */
function isOfAnother(reading: Reading, label: string, at: number): boolean {
  return markedIn(reading, at - before(reading.text, at, 'sentence').length, at).some(
    (other) => other.label !== label,
  );
}

const SHORT_OUTPUT = 700;

/**
 * The text of exactly one option, in a short output, or in the last or the first sentence: "It is
 * caused by iron."
 */
export function onlyText(reading: Reading): readonly Claim[] {
  const { text } = reading;
  const all = textsIn(reading, 0, text.length);
  const [only] = all;
  if (only !== undefined && hasShortRival(reading, only)) return [];
  if (reading.multiple === true && all.length > 1) return severalTexts(reading);
  if (all.length === 1 && only !== undefined && text.trim().length < SHORT_OUTPUT)
    return isDistinctive(reading, only) && !isNegated(reading, only) ? all : [];
  return inOneSentence(reading);
}

/**
 * Where several may be right, the texts that a short output names, but not those that it denies:
 * "Germany and Italy signed it. Spain did not."
 */
function severalTexts(reading: Reading): readonly Claim[] {
  const { text, lower, question } = reading;
  if (text.trim().length > SHORT_OUTPUT) return [];
  const named: Claim[] = [];
  const denied = new Set<string>();
  for (const { 0: sentence, index } of findAll(text, SENTENCE)) {
    const found = textsIn(reading, index, index + sentence.length);
    const isDenied = NEGATES.test(lower.slice(index, index + sentence.length));
    if (isDenied) for (const label of found.flatMap(labelsOf)) denied.add(label);
    else named.push(...found.filter((claim) => isDistinctive(reading, claim)));
  }
  const labels = [...new Set(named.flatMap(labelsOf))].filter((label) => !denied.has(label));
  const isChoice = labels.length > 1 && labels.length < question.labels.ordered.length;
  return isChoice ? [labelsClaim(labels, named[0]?.start ?? 0, named.at(-1)?.end ?? 0)] : [];
}

/** Another option's text that is too short to be found anywhere, as in "yes or no", "yes\nno". */
function hasShortRival({ lower, question }: Reading, { start, end }: Claim): boolean {
  const parts = `${lower.slice(0, start)}\n${lower.slice(end)}`.split(
    /[\n.,;:/|()]| (?:or|and|both|either) /u,
  );
  const phrases = new Set(parts.map((part) => part.trim()));
  return [...question.texts.values()].some(({ key }) => key.length < 3 && phrases.has(key));
}

function isNegated({ text, lower }: Reading, { start, end }: Claim): boolean {
  const [clause = ''] = /[^.!?\n]*$/u.exec(before(lower, start, 'clause')) ?? [];
  // "The nurse was not at home." answers who was not.
  const isWhole = /^\s*(?:the |an? )?$/u.test(clause) && !/[.!?\n]\s{0,9}\S/u.test(text.slice(end));
  const rejects = isWhole ? REJECTED : DENIED;
  return NEGATES.test(clause) || rejects.test(behind(lower, end, 'label'));
}

const REJECTED =
  /^ (?:is|are|was|were) (?:not (?:correct|right|true|the|an?|possible|likely)(?![a-z])|wrong|incorrect|unlikely|false)/u;
const DENIED = /^ (?:is|are|was|were) (?:not|wrong|incorrect|unlikely|false)/u;

const CONCLUDING = /^\s{0,9}(?:so|thus|therefore|hence)[ ,]/iu;
const CONCLUDES = /(?<![a-z])(?:so|thus|then|therefore|hence|but|actually)(?![a-z])/iu;

function inOneSentence(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const sentences = [...findAll(text, SENTENCE)].filter(([each]) => each.trim() !== '');
  const first = sentences[0];
  const last = sentences.at(-1);
  const isConcluded =
    CONCLUDES.test(last?.[0] ?? '') ||
    (sentences.length > 3 && !(isOfText(reading, first) && !isOfText(reading, last)));
  for (const sentence of isConcluded ? [last, first] : [first, last]) {
    const from = sentence?.index ?? 0;
    const to = from + (sentence?.[0].length ?? 0);
    const isSo = CONCLUDING.test(sentence?.[0] ?? '');
    const found = textsIn(reading, from, to).filter(
      (claim) => isSo || isDistinctive(reading, claim),
    );
    const isDenied = NEGATES.test(lower.slice(from, to));
    if (found.length === 1 && !isDenied) return found;
    // "At first it seems to be the Elbe. So it is the Rhine, not the Elbe."
    if (found.length > 0 && isDenied) return [];
  }
  return [];
}

const SAYS_OF = /(?:is|are|was|were|be|ist|est|es)(?: (?:the|an?))? {1,3}$/u;

/** "The most likely diagnosis is migraine." */
function isOfText(reading: Reading, sentence: RegExpExecArray | undefined): boolean {
  if (sentence === undefined) return false;
  const end = sentence.index + sentence[0].length;
  return textsIn(reading, sentence.index, end).some(
    (claim) =>
      SAYS_OF.test(before(reading.lower, claim.start, 'label')) &&
      /^[^\p{L}\p{N}]*$/u.test(reading.text.slice(claim.end, end)),
  );
}

/** A text that contains a word. A bare number counts only as the result at the end of a line. */
function isDistinctive({ text, lower }: Reading, { start, end }: Claim): boolean {
  if (/\p{L}{3}/u.test(text.slice(start, end)) || text.trim().length < 60) return true;
  const isResult = /(?:is|are|=|≈|:|equals?|get|to|approximately|about|of) {0,3}\$? ?$/u.test(
    before(lower, start, 'label'),
  );
  return isResult && /^[\s.)%$]*$|^[ )]{0,3}[.,]? ?\n/u.test(text.slice(end));
}
