import { pattern } from '../pattern.ts';
import type { Reading } from '../reading.ts';
import { textAfter } from '../text-near.ts';
import { anyOf } from '../words/any-of.ts';
import type { Claim } from './claim.ts';
import { contrastEnd } from './contrast.ts';
import { lastPart } from './last-part.ts';
import { isOneOf } from './one-of.ts';
import { sentenceEnd, sentenceStart } from './sentence.ts';

const DENIED_BEFORE =
  /(?:(?:^|\s)(?:no one|nobody)\s|not true that|not (?:think|believe|say|mean)|n't (?:think|believe|say|mean|be|choose|select|pick)|(?<!(?:no|without a|without any|beyond|little) )doubt|deny that|(?<!(?:is|'s) )why|wrong(?:ly)? (?:assum|conclud|think|say)|mistakenly |no creo que|ne pense pas que|nicht,? dass|glaube nicht)[^.!?\n,;:]{0,60}$|whether (?:\p{L}+ ){0,6}$/u;
const OTHERS_BEFORE =
  /(?:some|many|most|everyone|everybody|anyone|nobody|people|students?|candidates?|others|someone|(?:one|you) (?:may|might|could)) (?:(?:may|might|would|could|often|mistakenly|also) ){0,2}(?:think|say|choose|pick|select|argue|believe|assume|guess|answer)s?(?: that)?[^.!?\n;:]{0,40}$/u;
const TEMPLATE_BEFORE =
  /(?:e\.g\.|for example|such as|format|respond with|reply with|in the form|like this)[^.!?\n]{0,20}$/u;
const CONDITION_BEFORE = /(?<!\p{L})(?:if|unless|suppose|supposing|assuming|had|were)\s/u;
/** "For 1815, the answer would be B": said of another case than the one asked. */
const CASE_BEFORE =
  /(?:^|[\s(])(?:for|at|in the case of|in case of|under)\s(?!(?:first|this|these|that|those|our|such|example|instance|all|the (?:question|case|given|problem|patient|above|scenario|present|reasons?))(?!\p{L}))/u;
const CASE_AFTER =
  /^,?\s(?:only\s)?(?:if|when|for|unless|under|in the case of|in case of|had)\s(?!(?:this|these|the (?:question|case|given|problem|patient|above|scenario|present|following|reasons?))(?!\p{L}))/u;
const ARTICLE = "(?:the|el|la|las|los|le|les|l'|die|der|das|den|as|our|my)";
/** "I reject option B", "anything but B", "not B", "all except B". */
const REJECTED_BEFORE = pattern(
  `(?:${anyOf('reject')}|${anyOf('all', 'allAlone')}\\s(?:\\p{L}{2,12}\\s){0,3}?${anyOf('except')})\\s{0,2}(?:${anyOf('is')}\\s)?(?:${anyOf('choose')}\\s)?(?:(?:${ARTICLE}|${anyOf('option', 'answer')})[\\s:]{1,2}){0,3}["'([]{0,2}$`,
);
const CANDIDATE = `(?!${anyOf('statement')})(?:${anyOf('answer', 'option')})`;
/** "The wrong answer is B", "la respuesta incorrecta es B". */
const WRONG_ONE_BEFORE = pattern(
  `(?:${anyOf('wrong')}\\s?${CANDIDATE}|${CANDIDATE}\\s${anyOf('wrong')})\\s?(?:[\\p{L}']+\\s){0,3}?(?:${anyOf('is')})?\\s?:?\\s?(?:${ARTICLE}\\s)?(?:${anyOf('option')}\\s)?["'([]{0,2}$`,
);
/** "At first I thought of B". */
const EARLIER_BEFORE = pattern(`${anyOf('earlier')}(?:,(?=\\s(?:i|we)\\s))?[^.!?\\n;,]{0,60}$`);
/** "(I chose) B at first". */
const EARLIER_AFTER = pattern(`^\\s${anyOf('earlier')}`);
const IS_BEFORE = pattern(`${anyOf('is')}\\s$`);
/** After these words a sentence says what holds: "While some choose A, I ...". */
const TURN = /\s(?:but|however|yet|sino|mais|aber|sondern)\s|,\s(?=(?:so\s)?(?:i|we)\s)/u;
const CONDITIONAL = /would|could|might|sería|serait|wäre/u;
const MODAL = `(?:${anyOf('is')}|this|it|seems?|appears?|looks?|sounds?|remains?|can|could|should|must|may|has been|have been|be|does|do|did|would|will|has|have|also|all|both|alone|\\p{L}{3,12}ly)`;
/** "is not", "can be ruled out", "isn't". */
const IS_WRONG = pattern(
  `^[,(-]?\\s{0,2}(?:${anyOf('option')}\\s?)?(?:${MODAL}[\\s:-]{0,3}){0,4}(?:(?<=\\s|是|的)(?:(?<!,\\s)(?:not|nicht)(?!\\s(?:only|just))|cannot|no es|no son|n'est pas|ne sont pas|non (?:è|sono|sembra)|n[ãa]o (?:é|s[ãa]o|est[áa]|est[ãa]o|parece)|no (?:est[áa]|parece)|\\p{L}{2,8}n't(?!\\p{L}))|(?<!^[,(-]?\\s{0,2})(?:an?\\s|the\\s)?(?:${anyOf('wrong')}|least|less|second|worst|poorest|weakest|too\\s\\p{L}|(?<=was )(?:my|our)(?!\\p{L})))`,
);
/** "B makes no sense", "B has little to do with it". */
const HAS_NO =
  /^\s(?:\p{L}{2,14}\s)?(?:makes?\s(?:no|little)\ssense|(?:has|have|had|does|do|did)\s(?:\p{L}{2,14}\s)?(?:nothing|little|no|hardly|barely)\s(?:to do|bearing|relevance|relation|connection|link|role|effect|influence|evidence|support|basis))(?!\p{L})/u;
/** "Not convinced by B", "no evidence for B"; "not only B" and "no doubt that B" affirm. */
const NEGATED_NEAR =
  /(?:(?:^|\s)(?:not|never|no|nothing|nobody|without|hardly|against|nicht|pas|non|n[ãa]o)|n't)\s(?!true|correct|only|just|doubt|question|other|need|s[óo]lo|nur|seulement)(?:\p{L}+\s){1,3}["'([]?$/u;
/** "B is out, as is C": what is said of C is not told here. */
const SAME_AS_BEFORE = pattern(
  `(?:as|so|nor|neither)\\s(?:has|is|does|are|have|do)\\s(?:${anyOf('option')}\\s)?["'([]?$`,
);
/** "B: incorrect", "B (wrong)", "B ✗", "B错误"; what follows must end the verdict. */
const VERDICT_WRONG = pattern(
  `^[).:]{0,2} ?(?:${anyOf('option')} ?)?[(:-]{0,2} ?(?:not(?!\\s(?:only|just|to be confused|\\(?\\p{L}\\)?(?:[.,]|$)))(?!\\p{L})|✗|(?:都|均|是|也)?(?:${anyOf('wrong')}|(?<=[:(-]\\s?)no)(?=\\s{0,2}(?:[.,;:!)\\]。，；的-]|$|\\n|because|since|as|due|\\()))`,
);

/** Whether the sentence in which this is said takes it back, reports somebody else's view or quotes a format. */
export function isDenied({ lower }: Reading, start: number, claim: Claim): boolean {
  const before = afterTurn(sentenceBefore(lower, start));
  return (
    DENIED_BEFORE.test(before) ||
    TEMPLATE_BEFORE.test(before) ||
    [start, claim.start].some((at) => isOthers(lower, at) || isFormer(lower, at) || isRejected(lower, at)) ||
    isQuestion(lower, claim.end)
  );
}

/** The part of a sentence after its last "but". */
export function afterTurn(sentence: string): string {
  return lastPart(sentence, TURN);
}

/** "(B is a fair second step,) but the first step is A." */
export function isContrasted({ lower }: Reading, { from }: { readonly from: number }): boolean {
  const before = sentenceBefore(lower, from);
  return TURN.test(before) && IS_BEFORE.test(before);
}

/** "If it rained, the answer would be B": said of a case that may not hold. */
export function isConditional({ lower }: Reading, start: number, claim: Claim): boolean {
  const before = sentenceBefore(lower, start);
  const isOther =
    CONDITION_BEFORE.test(before) || CASE_BEFORE.test(before) || CASE_AFTER.test(outsideAfter(lower, claim.end));
  return isOther && (CONDITIONAL.test(lower.slice(start, claim.end)) || isOneOfTwo(before, lower.slice(claim.end)));
}

/** "If it is old, the answer is A; if it is new, it is B." */
function isOneOfTwo(before: string, after: string): boolean {
  if (/(?<!\p{L})if\s.{1,160}[,;]\s(?:and\s|but\s)?if\s/u.test(before)) return true;
  return CONDITION_BEFORE.test(before) && /^[,;]\s(?:and\s|but\s)?(?:if|when|otherwise|else)(?!\p{L})/u.test(after);
}

/** Whether the few words before a mention speak against it: "not convinced by B". */
export function isDoubted(reading: Reading, start: number): boolean {
  const before = sentenceBefore(reading.lower, start);
  return SAME_AS_BEFORE.test(before) || NEGATED_NEAR.test(afterTurn(before)) || isOneOf(reading, start);
}

/** "B is wrong", "B: incorrect", "B cannot be right". */
export function isDeniedAfter(reading: Reading, end: number): boolean {
  const after = outsideAfter(reading.lower, contrastEnd(reading, end));
  return [IS_WRONG, VERDICT_WRONG, HAS_NO, EARLIER_AFTER].some((denied) => denied.test(after));
}

function isOthers(lower: string, at: number): boolean {
  return OTHERS_BEFORE.test(afterTurn(sentenceBefore(lower, at)));
}

function isFormer(lower: string, at: number): boolean {
  return EARLIER_BEFORE.test(afterTurn(sentenceBefore(lower, at)));
}

function isRejected(lower: string, at: number): boolean {
  const before = sentenceBefore(lower, at);
  return REJECTED_BEFORE.test(before) || WRONG_ONE_BEFORE.test(before);
}

function isQuestion(lower: string, end: number): boolean {
  // The dot behind a bare label ends its statement, although elsewhere a dot behind one letter is an initial's.
  if (lower[end] === '.') return false;
  const stop = sentenceEnd(lower, end, 60);
  return (
    lower[stop] === '?' && !/(?:right|correct|no|¿no|n'est-ce pas|oder|对吧)$/u.test(lower.slice(end, stop).trim())
  );
}

function sentenceBefore(lower: string, at: number): string {
  return lower.slice(sentenceStart(lower, at), at);
}

/** What follows a claim and the bracket or quote around it. */
function outsideAfter(lower: string, end: number): string {
  return textAfter(lower, end, 80).replace(/^[)"'\]]{1,2}/u, '');
}
