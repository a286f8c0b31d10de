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
  /(?:answer|submit|choose|select_?(?:option|choice))\(\s{0,9}(?:\w{1,20} ?= ?)?(["'[][^()\n]{1,400}["'\]])\s{0,9}\)/giu;
const FINISH = /(?:finish|answer|submit|final)\[([^[\]\n]{1,200})\]/giu;

/** `<answer>B</answer>`, `final_answer("B")`, `Finish[B]`. */
export const answerTag: Step = {
  name: 'answer tag',
  claims: (reading) =>
    [TAG, CALL, FINISH]
      .flatMap((pattern) => tagged(reading, pattern))
      .filter((claim) => claim.value.kind !== 'nothing')
      .toSorted((a, b) => a.start - b.start),
};

function tagged(reading: Reading, pattern: RegExp): readonly Claim[] {
  return lastMatches(reading.said.text, pattern, MOST_VALUES).map((found) => {
    const inside = found[1] ?? '';
    const start = found.index + found[0].indexOf(inside);
    return valueClaim(reading, [inside.replace(/["'[\]]/gu, '')], start, start + inside.length);
  });
}
