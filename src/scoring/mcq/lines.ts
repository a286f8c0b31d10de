import type { Range } from '../../text/thoughts.ts';
import { remember } from '../remember.ts';
import { doubtOn } from './doubt.ts';
import { behind } from './reach.ts';
import {
  type Claim,
  isTrusted,
  labelsClaim,
  labelsOf,
  mentionsIn,
  ownTextEnd,
  type Reading,
  type Token,
  textAt,
  textsIn,
  tokenAt,
} from './tokens.ts';
import { labelsAt, textsAt } from './values.ts';

const GOOD_WORD =
  '(?:correct(?:ly)?|true|yes|right|fits|matches|satisfies|richtig|vrai|verdadero|正确|对|正しい|正解|適切|適当|옳)';
const BAD_WORD =
  "(?:incorrect|false|no|not|wrong|falsch|faux|falso|不|错|誤|間違|ない|틀|n't|eliminated?|ruled out)";
/** "A错误": no space sets the word apart. */
const WORD_START = '(?<![a-z](?=[a-z]))';
const GOOD = new RegExp(`✓|${WORD_START}${GOOD_WORD}(?![a-z])`, 'u');
const BAD = new RegExp(`✗|${WORD_START}${BAD_WORD}(?![a-z])`, 'u');
/** "B) wrong", "B -> true", "B is right". */
const JUDGED = `(?:选?项)?(?:的?(?:说法|表述|内容|叙述))?[.):\\]]{0,2} ?[-–—→=]{0,2}>? ?(?:is )?(?:also )?(?:${GOOD_WORD}|${BAD_WORD}|[✓✗])(?![a-z])`;
const JUDGED_AT = new RegExp(`^${JUDGED}`, 'u');

/**
 * Lines or clauses that judge every option, or all but one: "A. Iron ✗", "B: correct", "| B | yes
 * |", "(C) is wrong".
 */
export function verdicts(reading: Reading): readonly Claim[] {
  const { lower, question, multiple } = reading;
  const right: Token[] = [];
  const seen = new Set<string>();
  const items = itemsOf(reading);
  // A line without a tick is then no choice.
  const isTicked = lower.includes('✓');
  for (const [i, { token, from }] of items.entries()) {
    const [line = '', ...below] = lower.slice(from, items[i + 1]?.from).split('\n');
    // "**Option B: Rhine**" above "It passes Cologne. ✅ This is correct."
    const isHead = below.length > 0 && !GOOD.test(line) && !BAD.test(line);
    const said = isHead ? `${line} ${verdictIn(below.join(' '))}` : line;
    const { isGood, isBad } = judgementIn(said);
    if (seen.has(token.label) || (isGood === isBad && (isGood || !isTicked))) continue;
    seen.add(token.label);
    if (isGood) right.push(token);
  }
  const first = right[0];
  const last = right.at(-1);
  if (
    seen.size < Math.max(2, question.labels.ordered.length - 1) ||
    first === undefined ||
    last === undefined
  )
    return [];
  const labels = right.map(({ label }) => label);
  return multiple === false && right.length > 1 ? [] : [labelsClaim(labels, first.start, last.end)];
}

/** 不 is in many words, such as 不动产, so a word of judgement counts before it. */
const JUDGEMENT = /不(?:正确|对|符合|当?选|应选)|错误|有误|正确|符合题意|当选|应选/gu;
const DENIED_GOOD =
  /incorrect|not (?:correct|true|right)|不(?:正确|对|適切|適当|正解)|(?:正しく|適切では|適当では)ない/gu;

function judgementIn(said: string): Readonly<{ isGood: boolean; isBad: boolean }> {
  if (said.includes('✓')) return { isGood: true, isBad: false };
  const words = said.match(JUDGEMENT);
  if (words !== null) {
    const isGood = /^[正符当应]/u.test(words.at(-1) ?? '');
    return { isGood, isBad: !isGood };
  }
  return { isGood: GOOD.test(said.replace(DENIED_GOOD, 'wrong')), isBad: BAD.test(said) };
}

/** What lines say of the option above them: "✓ This is correct." */
function verdictIn(lines: string): string {
  return (
    lines
      .match(
        /[✓✗]|(?:this|it|which|option)(?: [a-z]+)? is (?:not |in)?(?:the )?(?:correct|wrong|true|false|right)(?![a-z])/gu,
      )
      ?.at(-1) ?? ''
  );
}

/**
 * A line that is "B", "(B)" or "Option B: its text". When several options may be right, all such
 * lines.
 */
export function ownLine(reading: Reading): readonly Claim[] {
  const found = labelLines(reading).filter(isTrusted);
  const first = found[0];
  const last = found.at(-1);
  if (first === undefined || last === undefined) return [];
  const labels = [...new Set(found.flatMap(labelsOf))];
  if (labels.length === 1 || first.value.kind === 'conflict') return [first];
  const list = labelsClaim(labels, first.start, last.end);
  const below = labelsBelow(reading, first);
  const isList = below !== null && isWholeList(reading, below);
  const isChoice = reading.multiple === true || (reading.multiple === undefined && isList);
  return [isChoice && labels.length < reading.question.labels.ordered.length ? list : first];
}

/** Lines that are a label, or a label and the text of its option. The opening line may continue. */
function labelLines(reading: Reading): readonly Claim[] {
  const first = reading.text.search(/\S/u);
  return itemsOf(reading).flatMap(({ token, from, end, isLine }) => {
    if (!isLine) return [];
    // The option at which the output was cut off.
    const isLate = reading.cut && from > first;
    const [tick = ''] = /^[\s✓]{0,9}✓[ ]{0,3}/u.exec(reading.text.slice(from, end)) ?? [];
    const claim = labelsAt({ ...reading, text: reading.text.slice(0, end) }, from + tick.length);
    const rest = reading.text.slice(claim?.end ?? token.end, end);
    if (claim !== null && (/^[\s.)"'\]:⟧]{0,6}$/u.test(rest) || claim.value.kind === 'conflict'))
      return [claim];
    const own = ownTextEnd(reading.text, reading.question, token.label, token.end);
    // "C. Elbe is incorrect"
    if (own === null || own > end + 1) return [];
    const named = labelsClaim([token.label], token.start, own);
    return isLate && /\p{L}/u.test(reading.text.slice(own, end))
      ? []
      : [{ ...named, doubt: doubtOn(reading.lower, named, ['option rejected']) }];
  });
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

/**
 * Nothing follows the lines. Where it is not known whether several may be right, the first two
 * options may begin an analysis.
 */
function isWholeList({ text, multiple, question }: Reading, list: Claim): boolean {
  const [first, second] = labelsOf(list);
  const { ordered } = question.labels;
  const mayBegin = first === ordered[0] && second === ordered[1];
  return !/[\p{L}\p{N}]/u.test(text.slice(list.end)) && (multiple === true || !mayBegin);
}

/** "Iron. It rusts", but not "Iron, zinc and tin are metals" nor "Iron. Incorrect". */
function isOpeningText(reading: Reading, { end }: Claim): boolean {
  const delimiter =
    /^["')]{0,2}(?:[.!,;](?=\s)| (?=\()(?!\([A-Z\d]{1,2}\) {0,2}\p{L})| {0,3}\n)\s{0,9}/u.exec(
      behind(reading.text, end, 'label'),
    );
  if (delimiter === null) return false;
  const next = end + delimiter[0].length;
  if (
    textAt(reading, next) !== null ||
    /^(?:incorrect|wrong)/u.test(reading.lower.slice(next, next + 9))
  )
    return false;
  return reading.multiple !== true || textsIn(reading, next, reading.text.length).length === 0;
}

/**
 * "C. Because ...", "C, since ...", "Iron. It rusts ...", "No, because ...": an answer before its
 * reasons.
 */
export function leadingLabel(reading: Reading): readonly Claim[] {
  const { text, lower, multiple } = reading;
  const opening = text.search(/\S/u);
  const told = reading.cut ? null : textsAt(reading, opening, multiple !== false);
  if (told !== null && isOpeningText(reading, told)) return [told];
  const claim = labelsAt(reading, opening);
  if (claim === null || /[a-z]/u.test(text.charAt(claim.start))) return [];
  // {"A": 0.1, "B": 0.9}
  if (text.charAt(opening) === '{') return [];
  const doubt = doubtOn(lower, claim, ['option rejected']);
  // "C) a text in other words", "C is the longest"
  const goesOn =
    /[)\]]/u.test(text.charAt(claim.end - 1)) ||
    / (?:is|would)(?![a-z'])/uy.test(text.slice(claim.end));
  const list = multiple === false ? null : labelsBelow(reading, claim);
  if (list !== null && isWholeList(reading, list)) return [list];
  const [label, ...more] = labelsOf(claim);
  const isOnly =
    !reading.cut &&
    goesOn &&
    more.length === 0 &&
    mentionsIn(reading, 0, text.length).every((other) => other.label === label);
  const after = behind(text, claim.end, 'label');
  // "Options A and C are effects of it."
  if (multiple === true && more.length > 0 && SAYS.test(lower.slice(claim.end)))
    return [{ ...claim, doubt }];
  return isOnly || BEFORE_REASONS.test(after) || (more.length > 0 && /^ ?\(/u.test(after))
    ? [{ ...claim, doubt }]
    : [];
}

/** "A and C are effects of it", or another verb in a sentence without a denial. */
const SAYS =
  /^(?! are (?:all |both )?(?:the )?(?:correct|right)(?![a-z]))(?: are(?![a-z])| (?!or |is |than |vs)[a-z]{2,20}(?![a-z'])(?!(?:[^.!?\n]{0,200}[^a-z])?(?:not|no|never|n't|wrong|incorrect|false|if|while|but|plausible|possible|could|may|might)(?![a-z])))/u;
const BEFORE_REASONS =
  /^[)"'\]]{0,2}(?:[.:,;)–。，：；]|-(?!\p{L})|\s*\n|\s+(?:because|since|as|is (?:the|my|best|most|because)|-|–|would|for|explanation|reason(?:ing|s)?|rationale|justification)(?![a-z])|\s{0,3}(?:解|理由|因为|由于|原因|分析|说明|依据|根据|이유|설명))/iu;

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

const itemsOf = remember(findItems);

function findItems(reading: Reading): readonly Item[] {
  const { text, lower } = reading;
  let last = -1;
  return [...`\n${text}`.matchAll(PLACE)].slice(-MOST_ITEMS).flatMap(({ 0: place, index }) => {
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
    const own = ownTextEnd(text, question, token.label, token.end);
    if (own === null || JUDGED_AFTER.test(behind(lower, own, 'label'))) break;
    const [separator = ''] = SEPARATOR.exec(behind(text, own, 'label')) ?? [];
    const next = tokenAt(reading, own + separator.length);
    // "D. Loire flows west", below lines with nothing else, is no echo.
    const isLine = text.slice(first.start, own).includes('\n');
    const goesOn = !separator.includes('\n') && text.length > own + separator.length;
    if (next === null && isLine && goesOn) break;
    index = ordered.indexOf(token.label);
    end = own + separator.length;
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
  return [...text.matchAll(new RegExp(`(?:${item}){2,30}`, 'gu'))].flatMap(
    ({ 0: run, index }): readonly Range[] => {
      const labels = [...run.matchAll(new RegExp(item, 'gu'))].map(([, label = '']) => label);
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
    const own = ownTextEnd(text, question, token.label, token.end) ?? token.end;
    return VERDICT_AFTER.test(behind(lower, own, 'label')) || isRest(text.slice(token.end, end));
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
    const own = ownTextEnd(text, question, token.label, token.end) ?? token.end;
    return `${isLine} ${isRest(text.slice(own, end))}`;
  });
  // "Answer: A) its text", and then why the others are wrong.
  return isWhole && first === second;
}
