import { mentionsOf } from '../claims/mentions.ts';
import { isDeniedAfter } from '../claims/negation.ts';
import { inOrder } from '../labels.ts';
import { lastMatches } from '../last-matches.ts';
import type { TextMatch } from '../option-texts.ts';
import type { Reading } from '../reading.ts';
import { found } from './found.ts';
import { toldLines } from './listed-lines.ts';
import type { Step } from './step.ts';

/** Where several may be right: the options that have a line of their own, if some have none. */
export const selectedLines: Step = {
  name: 'options listed',
  claims: (reading) => {
    const { labels, multiple } = reading.question;
    const labelled = mentionsOf(reading).filter((mention) => mention.leadsLine && mention.labels.length === 1);
    const listed = [labelled, bulletedTexts(reading)].find((each) => each.length > 0) ?? toldLines(reading);
    const lines = listed.filter((line) => !isDeniedAfter(reading, line.end));
    const chosen = inOrder(
      lines.flatMap((line) => line.labels),
      labels.ordered,
    );
    if (multiple !== true || chosen.length < 2 || chosen.length === labels.ordered.length) return [];
    const [start, end] = [Math.min(...lines.map((line) => line.start)), Math.max(...lines.map((line) => line.end))];
    return [found({ kind: 'labels', labels: chosen }, start, end)];
  },
};

const BULLET = /(?:^|\n)(?:[-•+]|\d{1,2}[.)]) ?["'(]?(?=\S)/gu;

function bulletedTexts({ question, lower }: Reading): readonly TextMatch[] {
  return lastMatches(lower, BULLET).flatMap((bullet) => {
    const match = question.texts.at(lower, bullet.index + bullet[0].length);
    return match?.labels.length === 1 ? [match] : [];
  });
}
