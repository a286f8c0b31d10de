import { type SampleResult, STATES } from '../words/row.ts';
import { cutMiddle, toText } from '../words/show.ts';
import { groupBy } from './groups.ts';
import type { Comparison } from './paired-comparison.ts';

/** A question whose verdict changed, with the answers of both variants in words. */
export type ChangedAnswer = Readonly<{
  id: string;
  change: Change;
  /**
   * As "42" or "timed out"; of several trials as "42 (2 of 3), no answer (empty)". Long answers are
   * cut.
   */
  a: string;
  b: string;
  expected: string | null;
}>;

/** How the verdict of a question changed. `worse` and `better`: in some of its trials. */
export type Change = 'broken' | 'worse' | 'fixed' | 'better';

/** The ids of the questions of each change, the bad changes first. */
export function listChangedIds({
  flips,
  shifts,
}: Comparison): readonly (readonly [Change, readonly string[]])[] {
  return [
    ['broken', flips.broken],
    ['worse', shifts.worsened],
    ['fixed', flips.fixed],
    ['better', shifts.improved],
  ];
}

/** Every question whose verdict changed, the bad changes first. */
export function listChangedAnswers(
  figures: Comparison,
  a: readonly SampleResult[],
  b: readonly SampleResult[],
): readonly ChangedAnswer[] {
  const before = groupBy(a, ({ id }) => id);
  const after = groupBy(b, ({ id }) => id);
  return listChangedIds(figures).flatMap(([change, ids]) =>
    ids.map((id) => {
      const [trialsA = [], trialsB = []] = [before.get(id), after.get(id)];
      // A suite without targets has an empty one.
      const { target: expected = null } = trialsB[0] ?? {};
      return {
        id,
        change,
        a: formatTrials(trialsA),
        b: formatTrials(trialsB),
        expected: expected === null || expected === '' ? null : cutMiddle(toText(expected)),
      };
    }),
  );
}

/** What the trials of a question answered, the most frequent first. */
function formatTrials(rows: readonly SampleResult[]): string {
  const answers = [...Map.groupBy(rows, formatAnswer)].sort(
    ([, left], [, right]) => right.length - left.length,
  );
  const [only] = answers;
  if (only !== undefined && answers.length === 1) return only[0];
  return answers
    .map(([answer, { length }]) => `${answer} (${length} of ${rows.length})`)
    .join(', ');
}

/**
 * What a result answered, in a few words: "42", "no answer (refusal)", "timed out", "errored
 * (network)".
 */
export function formatAnswer({ state, reason, answer, output }: SampleResult): string {
  const text = answer ?? (STATES[state].verdict === 'none' ? null : output);
  if (text !== null) return cutMiddle(toText(text));
  const { label } = STATES[state];
  return reason === null || reason === state ? label : `${label} (${cutMiddle(reason)})`;
}
