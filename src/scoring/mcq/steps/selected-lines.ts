import type { Claim } from '../claims/claim.ts';
import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { inOrder } from '../labels.ts';
import { lastMatches } from '../last-matches.ts';
import type { Reading } from '../reading.ts';
import type { Step } from './step.ts';

/** Where several may be right: the options that have a line of their own, if some have none. */
export const selectedLines: Step = {
  name: 'options listed',
  claims: (reading) => {
    const { labels, multiple } = reading.question;
    if (multiple !== true) return [];
    const lines = mentionsOf(reading).filter((mention) => mention.leadsLine && mention.labels.length === 1);
    const chosen = inOrder(
      lines.filter((line) => !isDeniedAfter(reading, line.end)).flatMap((line) => line.labels),
      labels.ordered,
    );
    if (lines.length === 0) return listedTexts(reading);
    const first = lines[0];
    const last = lines.at(-1);
    if (first === undefined || last === undefined || chosen.length < 2 || chosen.length >= labels.ordered.length)
      return [];
    return [
      { value: { kind: 'labels', labels: chosen }, start: first.start, end: last.end, by: 'label' } satisfies Claim,
    ];
  },
};

const BULLET = /(?:^|\n)[ \t]{0,4}(?:[-•+]|\d{1,2}[.)]) ?["'(]?(?=\S)/gu;

/** The same, where the lines name the options by their texts. */
function listedTexts(reading: Reading): readonly Claim[] {
  const { question, lower } = reading;
  const told = lastMatches(lower, BULLET)
    .map((bullet) => question.texts.at(lower, bullet.index + bullet[0].length))
    .filter((match) => match?.labels.length === 1 && !isDeniedAfter(reading, match.end))
    .filter((match) => match !== null);
  const labels = inOrder(
    told.flatMap((match) => match.labels),
    question.labels.ordered,
  );
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined || labels.length < 2 || labels.length >= question.labels.ordered.length)
    return [];
  return [{ value: { kind: 'labels', labels }, start: first.start, end: last.end, by: 'text' }];
}
