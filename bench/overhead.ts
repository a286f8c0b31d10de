import { parseArgs } from 'node:util';
import { describeMachine } from './measure/machine.ts';
import { compareCosts } from './overhead/compare.ts';
import type { Case } from './overhead/records.ts';
import { renderComparisons } from './overhead/report.ts';

const USAGE = `node bench/overhead.ts [--sizes 200,2000,10000] [--runs 5]

What this suite costs beside plain Vitest: the gaia suite with the replay agent over made-up records, and a plain project
with the same titles, nesting and concurrency whose tests say expect(a).toBe(b). Medians of --runs interleaved runs.`;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '200,2000,10000' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await report(values.sizes.split(',').map(Number), Number(values.runs));

async function report(sizes: readonly number[], runs: number): Promise<void> {
  const cases = sizes.flatMap((count): Case[] => [
    { count, wrong: 'none' },
    { count, wrong: 'half' },
  ]);
  const comparisons = [];
  for (const wanted of cases) comparisons.push(await compareCosts(wanted, runs));
  console.log(`Medians of ${runs} interleaved runs on ${describeMachine()}.\n\n${renderComparisons(comparisons)}`);
}
