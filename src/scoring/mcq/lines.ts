import { doubtOn } from './doubt.ts';
import { itemsOf, labelsBelow } from './items.ts';
import { BAD, GOOD, judgementIn, verdictIn } from './judgement.ts';
import { behind } from './patterns.ts';
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
} from './tokens.ts';
import { labelsAt, textsAt } from './values.ts';

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
    const judged = isHead ? `${line} ${verdictIn(below.join(' '))}` : line;
    const { isGood, isBad } = judgementIn(judged);
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
    const textEnd = ownTextEnd(reading.text, reading.question, token.label, token.end);
    // "C. Elbe is incorrect"
    if (textEnd === null || textEnd > end + 1) return [];
    const named = labelsClaim([token.label], token.start, textEnd);
    return isLate && /\p{L}/u.test(reading.text.slice(textEnd, end))
      ? []
      : [{ ...named, doubt: doubtOn(reading.lower, named, ['option rejected']) }];
  });
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
