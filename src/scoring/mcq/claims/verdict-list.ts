import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { markBefore } from './confirmed.ts';
import { labelTokenAt } from './label-token.ts';
import { type Mention, mentionsOf } from './mentions.ts';
import { toldAt } from './told-at.ts';

/** One option, or several in a row, called right or wrong. */
export type Verdict = {
  readonly labels: readonly string[];
  readonly right: boolean;
  readonly start: number;
  readonly end: number;
};

const RIGHT = anyOf('right', 'yes');
const WRONG = `(?:${anyOf('wrong', 'no')}|${anyOf('not')}\\s{0,2}${anyOf('right')})`;
const LINK = `(?:(?:${anyOf('option', 'answer', 'this')}\\s{0,2})?(?:${anyOf('is')}|都|均|也)\\s{0,2}|${anyOf('this')}\\s{0,2})`;
const ADVERB = '(?:(?:clearly|definitely|certainly|obviously|probably|also|thus|therefore|both|all|the|的)\\s)?';
const VERDICT = pattern(
  `[)\\]"'}.:?|,=>\\u{E001} -]{0,7}${LINK}?${ADVERB}(?:(✓|${RIGHT}|likely|probable|plausible)|✗|${WRONG})`,
  'y',
);
/** What may follow a verdict: the end of its clause, or a reason. */
const DONE = pattern(
  `(?:的|です|的?选项)?(?:\\s{1,2}(?:${anyOf('answer', 'option')}|one))?[)\\]"'!]{0,2}(?:\\s{0,2}(?:[.,;:!|()?。，；、}\\n-]|$)|\\s{1,2}(?:${anyOf('and')}|because|since|as|due|while|but|for|given|weil|da|denn|car|porque)(?!\\p{L}))`,
  'y',
);
const APPLIES = `(?:${anyOf('applies')}|match(?:es)?|is met)`;
/** The last sentence of a line, or what follows its last dash. */
const CLOSING = pattern(
  `(?:[.!?:;] |- |, )(?:${anyOf('therefore')},? )?(?:${anyOf('this', 'option', 'answer')} )?(?:${anyOf('is')} )?(?:(?:therefore|thus|also|clearly|the) )?(?:(?:${anyOf('not')} |\\p{L}+n't )(?:fit|match|apply|${APPLIES}|${RIGHT})|${WRONG}|(${APPLIES}|${RIGHT}))(?: (?:the|this|our|with|to|in) [^.!?\\n]{0,40}| ${anyOf('answer', 'option')}| here)?[.!]?$|[ (](?:(✓)|✗)\\)?$`,
);
const CELL = pattern(
  `\\|\\s?${LINK}?(?:(✓|${RIGHT})|✗|${WRONG})(?:\\s?(?:✓|✗|${RIGHT}|${WRONG}))?[.!]?\\s?(?=\\||$)`,
  'g',
);
/** From its first cell on; the border before it may be missing. */
const ROW = /(?<=^\|? ?)[^|\s][^|\n]{0,200}\|[^\n]{1,400}/gmu;
const LINE = /^[ \t•+-]{0,4}(?:([✓✗]) ?)?["'(]?(?=\S)/gmu;

/** Every option that is called right or wrong directly after its label or its text, in a table's row, or by a mark before it. */
export const verdictList = once((reading: Reading): readonly Verdict[] => {
  // Of two verdicts from one place the last counts.
  const all = [
    ...lineVerdicts(reading),
    ...rowVerdicts(reading),
    ...mentionVerdicts(reading),
    ...textVerdicts(reading),
  ].toSorted((a, b) => a.start - b.start);
  const judged = new Set(all.flatMap((verdict) => verdict.labels));
  const isList = judged.size >= Math.max(2, Math.min(3, reading.question.labels.ordered.length));
  return isList ? all : [];
});

/** Whether something at this position is only part of such a list. */
export function isInVerdictList(reading: Reading, at: number): boolean {
  return verdictList(reading).some((verdict) => verdict.start <= at && at < verdict.end);
}

function mentionVerdicts(reading: Reading): readonly Verdict[] {
  return sureMentions(reading).flatMap((mention) => {
    const before = markBefore(reading, mention) ?? inlineMark(reading, mention.from);
    const found = before === null ? verdictAfter(reading, mention.end) : { right: before === '✓', end: mention.end };
    return found === null ? [] : [{ ...found, labels: mention.labels, start: mention.from }];
  });
}

/** "Option B: It is used in welding. This fits the description." */
function lineVerdicts(reading: Reading): readonly Verdict[] {
  const lines = `${reading.lower}\n`;
  return sureMentions(reading)
    .filter((mention) => mention.leadsLine)
    .flatMap((mention) => {
      const { labels, from: start } = mention;
      const end = lines.indexOf('\n', mention.end);
      // "A, B and D are true. The answer is C. This fits." says of C that it fits.
      if (mentionsOf(reading).some((other) => other.start > mention.start && other.start < end)) return [];
      const found = CLOSING.exec(lines.slice(Math.max(mention.end, end - 80), end));
      return found === null ? [] : [{ labels, right: (found[1] ?? found[2]) !== undefined, start, end }];
    });
}

/** "A or B is correct" judges neither. */
function sureMentions(reading: Reading): readonly Mention[] {
  return mentionsOf(reading).filter(({ hedged, mismatch }) => !hedged && !mismatch);
}

/** "✓ A ✗ B": the marks come first. */
function inlineMark({ text }: Reading, at: number): string | null {
  return /^[\s\p{P}]{0,4}[✓✗]/u.test(text) ? (/[✓✗]/u.exec(textBefore(text, at, 2))?.[0] ?? null) : null;
}

type Found = { readonly right: boolean; readonly end: number };

function verdictAfter(reading: Reading, at: number): Found | null {
  VERDICT.lastIndex = at;
  const found = VERDICT.exec(reading.lower);
  if (found === null) return null;
  const end = VERDICT.lastIndex;
  if (!/[✓✗]/u.test(found[0]) && (saysVerdicts(reading) || !isDone(reading, end))) return null;
  return { right: found[1] !== undefined, end };
}

function isDone(reading: Reading, end: number): boolean {
  return matchEnd(DONE, reading.lower, end) !== null || labelTokenAt(reading, end + 1) !== null;
}

/** Where the options themselves are "True", "No, because ...", such a word is an option's text and no verdict. */
function saysVerdicts({ question }: Reading): boolean {
  return question.texts.some(STARTS_AS_VERDICT);
}

const STARTS_AS_VERDICT = pattern(`^(?:${RIGHT}|${WRONG})`);

/** "| A | Paris | correct |". */
function rowVerdicts(reading: Reading): readonly Verdict[] {
  if (saysVerdicts(reading)) return [];
  return lastMatches(reading.lower, ROW).flatMap((row) => {
    const token = labelTokenAt(reading, row.index);
    const labels = token === null ? toldAt(reading, row.index)?.labels : [token.label];
    const verdict = [...row[0].matchAll(CELL)].at(-1);
    return labels === undefined || verdict === undefined
      ? []
      : [{ labels, right: verdict[1] !== undefined, start: row.index, end: row.index + row[0].length }];
  });
}

/** "Paris: correct", "[x] Paris". */
function textVerdicts(reading: Reading): readonly Verdict[] {
  return lastMatches(reading.lower, LINE).flatMap((line) => {
    const told = toldAt(reading, line.index + line[0].length);
    if (told === null) return [];
    const found = line[1] === undefined ? verdictAfter(reading, told.end) : { right: line[1] === '✓', end: told.end };
    return found === null ? [] : [{ ...found, labels: told.labels, start: line.index }];
  });
}
