import { mentionsOf } from '../claims/mentions.ts';
import { lastMatches } from '../last-matches.ts';
import { once } from '../once.ts';
import type { TextMatch } from '../option-texts.ts';
import type { Reading } from '../reading.ts';

const LINE = /[^\n]+/gu;
/** Found where the line starts, since all of it may be missing there. */
const BULLET = /[ •+-]{0,4}(?:\d{1,2}[.)] )?/u;

/** Whether options are told here one line after the other: that is a list, and the last of them is no answer. */
export function isListed(reading: Reading, match: TextMatch): boolean {
  return listedLines(reading).some((line) => match.start >= line.start && match.end <= line.end);
}

const listedLines = once((reading: Reading): readonly TextMatch[] => {
  const labelled = mentionsOf(reading).filter((mention) => mention.leadsLine);
  return [labelled, toldLines(reading)]
    .filter((lines) => new Set(lines.flatMap((line) => line.labels)).size > 1)
    .flat();
});

/** The lines that are nothing but the text of an option. */
export function toldLines({ text, question }: Reading): readonly TextMatch[] {
  return lastMatches(text, LINE).flatMap((line) => {
    const labels = question.texts.equal(line[0].replace(BULLET, ''));
    return labels.length === 1 ? [{ labels, start: line.index, end: line.index + line[0].length }] : [];
  });
}
