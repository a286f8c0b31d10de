import { compareFormulas } from '../src/matchers/compare-formulas.ts';
import { readRows } from './measure/read-rows.ts';

/**
 * `node bench/math-pairs.ts FILE`: the verdicts of `toMatchMath` on pairs, {answer, target, equal}
 * a line.
 */
const { name, rows: pairs } = readRows<{ answer: string; target: string; equal: boolean }>();
const verdicts = await compareFormulas(
  pairs.map(({ answer, target }) => [answer, target]),
  300_000,
);
const wrong = pairs
  .map((pair, i) => ({ ...pair, verdict: verdicts[i] }))
  .filter(({ equal, verdict }) => verdict !== equal);
for (const each of wrong) console.log(JSON.stringify(each));
const missed = wrong.filter(({ equal }) => equal).length;
console.log(
  `${name}: ${pairs.length} pairs, ${wrong.length - missed} wrongly equal, ${missed} wrongly different`,
);
