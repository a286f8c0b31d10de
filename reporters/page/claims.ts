import { listShown } from '../../src/figures/shown-options.ts';
import { extractFinalAnswer } from '../../src/scoring/gaia/extract-final-answer.ts';
import { extractChoice } from '../../src/scoring/mcq/extract-choice.ts';
import type { LoggedQuestion } from '../../src/store/run-folder.ts';
import type { SampleResult } from '../../src/words/row.ts';
import type { PageClaim } from './data.ts';

/** More do not help to see why an answer was read so. */
const MOST_CLAIMS = 12;

/** What viva's readers read in an output, and why one claim won. May throw, as readers do. */
export function listClaims(
  output: string,
  matcher: string | null,
  row: SampleResult,
  question: LoggedQuestion | undefined,
): readonly PageClaim[] {
  const shown = listShown(question, row);
  const choices = Object.fromEntries(shown.map(({ label, text }) => [label, text]));
  const { multiple } = row;
  const { claims } =
    matcher === 'toMatchMcqAnswer'
      ? extractChoice(output, { choices, multiple: multiple ?? undefined }, { explain: true })
      : extractFinalAnswer(output, { explain: true });
  return claims
    .slice(0, MOST_CLAIMS)
    .map(({ text, form, says, won, why }) => ({ text, form, says, won, why }));
}
