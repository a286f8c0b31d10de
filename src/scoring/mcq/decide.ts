import { remember } from '../remember.ts';
import { blank } from './clean.ts';
import { FORMS, type Form } from './forms.ts';
import { analyses } from './items.ts';
import { nextQuestions, sameOptionQuestions } from './next-question.ts';
import { anyOf } from './patterns.ts';
import { type Prepared, toReading } from './prepare.ts';
import { type Claim, isTrusted, labelsOf, type Reading, textsIn } from './tokens.ts';

export type Decision = Readonly<{
  claim: Claim;
  form: Form;
  how: string;
  /** Whether words such as "wait" follow it. */
  isOpen?: boolean;
  /** Where another question begins, which the output invents. */
  until?: number;
}>;

const STATED = FORMS.filter(({ isStated }) => isStated);
const INFERRED = FORMS.filter(({ isStated }) => !isStated);
const CORRECTIONS = FORMS.filter(({ isCorrection }) => isCorrection);

const CORRECTION = new RegExp(
  `(?:^|[.!?\\n]\\s{0,3}|[^a-z](?!actually))${anyOf(
    'wait|actually|correction|scratch that|(?:on|upon) (?:second thought|further thought|reflection)',
    'let me (?:re|correct)|i made an? (?:mistake|error)|no,|hmm|oops|hold on|edit:|i meant|i misread',
    'i take (?:that|it) back|(?:change|revise|correct) my answer|should have been|i got that wrong',
  )}(?![a-z])`,
  'u',
);

/** Finds the claim that decides; null if no form claims anything. */
export function decide({ reading, left }: Prepared): Decision | null {
  const lists = left.flatMap(({ of, range }) =>
    of === 'a repeated list of the options' ? [range] : [],
  );
  return (
    decideBefore(reading, nextQuestions(reading), (part) => decideIn(part, FIRM)) ??
    decideBefore(reading, sameOptionQuestions(reading, lists), (part) => firstOf(part, STATED)) ??
    decideIn(reading)
  );
}

/**
 * Beside a statement, what is outside an analysis of the options counts before what is in
 * it.
 */
function decideIn(reading: Reading, tried = INFERRED): Decision | null {
  const stated = firstOf(reading, STATED);
  const ranges = stated === null ? analyses(reading) : [];
  if (ranges.length === 0) return stated ?? firstOf(reading, tried);
  const outside = {
    ...reading,
    text: blank(reading.text, ranges),
    lower: blank(reading.lower, ranges),
  };
  const ofAnalysis = tried.filter(({ isBlindToLists }) => !isBlindToLists);
  return firstOf(outside, tried) ?? firstOf(reading, ofAnalysis);
}

function firstOf(reading: Reading, tried: readonly Form[]): Decision | null {
  for (const form of tried) {
    if (form.needsEnd && reading.cut) continue;
    const claim = lastClaim(claimsOf(form, reading).filter(isTrusted), reading.multiple);
    if (claim === null) continue;
    const isHedge = claim.value.kind === 'conflict' && claim.value.isHedge === true;
    const isOpen = isHedge || CORRECTION.test(reading.lower.slice(claim.end));
    const later = form.mayBeCorrected && isOpen ? correctionOf(reading, claim) : null;
    return later ?? { claim, form, how: form.name, isOpen: form.mayBeCorrected === true && isOpen };
  }
  return null;
}

const claimsByForm = remember((_: Reading) => new Map<Form, readonly Claim[]>());

/** Several steps ask for the claims of one form. */
function claimsOf(form: Form, reading: Reading): readonly Claim[] {
  const cached = claimsByForm(reading);
  const claims = cached.get(form) ?? form.claims(reading);
  cached.set(form, claims);
  return claims;
}

function correctionOf(reading: Reading, { end }: Claim): Decision | null {
  return (
    CORRECTIONS.flatMap((form) =>
      claimsOf(form, reading)
        .filter(isTrusted)
        .map((claim) => ({ claim, form, how: 'correction', isOpen: true })),
    ).findLast(({ claim }) => /[.!?,;\n]/u.test(reading.text.slice(end, claim.start))) ?? null
  );
}

/**
 * When one option is right, "A and C are plausible" must not overrule "the answer is C". An empty or
 * unknown last answer does.
 */
function lastClaim(claims: readonly Claim[], multiple: boolean | undefined): Claim | null {
  const last = claims.at(-1) ?? null;
  if (multiple !== false || last?.value.kind === 'unoffered') return last;
  return claims.findLast((claim) => labelsOf(claim).length === 1) ?? last;
}

/** Forms that a question which the model invents could not have misled. */
const FIRM = INFERRED.filter(({ isLoose }) => !isLoose);

/**
 * Some models invent another question after their answer. The answer before the first such question
 * that follows one counts.
 */
function decideBefore(
  reading: Reading,
  places: readonly number[],
  decideOn: (part: Reading) => Decision | null,
): Decision | null {
  for (const until of places) {
    const decision = decideOn(toReading(reading.text.slice(0, until), reading));
    if (decision?.claim.value.kind === 'labels') return { ...decision, until };
  }
  return null;
}

/**
 * False if another trusted claim of a form as strong says something else, if only a loose form
 * spoke, or if the output repeats an example or goes on with a question of its own.
 */
export function isCertain({ reading, left }: Prepared, decision: Decision | null): boolean {
  if (decision === null || decision.until !== undefined) return false;
  if (decision.isOpen || decision.form.isLoose) return false;
  if (decision.form.isUnsureBesideTexts && textsIn(reading, 0, reading.text.length).length > 0)
    return false;
  if (left.some(({ of }) => of === 'an example')) return false;
  const rivals = decision.form.isStated ? STATED : [decision.form, ...CORRECTIONS];
  const rivalClaims = rivals.flatMap((form) => claimsOf(form, reading));
  const decided = sayingKey(decision.claim);
  return rivalClaims.every((claim) => !isTrusted(claim) || sayingKey(claim) === decided);
}

function sayingKey({ value }: Claim): string {
  return value.kind === 'labels' ? value.labels.toSorted().join() : value.kind;
}
