import { parseCLI } from 'vitest/node';
import { kindOf } from '../agents/kinds.ts';
import type { EvalConfig } from '../config.ts';
import { escapeLine } from '../text/show.ts';

type Spending = Pick<EvalConfig, 'agents' | 'agentsNamed' | 'limit' | 'maxCost'>;

/** What a command line asks for: parts of the paths of test files (none means all), and whether it names the evals. */
export type NamedTests = { readonly filters: readonly string[]; readonly namesEvals: boolean };

/** Why a paid agent may not run, or null (DESIGN 2): a bare `vitest`, or an edit in watch mode, must not spend money. */
export function heldReason(config: Spending, named: boolean, watch: boolean): string | null {
  const paid = config.agents?.find((spec) => kindOf(spec).isPaid);
  if (paid === undefined) return null;
  const text = escapeLine(paid.text, 1_000);
  const agent = `${text} may cost money`;
  if (!config.agentsNamed) return `${agent}: set EVAL_AGENT=${text} to run it.`;
  if (!named) return `${agent}: name the evals on the command line, as in "pnpm vitest run evals".`;
  if (watch && config.limit === null && config.maxCost === null)
    return `${agent}: in watch mode set EVAL_LIMIT or EVAL_MAX_COST, as in EVAL_LIMIT=5.`;
  return null;
}

/** Why some of the evals are held where keys of watch mode, such as Enter, run files that no one named. */
export function unnamedReason({ agents }: Pick<EvalConfig, 'agents'>): string | null {
  const paid = agents?.find((spec) => kindOf(spec).isPaid);
  if (paid === undefined) return null;
  return `${escapeLine(paid.text, 1_000)} may cost money, and is asked only what the command line names. To ask it all, start again as "pnpm vitest watch evals".`;
}

/** Reads the words behind `vitest`; a command line that is not Vitest's names nothing. */
export function readNamedTests(argv: readonly string[]): NamedTests {
  try {
    const { filter, options } = parseCLI(['vitest', ...argv], { allowUnknownOptions: true });
    const isByPath = filter.some((word) => /(^|[\\/])evals([\\/]|$)/.test(word));
    // A line number is no part of a path.
    const filters = filter.map((word) => word.replace(/:\d+$/, ''));
    return { filters, namesEvals: isByPath || [options.project].flat().includes('evals') };
  } catch {
    return { filters: [], namesEvals: false };
  }
}
