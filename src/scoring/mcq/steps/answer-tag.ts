import type { Claim } from '../claims/claim.ts';
import { lastMatches } from '../last-matches.ts';
import type { Reading } from '../reading.ts';
import type { Step } from './step.ts';
import { valueClaim } from './value-claim.ts';

/** Every value is read like an output of its own. */
const MOST_VALUES = 8;

const TAG =
  /<(?:final_?answer|answer|choice|option|ans|result|response|final|output|prediction|selection)>([^<]{0,2000})(?:<\/|$)/giu;
const CALL =
  /(?<![\p{L}\p{N}])(?:final_?answer|submit(?:_?answer)?|answer|choose|select_?(?:option|answer|choice))\(\s{0,9}(?:\w{1,20}\s?=\s?)?["'[]{1,2}([^"'()\]\n]{1,400}(?:["'],\s?["'][^"'()\]\n]{1,200}){0,30})["'\]]{1,2}\s{0,9}\)/giu;

const FINISH = /(?<![\p{L}\p{N}])(?:finish|answer|submit|final)\[([^[\]\n]{1,200})\]/giu;

/** `<answer>B</answer>`, `final_answer("B")`. */
export const answerTag: Step = {
  name: 'answer tag',
  claims: (reading) =>
    !/[<([]/u.test(reading.said.text)
      ? []
      : [...tagged(reading, TAG), ...tagged(reading, CALL), ...tagged(reading, FINISH)]
          .filter((claim) => claim.value.kind !== 'nothing')
          .toSorted((a, b) => a.start - b.start),
};

function tagged(reading: Reading, pattern: RegExp): readonly Claim[] {
  return lastMatches(reading.said.text, pattern, MOST_VALUES).map((found) => {
    const inside = found[1] ?? '';
    const start = found.index + found[0].indexOf(inside);
    return valueClaim(reading, [inside.replace(/["']/gu, '')], start, start + inside.length);
  });
}
