import type { ModelCall } from '../data/files/genai-trace.ts';
import { readVersion } from '../package.ts';
import type { AgentPrice, TokenCounts } from '../words/answer.ts';
import { quote, showValue } from '../words/show.ts';
import { suggest } from '../words/similar-names.ts';
import { type CostOf, NO_TOKENS } from './converse.ts';
import { isWhole } from './fields.ts';

export type PriceList = Readonly<{ costOf: CostOf; price: AgentPrice }>;

/**
 * The prices of a model from the user's table, else the estimate of @pydantic/genai-prices for the
 * given provider; null if neither knows the model. Neither includes fees for a provider's own
 * tools.
 */
export async function loadPricing(
  model: string,
  table: PriceTable,
  provider: string | null,
): Promise<PriceList | null> {
  const price = Object.hasOwn(table, model) ? table[model] : undefined;
  if (price !== undefined)
    return toPriceList((counts) => priceBy(price, counts), 'vitest.config.ts');
  if (provider === null) return null;
  const { costOf, source } = await loadEstimate(model, provider);
  return costOf(NO_TOKENS) === null ? null : toPriceList(costOf, source);
}

/** What the calls of models cost together; null without a call, or if one cannot be estimated. */
export async function loadCost(
  calls: readonly ModelCall[],
  table: PriceTable,
): Promise<number | null> {
  if (calls.length === 0) return null;
  const costs = calls.map(async ({ model, provider, usage, cacheWrites: cache_write_tokens }) => {
    if (model === null || usage === null) return null;
    const prices = await loadPricing(model, table, provider);
    return prices?.costOf({ ...usage, cache_write_tokens }) ?? null;
  });
  const stated = (await Promise.all(costs)).filter((cost) => cost !== null);
  return stated.length < calls.length ? null : stated.reduce((total, cost) => total + cost, 0);
}

/** Prices by the model's name in EVAL_AGENT. */
export type PriceTable = Readonly<Record<string, Price>>;

/** The problems of a table in vitest.config.ts, which may not be type-checked. */
export function findPriceProblems(table: PriceTable): readonly string[] {
  return Object.entries(table).flatMap(([model, price]) => {
    const values: ReadonlyMap<string, unknown> = new Map(Object.entries(price ?? {}));
    const names = new Set([...values.keys(), 'input', 'output']);
    return [...names]
      .flatMap((name) => findFieldProblem(name, values.get(name)) ?? [])
      .map((problem) => `The price of ${quote(model)}: ${problem}`);
  });
}

/**
 * The token counts of one reply; null if the server reports none or a count cannot be right, since a
 * wrong count would lead to a wrong cost and mislead the budget. `cacheApart`: the input does not
 * include cached and cache-written tokens.
 */
export function toTokenCounts(
  reported: Readonly<Record<keyof TokenCounts, unknown>>,
  cacheApart = false,
): TokenCounts | null {
  const { input_tokens, output_tokens } = reported;
  if (!isWhole(input_tokens) || !isWhole(output_tokens)) return null;
  const cached_tokens = reported.cached_tokens ?? 0;
  const cache_write_tokens = reported.cache_write_tokens ?? 0;
  const reasoning_tokens = reported.reasoning_tokens ?? 0;
  if (!isWhole(cached_tokens) || !isWhole(cache_write_tokens) || !isWhole(reasoning_tokens))
    return null;
  const apart = cacheApart ? cached_tokens + cache_write_tokens : 0;
  const counts = { output_tokens, cached_tokens, reasoning_tokens, cache_write_tokens };
  return cacheApart || cached_tokens <= input_tokens
    ? { input_tokens: input_tokens + apart, ...counts }
    : null;
}

/** `price` is for short requests, in USD for a million tokens. Very long requests may cost more. */
function toPriceList(costOf: CostOf, source: string): PriceList {
  const perMillion = (counts: Partial<TokenCounts>) =>
    (costOf({ ...NO_TOKENS, ...counts }) ?? 0) * 1000;
  const price = {
    input: perMillion({ input_tokens: 1000 }),
    output: perMillion({ output_tokens: 1000 }),
    cacheRead: perMillion({ input_tokens: 1000, cached_tokens: 1000 }),
    cacheWrite: perMillion({ input_tokens: 1000, cache_write_tokens: 1000 }),
    source,
  };
  return { costOf, price };
}

function priceBy(
  { input, output, cacheRead = input, cacheWrite = input }: Price,
  counts: TokenCounts,
): number {
  const { input_tokens, cached_tokens, cache_write_tokens, output_tokens } = counts;
  const plain = Math.max(0, input_tokens - cached_tokens - cache_write_tokens);
  const dollars =
    plain * input +
    cached_tokens * cacheRead +
    cache_write_tokens * cacheWrite +
    output_tokens * output;
  return dollars / 1_000_000;
}

async function loadEstimate(model: string, provider: string) {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const costOf: CostOf = ({ input_tokens, output_tokens, cached_tokens, cache_write_tokens }) => {
    const counts = { input_tokens, output_tokens, cache_write_tokens };
    const usage = { ...counts, cache_read_tokens: cached_tokens };
    const price = calcPrice(usage, model, { providerId: provider });
    // The package matches names loosely: it gives claude-sonnet-5-5 the price of claude-sonnet-5.
    if (price === null || !isSameModel(model, price.model.id)) return null;
    return Number.isFinite(price.total_price) ? price.total_price : null;
  };
  // The version of the package tells the date of its prices.
  return { costOf, source: `${PACKAGE} ${readVersion(PACKAGE)}` };
}

const PACKAGE = '@pydantic/genai-prices';

/** A name with a date means the same model. */
function isSameModel(asked: string, priced: string): boolean {
  const undated = asked.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return (
    asked === priced || undated === priced || undated === priced.replace(/-(\d{8}|latest)$/, '')
  );
}

/** USD for a million tokens. `cacheRead` and `cacheWrite` default to `input`. */
type Price = Readonly<{
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}>;

const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

const MAX_PRICE = 1_000_000;

function findFieldProblem(name: string, value: unknown): string | null {
  if (!FIELDS.some((each) => each === name))
    return `${quote(name)} is not a kind of token.${suggest(name, FIELDS)}`;
  if (typeof value === 'number' && value >= 0 && value <= MAX_PRICE) return null;
  return `${quote(name)} must be USD for a million tokens, a number from 0 to ${MAX_PRICE}, got ${showValue(value)}.`;
}

/** The provider whose list prices apply to the models at an address; null if none is known. */
export async function findListedProvider(address: string): Promise<string | null> {
  const { findProvider } = await import('@pydantic/genai-prices');
  return findProvider({ providerApiUrl: address })?.id ?? null;
}

/** The provider that makes a model, by the model's name; null if none is known. */
export async function findMaker(model: string): Promise<string | null> {
  const { findProvider } = await import('@pydantic/genai-prices');
  return findProvider({ modelId: model })?.id ?? null;
}
