import { type Claim, isSingle } from './claims/claim.ts';
import { isTentative } from './claims/tentative.ts';
import { isInVerdictList } from './claims/verdict-list.ts';
import { pattern } from './pattern.ts';
import type { Reading } from './reading.ts';
import type { Step } from './steps/step.ts';
import { anyOf } from './words/any-of.ts';

const DANGLING = pattern(`(?:[\\s，,](?<![:\\n] ?)${anyOf('dangling')}|[^\\s\\p{Lu}],)$`);

/** The claim that decides and the step that found it. */
export type Decision = { readonly claim: Claim; readonly step: string };

/** The first step that finds anything decides, by its last claim. */
export function decide(reading: Reading, steps: readonly Step[]): Decision | null {
  const tried = isCutOff(reading.text) || endsInHeading(reading) ? steps.filter((step) => step.weak !== true) : steps;
  for (const step of tried) {
    const claim = lastClaim(step.claims(reading).filter(isNoVerdict(reading)), reading.question.multiple);
    if (claim !== null) return { claim, step: step.name };
  }
  return null;
}

/** "A: true" in a list that judges every option does not lead to the label of the next one. */
function isNoVerdict(reading: Reading): (claim: Claim) => boolean {
  return (claim) => !isTentative(reading, claim) && (claim.by === 'list' || !isInVerdictList(reading, claim.start));
}

/** Where one option is right, "A and C are plausible" must not overrule "the answer is C". */
function lastClaim(claims: readonly Claim[], multiple: boolean | undefined): Claim | null {
  const single = multiple === false ? claims.findLast(isSingle) : undefined;
  return single ?? claims.at(-1) ?? null;
}

/** The next section or the next item of a list was begun. */
function endsInHeading({ said, text, question }: Reading): boolean {
  const number = /\n(\d{1,2})[.)]$/u.exec(text.trimEnd())?.[1];
  if (number !== undefined && question.labels.find(number) === null) {
    return question.texts.equal(number).length === 0 || pattern(`(?:^|\\n)${Number(number) - 1}[.)]`).test(text);
  }
  return /\n(?:[ \t]{0,3}#{1,6}[ \t][^\n]*|[^\n]{1,60}:[*_]{0,2})$/u.test(said.text.trimEnd());
}

/** A text that stops within a sentence has hit a token limit; a short one may just lack its dot. */
export function isCutOff(text: string): boolean {
  const end = text.trimEnd();
  if (DANGLING.test(end) || isOpen(end)) return true;
  return end.length > 240 && !/[.!?。！？)\]}"'%…:;✓✗\u{E001}]$/u.test(end);
}

/** "47 + 6 =", "x = 47 (": an operator lacks its right side, or a bracket its other half. */
function isOpen(end: string): boolean {
  if (/(?:\d|\s)[=+×÷−<≤≥≈^]$|[([{]$/u.test(end)) return true;
  const line = end.slice(end.lastIndexOf('\n') + 1);
  return line.lastIndexOf('(') > line.lastIndexOf(')') && /\p{L}{2}$/u.test(line);
}
