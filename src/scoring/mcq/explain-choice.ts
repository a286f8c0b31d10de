import type { AnswerClaim } from '../claim.ts';
import type { Decision } from './decide.ts';
import { FORMS, type Form } from './forms.ts';
import { analyses } from './items.ts';
import type { Prepared } from './prepare.ts';
import { type Claim, isTrusted, type Reading } from './tokens.ts';

/**
 * Everything that a form read in an output, in the order of the text, and why one claim decides.
 * `says` tells what a claim says.
 */
export function explainChoice(
  output: string,
  prepared: Prepared,
  decision: Decision | null,
  says: (claim: Claim) => string | null,
): readonly AnswerClaim[] {
  const { reading, place } = prepared;
  const ranges = analyses(reading);
  const isWinner = (form: Form, { start, end }: Claim): boolean =>
    form === decision?.form && start === decision.claim.start && end === decision.claim.end;
  const toClaim = (claim: Claim, form: Form, why: string, won = false): AnswerClaim => {
    const start = place(claim.from ?? claim.start);
    const end = Math.max(start, place(claim.end));
    return {
      text: output.slice(start, end),
      start,
      end,
      form: form.name,
      says: says(claim),
      won,
      why,
    };
  };
  const lost = FORMS.flatMap((form) =>
    form
      .claims(reading)
      .filter((claim) => !isWinner(form, claim))
      .map((claim) => toClaim(claim, form, whyLost(reading, decision, form, claim, ranges))),
  );
  const winner =
    decision === null ? [] : [toClaim(decision.claim, decision.form, whyWon(decision), true)];
  return [...lost, ...leftOutClaims(prepared, toClaim), ...winner].sort(
    (a, b) => a.start - b.start,
  );
}

/** What the forms would have read in parts where no label is an answer. */
function leftOutClaims(
  { whole, left }: Prepared,
  toClaim: (claim: Claim, form: Form, why: string) => AnswerClaim,
): readonly AnswerClaim[] {
  return left.flatMap(({ range: [from, to], of }) =>
    FORMS.flatMap((form) =>
      form
        .claims(whole)
        .filter(({ start }) => from <= start && start < to)
        .map((claim) => toClaim(claim, form, `it is in ${of}`)),
    ),
  );
}

function whyWon({ form, how, until }: Decision): string {
  if (until !== undefined) return 'it is before another question that the output invents';
  return how === 'correction'
    ? 'it corrects an earlier statement'
    : `the last claim of the strongest form that speaks, "${form.name}"`;
}

function whyLost(
  { cut }: Reading,
  decision: Decision | null,
  form: Form,
  claim: Claim,
  ranges: ReturnType<typeof analyses>,
): string {
  if (!isTrusted(claim)) return `doubted: ${claim.doubt}`;
  if (decision?.until !== undefined && claim.start >= decision.until)
    return 'it is in another question that the output invents';
  if (form.needsEnd && cut) return 'the output is cut off, and this form reads finished ones only';
  const isListed = ranges.some(([start, end]) => start <= claim.start && claim.start < end);
  if (form.isBlindToLists && isListed) return 'it is in a list that goes through the options';
  if (decision?.how === 'correction') return 'it was corrected later';
  if (decision === null) return 'it says nothing that decides';
  return decision.form === form
    ? 'a later claim of the same form counts'
    : `"${decision.form.name}" is a stronger form`;
}
