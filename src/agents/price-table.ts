import { quote, showValue } from '../records/show-value.ts';
import { nearest } from '../text/nearest.ts';

/** USD for a million tokens of each kind. What is not named costs as `input` does. */
export type Price = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** Prices by model name, as EVAL_AGENT names it. */
export type PriceTable = Readonly<Record<string, Price>>;

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** For a million tokens; a dollar for one token is more than any model costs. */
const MAX_PRICE = 1_000_000;

/** What is wrong with a table from vitest.config.ts, which no type checker reads before a run. */
export function findPriceProblems(table: PriceTable): readonly string[] {
  return Object.entries(table).flatMap(([model, price]) => {
    const values: ReadonlyMap<string, unknown> = new Map(Object.entries(price ?? {}));
    const names = new Set([...values.keys(), 'input', 'output']);
    return [...names]
      .flatMap((name) => findProblem(name, values.get(name)) ?? [])
      .map((problem) => `The price of ${quote(model)}: ${problem}`);
  });
}

function findProblem(name: string, value: unknown): string | null {
  if (!FIELDS.some((known) => known === name)) {
    return `${quote(name)} is not a kind of token. Did you mean ${nearest(name, FIELDS)}? Known: ${FIELDS.join(', ')}.`;
  }
  if (typeof value === 'number' && value >= 0 && value <= MAX_PRICE) return null;
  return `${quote(name)} must be USD for a million tokens, a number from 0 to ${MAX_PRICE}, got ${showValue(value)}.`;
}
