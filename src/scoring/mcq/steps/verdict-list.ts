import type { ClaimValue } from '../claims/claim.ts';
import { type Verdict, verdictList } from '../claims/verdict-list.ts';
import { inOrder } from '../labels.ts';
import type { KnownQuestion } from '../reading.ts';
import type { Step } from './step.ts';

/** "A: true\nB: false", a table with a verdict column, ticked boxes: what is called right is the answer. */
export const verdictsListed: Step = {
  name: 'verdict on each option',
  claims: (reading) => {
    const list = verdictList(reading);
    const value = toValue(list, reading.question);
    const [start, end] = [Math.min(...list.map((verdict) => verdict.start)), Math.max(...list.map(({ end }) => end))];
    return value === null ? [] : [{ value, start, end, by: 'list' }];
  },
};

function toValue(list: readonly Verdict[], { labels, multiple }: KnownQuestion): ClaimValue | null {
  const verdicts = new Map(list.flatMap((verdict) => verdict.labels.map((label) => [label, verdict.right])));
  const named = (right: boolean) =>
    inOrder(
      [...verdicts].filter(([, each]) => each === right).map(([label]) => label),
      labels.ordered,
    );
  const [right, wrong] = [named(true), named(false)];
  if (right.length > 0 && (right.length === 1 || multiple === true || (multiple === undefined && wrong.length > 1)))
    return { kind: 'labels', labels: right };
  // Nothing is right, or more than may be: the question asks for something else than truth, or has no such answer.
  return verdicts.size === labels.ordered.length ? { kind: 'nothing' } : null;
}
