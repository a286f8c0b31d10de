import { lastMatches } from '../last-matches.ts';
import { matchEnd } from '../match-end.ts';
import { once } from '../once.ts';
import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textBefore } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import { markBefore } from './confirmed.ts';
import { labelTokenAt } from './label-token.ts';
import { mentionsOf } from './mentions.ts';

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
  `[)\\]"'}.:?|,=>\\u{E001} -]{0,7}${LINK}?${ADVERB}(?:(?<right>✓|${RIGHT}|likely|probable|plausible)|(?<wrong>✗|${WRONG}))`,
  'y',
);
/** What may follow a verdict: the end of its clause, or a reason. */
const DONE = pattern(
  `(?:的|です|的?选项)?(?:\\s{1,2}(?:${anyOf('answer', 'option')}|one))?[)\\]"'!]{0,2}(?:\\s{0,2}(?:[.,;:!|()?。，；、}\\n-]|$)|\\s{1,2}(?:${anyOf('and')}|because|since|as|due|while|but|for|given|weil|da|denn|car|porque)(?!\\p{L}))`,
  'y',
);
const LONGEST_CLOSING = 80;
const APPLIES = `(?:${anyOf('applies')}|match(?:es)?|is met)`;
/** The last sentence of a line, or what follows its last dash. */
const CLOSING = pattern(
  `(?:[.!?:;] |- |, )(?:${anyOf('therefore')},? )?(?:${anyOf('this', 'option', 'answer')} )?(?:${anyOf('is')} )?(?:(?:therefore|thus|also|clearly|the) )?(?:(?<wrong>(?:${anyOf('not')} |\\p{L}+n't )(?:fit|match|apply|${APPLIES}|${RIGHT})|${WRONG})|(?<right>${APPLIES}|${RIGHT}))(?: (?:the|this|our|with|to|in) [^.!?\\n]{0,40}| ${anyOf('answer', 'option')}| here)?[.!]?$`,
);
const CELL = pattern(`^${LINK}?(?:(✓|${RIGHT})|✗|${WRONG})(?:\\s?(?:✓|✗|${RIGHT}|${WRONG}))?[.!]?$`);
const ROW = /^[ \t]{0,4}\|[^\n]{1,400}$/gmu;
const LINE = /^[ \t•+-]{0,4}(?:(✓|✗|\[[ x✓]?\]) ?)?["'(]?(?=\S)/gmu;

/** Every option that is called right or wrong directly after its label or its text, in a table's row, or by a mark before it. */
export const verdictList = once((reading: Reading): readonly Verdict[] => {
  const near = [...rowVerdicts(reading), ...mentionVerdicts(reading), ...textVerdicts(reading)];
  const judgedNear = new Set(near.flatMap((verdict) => verdict.labels));
  const all = [
    ...near,
    ...lineVerdicts(reading).filter(({ labels }) => !labels.some((label) => judgedNear.has(label))),
  ];
  const judged = new Set(all.flatMap((verdict) => verdict.labels));
  const isList = judged.size >= Math.max(2, Math.min(3, reading.question.labels.ordered.length));
  return isList ? all.toSorted((a, b) => a.start - b.start) : [];
});

/** Whether something at this position is only part of such a list. */
export function isInVerdictList(reading: Reading, at: number): boolean {
  return verdictList(reading).some((verdict) => verdict.start <= at && at < verdict.end);
}

function mentionVerdicts(reading: Reading): readonly Verdict[] {
  return mentionsOf(reading).flatMap((mention) => {
    const before = markBefore(reading, mention) ?? inlineMark(reading, mention.from);
    const found = before === null ? verdictAfter(reading, mention.end) : { right: before === '✓', end: mention.end };
    return found === null ? [] : [{ ...found, labels: mention.labels, start: mention.from }];
  });
}

/** "Option B: It is used in welding. This fits the description." */
function lineVerdicts(reading: Reading): readonly Verdict[] {
  return mentionsOf(reading)
    .filter((mention) => mention.leadsLine && mention.labels.length === 1)
    .flatMap((mention) => {
      const end = lineEnd(reading.lower, mention.end);
      const line = reading.lower.slice(mention.end, end);
      const last = CLOSING.exec(line.slice(-LONGEST_CLOSING));
      const right = last?.groups?.['right'] !== undefined;
      return last === null ? [] : [{ labels: mention.labels, right, start: mention.from, end }];
    });
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** "✓ A ✗ B": the marks come first. */
function inlineMark({ text }: Reading, at: number): string | null {
  return /^[\s\p{P}]{0,4}[✓✗]/u.test(text) ? (/([✓✗]) ?$/u.exec(textBefore(text, at, 2))?.[1] ?? null) : null;
}

type Found = { readonly right: boolean; readonly end: number };

function verdictAfter(reading: Reading, at: number): Found | null {
  VERDICT.lastIndex = at;
  const found = VERDICT.exec(reading.lower);
  if (found === null) return null;
  const end = at + found[0].length;
  const isMark = /[✓✗]$/u.test(found[0]);
  const letter = /(?<!\p{L})\p{L}$/u.exec(found[0])?.[0];
  // "F" says "false" only where it is no label.
  if (letter !== undefined && reading.question.labels.find(letter) !== null) return null;
  if (!isMark && (saysVerdicts(reading) || !isDone(reading, end))) return null;
  return { right: found.groups?.['right'] !== undefined, end };
}

function isDone(reading: Reading, end: number): boolean {
  if (matchEnd(DONE, reading.lower, end) !== null) return true;
  const next = matchEnd(/\s{1,2}/uy, reading.lower, end);
  return next !== null && labelTokenAt(reading, next) !== null;
}

/** Where the options themselves are "True", "No, because ...", such a word is an option's text and no verdict. */
function saysVerdicts({ question }: Reading): boolean {
  return question.texts.some(STARTS_AS_VERDICT);
}

const STARTS_AS_VERDICT = pattern(`^(?:${RIGHT}|${WRONG})`);

/** "| A | Paris | correct |". */
function rowVerdicts(reading: Reading): readonly Verdict[] {
  return lastMatches(reading.lower, ROW).flatMap((row) => {
    const [first = '', ...cells] = row[0]
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const verdict = saysVerdicts(reading) ? undefined : cells.findLast((cell) => CELL.test(cell));
    const label = cellLabel(reading, first, row.index + row[0].indexOf(first));
    if (verdict === undefined || label === null) return [];
    const right = CELL.exec(verdict)?.[1] !== undefined;
    return [{ labels: [label], right, start: row.index, end: row.index + row[0].length }];
  });
}

function cellLabel(reading: Reading, cell: string, at: number): string | null {
  const equal = reading.question.texts.equal(cell);
  return (
    reading.question.labels.find(cell) ??
    labelTokenAt(reading, at)?.label ??
    (equal.length === 1 ? (equal[0] ?? null) : null)
  );
}

/** "Paris: correct", "[x] Paris". */
function textVerdicts(reading: Reading): readonly Verdict[] {
  return lastMatches(reading.lower, LINE).flatMap((line) => {
    const at = line.index + line[0].length;
    const told = reading.question.texts.at(reading.lower, at);
    if (told === null || told.labels.length !== 1) return [];
    const found =
      line[1] === undefined ? verdictAfter(reading, told.end) : { right: /[✓x]/u.test(line[1]), end: told.end };
    return found === null ? [] : [{ ...found, labels: told.labels, start: line.index }];
  });
}
