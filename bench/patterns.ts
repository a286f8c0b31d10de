/*
 * Checks every regular expression of src and reporters with recheck: first its automaton, which proves; where that
 * cannot tell (lookarounds, time), its fuzzer, which searches. Prints what is not shown to be linear and exits with 1
 * if something super-linear has no bound in test/hostile/patterns/bounded.ts. About five minutes:
 * pnpm exec node bench/patterns.ts [part of a path]
 */
import { boundOf } from '../test/hostile/patterns/bounded.ts';
import { collectBuilt } from '../test/hostile/patterns/collect-built.ts';
import { collectLiterals } from '../test/hostile/patterns/collect-literals.ts';
import type { Pattern } from '../test/hostile/patterns/pattern.ts';

process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

const part = process.argv[2] ?? '';
const all = [...collectLiterals(), ...(await collectBuilt(exercise))].filter(({ where }) => where.includes(part));
const patterns = [...new Map(all.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
const counts = new Map<string, number>();
let unbounded = 0;
for (const pattern of patterns) {
  const { verdict, detail } = judge(pattern);
  const bound = boundOf(pattern);
  const kind = verdict === 'vulnerable' && bound !== undefined ? 'bounded' : verdict;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (kind === 'vulnerable') unbounded += 1;
  if (kind !== 'proved')
    console.log([kind, pattern.where, pattern.source.slice(0, 80), bound?.why ?? detail].join('\t'));
}
console.log(`${patterns.length} patterns:`, Object.fromEntries(counts));
process.exit(unbounded === 0 ? 0 : 1);

/** "proved" linear, "searched" without finding an attack, "unknown" in time, or "vulnerable". */
function judge({ source, flags }: Pattern): { readonly verdict: string; readonly detail: string } {
  const proof = checkSync(source, flags, { checker: 'automaton', timeout: 3_000 });
  if (proof.status === 'safe') return { verdict: 'proved', detail: '' };
  const found = proof.status === 'vulnerable' ? proof : checkSync(source, flags, { checker: 'fuzz', timeout: 10_000 });
  if (found.status === 'safe') return { verdict: 'searched', detail: '' };
  if (found.status === 'unknown') return { verdict: 'unknown', detail: found.error.kind };
  return { verdict: 'vulnerable', detail: `${found.complexity.summary}: ${found.attack.pattern.slice(0, 100)}` };
}

/** Some patterns are built when they are first used. */
async function exercise(): Promise<void> {
  const { extractChoice } = await import('../src/index.ts');
  extractChoice('{"answer": "B"} and \\boxed{B}', { choices: { A: 'x', B: 'y' } });
}
