import { scoreGaia } from '../src/index.ts';
import { readRows } from './measure/read-rows.ts';

/**
 * `node bench/gaia-pairs.ts FILE`: our verdicts beside those of the official scorer, {answer,
 * truth, correct} a line.
 */
const { name, rows: pairs } = readRows<{
  answer: string | null;
  truth: string;
  correct: boolean;
}>();
const differences = pairs.filter(
  ({ answer, truth, correct }) => scoreGaia(answer, truth).correct !== correct,
);
for (const difference of differences) console.log(JSON.stringify(difference));
console.log(`${name}: ${pairs.length} pairs, ${differences.length} differences`);
