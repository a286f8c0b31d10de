import { findAll } from '../../words/find-all.ts';
import type { Range } from '../../words/ranges.ts';
import { remember } from '../remember.ts';
import { BAD, JUDGED, JUDGED_AT } from './judgement.ts';
import { behind } from './patterns.ts';
import {
  type Claim,
  labelsClaim,
  ownTextEnd,
  type Reading,
  type Token,
  tokenAt,
} from './tokens.ts';

/**
 * A place that speaks of one option: "B) Windmill: ...", "1. Option B is ...", "...; (B) fits". It
 * ends with its line or clause.
 */
type Item = Readonly<{
  token: Token;
  from: number;
  end: number;
  isLine: boolean;
}>;

/** Where a line or a clause begins. */
const PLACE = new RegExp(
  `(?:\\n|[.;:!?。；：,，] {0,3}| (?=\\(?[A-Z\\d]{1,2}\\)?(?:${JUDGED}|[:=] ?\\S)))[ \\t|✓✗]{0,20}(?:\\d{1,2}[.)] {1,3}(?=\\D))?`,
  'gu',
);
/** Of very many, only the last ones count. */
const MOST_ITEMS = 1000;

export const itemsOf = remember(findItems);

function findItems(reading: Reading): readonly Item[] {
  const { text, lower } = reading;
  let last = -1;
  return [...findAll(`\n${text}`, PLACE)].slice(-MOST_ITEMS).flatMap(({ 0: place, index }) => {
    const at = index + place.length - 1;
    const unnumbered = index + place.replace(/\d{1,2}[.)] {1,3}$/u, '').length - 1;
    const token = tokenAt(reading, at) ?? tokenAt(reading, unnumbered);
    if (token === null || text.slice(at, token.start).includes('\n')) return [];
    // "Option B: ..." is one place, though "B: ..." looks like another.
    if (token.start === last) return [];
    last = token.start;
    const isLine = place.startsWith('\n');
    const isMarked =
      token.firm ||
      /^[)\]]|^.[.:：、项]/u.test(text.slice(token.end - 1, token.end + 1)) ||
      JUDGED_AT.test(behind(lower, token.end, 'label'));
    const [rest = ''] = (isLine ? /^.*/u : /^[^.!?。\n]{0,400}/u).exec(text.slice(token.end)) ?? [];
    return isLine || isMarked ? [{ token, from: index, end: token.end + rest.length, isLine }] : [];
  });
}

/** The items one after another whose labels are in the order of the question. */
function runsOf(reading: Reading, items: readonly Item[]): readonly (readonly Item[])[] {
  const { ordered } = reading.question.labels;
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext =
      last !== undefined && ordered.indexOf(item.token.label) > ordered.indexOf(last.token.label);
    if (isNext) run?.push(item);
    else runs.push([item]);
  }
  return runs;
}

/**
 * The ranges in which an output repeats the options: each label with its own text, of all options
 * or all but one. Where several may be right, a list without one option is an answer.
 */
export function echoes(reading: Reading): readonly Range[] {
  const { text, question, multiple } = reading;
  const count = question.labels.ordered.length;
  if (question.labels.open || count < 2) return [];
  const least = multiple === true || count === 2 ? count : Math.max(3, count - 1);
  const ranges: Range[] = [];
  for (const { token, from } of itemsOf(reading)) {
    if (from < (ranges.at(-1)?.[1] ?? 0) || /[✓✗]/u.test(text.slice(from, token.start))) continue;
    const run = echoFrom(reading, token);
    // The list once more, cut off.
    const isAgain =
      run.count > 1 &&
      token.label === question.labels.ordered[0] &&
      multiple !== true &&
      text.slice(run.end).trim() === '' &&
      text.slice(ranges.at(-1)?.[1] ?? 0, from).trim() === '';
    if (run.count >= least || (isAgain && ranges.length > 0)) ranges.push([from, run.end]);
  }
  return ranges;
}

const SEPARATOR = /^.?[\s.;,。|/]{0,20}/u;
const JUDGED_AFTER =
  /^.? {0,3}(?:is|are|was|✓|✗|正确|错|对|不|(?:in)?correct|wrong|true|false|because)/u;

/** How many options in a row have their label and their own text, from one label on. */
function echoFrom(reading: Reading, first: Token): Readonly<{ count: number; end: number }> {
  const { text, lower, question } = reading;
  const { ordered } = question.labels;
  let [count, end, index] = [0, first.start, -1];
  let token: Token | null = first;
  while (token !== null && ordered.indexOf(token.label) > index) {
    const textEnd = ownTextEnd(text, question, token.label, token.end);
    if (textEnd === null || JUDGED_AFTER.test(behind(lower, textEnd, 'label'))) break;
    const [separator = ''] = SEPARATOR.exec(behind(text, textEnd, 'label')) ?? [];
    const next = tokenAt(reading, textEnd + separator.length);
    // "D. Loire flows west", below lines with nothing else, is no echo.
    const isLine = text.slice(first.start, textEnd).includes('\n');
    const goesOn = !separator.includes('\n') && text.length > textEnd + separator.length;
    if (next === null && isLine && goesOn) break;
    index = ordered.indexOf(token.label);
    end = textEnd + separator.length;
    count += 1;
    token = next;
  }
  return { count, end };
}

const MAY_NUMBER = /\d ?[.):、-]{1,2} {0,3}\(?[A-Za-z]\)?(?:[\s,;.。]|$)/u;
const NUMBERED = String.raw`(?<=^|[\n,;\s])\(?\d{1,2} ?[.):、-]{1,2} {0,3}`;

/**
 * The ranges in which labels are numbered, as in an order or a matching: "1. D, 2. A, 3. C". Where
 * several may be right, a numbered list of labels in their order is an answer.
 */
export function numberings({ text, question, multiple }: Reading): readonly Range[] {
  const { ordered, source, open } = question.labels;
  if (open || !MAY_NUMBER.test(text) || ordered.some((label) => /\d/u.test(label))) return [];
  const item = `${NUMBERED}\\(?(${source})\\)?(?=[\\s,;.。]|$)[\\s,;.。]{0,4}`;
  return [...findAll(text, new RegExp(`(?:${item}){2,30}`, 'gu'))].flatMap(
    ({ 0: run, index }): readonly Range[] => {
      const labels = [...findAll(run, new RegExp(item, 'gu'))].map(([, label = '']) => label);
      const places = labels.map((label) => ordered.indexOf(label));
      const isInOrder = places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0));
      const isList = multiple === true && isInOrder;
      return isList || new Set(labels).size === 1 ? [] : [[index, index + run.length]];
    },
  );
}

/** The ranges in which an output goes through the options in their order. */
export function analyses(reading: Reading): readonly Range[] {
  return listsOf(reading).map((items) => [items[0]?.token.start ?? 0, items.at(-1)?.end ?? 0]);
}

function listsOf(reading: Reading): readonly (readonly Item[])[] {
  const { text, multiple, question } = reading;
  const { ordered } = question.labels;
  const isBare = ({ token, end }: Item): boolean => isRest(text.slice(token.end, end));
  return runsOf(reading, itemsOf(reading)).flatMap((run) => {
    // The "A" alone before "B: ..." is an answer.
    const items = run[0] !== undefined && isBare(run[0]) && !run.every(isBare) ? run.slice(1) : run;
    const isPart = multiple === true && items.some(({ token }, i) => token.label !== ordered[i]);
    const least = isBegun(reading, items) ? 2 : Math.min(3, ordered.length);
    return !isPart && items.length >= least ? [items] : [];
  });
}

const VERDICT_AFTER =
  /^.? {0,3}(?:(?:is|are|was) )?(?:not )?(?:the )?(?:✓|✗|正确|错|对|不|(?:in)?correct|right|wrong|true|false|best|because)/u;

/** Two lines in the same form on the first two options begin a list of all of them. */
function isBegun({ text, lower, multiple, question }: Reading, items: readonly Item[]): boolean {
  const [first, second, ...others] = items;
  const { ordered } = question.labels;
  if (multiple === true || first === undefined || second === undefined || others.length > 0)
    return false;
  const isStart = first.token.label === ordered[0] && second.token.label === ordered[1];
  const form = ({ token }: Item) => text.slice(token.end, token.end + 1);
  const isJudged = [first, second].some(({ token, end }) => {
    const textEnd = ownTextEnd(text, question, token.label, token.end) ?? token.end;
    return (
      VERDICT_AFTER.test(behind(lower, textEnd, 'label')) || isRest(text.slice(token.end, end))
    );
  });
  return isStart && first.isLine && second.isLine && form(first) === form(second) && !isJudged;
}

function isRest(text: string): boolean {
  return /^[\s.:)\]"']*$/u.test(text);
}

/**
 * Whether a label is the first item of such a list, below "To find the correct answer:", so it is no
 * answer.
 */
export function opensAnalysis(reading: Reading, { start }: Claim): boolean {
  const { text, multiple, question } = reading;
  const list = listsOf(reading).find(([first]) => first?.token.start === start) ?? [];
  const isWhole = multiple !== true || list.length === question.labels.ordered.length;
  const [first = '', second] = list.map(({ token, end, isLine }) => {
    const textEnd = ownTextEnd(text, question, token.label, token.end) ?? token.end;
    return `${isLine} ${isRest(text.slice(textEnd, end))}`;
  });
  // "Answer: A) its text", and then why the others are wrong.
  return isWhole && first === second;
}

/**
 * The labels of the lines from a label on that begin with a label each, with words of their own:
 * "B: it has scales" above "C: it has scales". Null unless there are several, but not all.
 */
export function labelsBelow(reading: Reading, claim: Claim): Claim | null {
  const { text, lower, question } = reading;
  const items = itemsOf(reading).filter(
    ({ token, isLine }) => isLine && token.start >= claim.start,
  );
  const [first] = items;
  if (first === undefined || first.token.start !== claim.start) return null;
  const labels: string[] = [];
  let end = first.from;
  for (const item of items) {
    const isNext = text.slice(end, item.from).trim() === '' && !labels.includes(item.token.label);
    if (!isNext || BAD.test(lower.slice(item.token.end, item.end))) break;
    labels.push(item.token.label);
    end = item.end;
  }
  const isChoice = labels.length > 1 && labels.length < question.labels.ordered.length;
  return isChoice ? labelsClaim(labels, claim.start, end) : null;
}
