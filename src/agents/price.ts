import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { AgentPrice } from '../types.ts';
import type { Price, PriceTable } from './price-table.ts';
import type { Pricing } from './transcript.ts';
import type { TokenCounts } from './turn.ts';

/** How the requests of a model are priced, and what that comes to for a million tokens. */
export type PriceList = { readonly costOf: Pricing; readonly price: AgentPrice };

/**
 * How a model's requests are priced: by the user's table, else by the estimate of @pydantic/genai-prices for the given
 * provider; null when neither knows the model. Fees for a provider's own tools are in neither.
 */
export async function loadPricing(
  model: string,
  table: PriceTable,
  provider: string | null,
): Promise<PriceList | null> {
  const price = Object.hasOwn(table, model) ? table[model] : undefined;
  if (price !== undefined) return toPriceList((counts) => priceBy(price, counts), 'vitest.config.ts');
  if (provider === null) return null;
  const { costOf, source } = await loadEstimate(model, provider);
  return costOf(NO_TOKENS) === null ? null : toPriceList(costOf, source);
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, cache_write_tokens: 0 };

/** The price of short requests: that of very long ones may be higher. */
function toPriceList(costOf: Pricing, source: string): PriceList {
  const perMillion = (counts: Partial<TokenCounts>) => (costOf({ ...NO_TOKENS, ...counts }) ?? 0) * 1000;
  return {
    costOf,
    price: { input: perMillion({ input_tokens: 1000 }), output: perMillion({ output_tokens: 1000 }), source },
  };
}

function priceBy({ input, output, cacheRead = input, cacheWrite = input }: Price, counts: TokenCounts): number {
  const { input_tokens, cached_tokens, cache_write_tokens, output_tokens } = counts;
  const plain = Math.max(0, input_tokens - cached_tokens - cache_write_tokens);
  const dollars = plain * input + cached_tokens * cacheRead + cache_write_tokens * cacheWrite + output_tokens * output;
  return dollars / 1_000_000;
}

async function loadEstimate(model: string, provider: string) {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const costOf: Pricing = ({ input_tokens, output_tokens, cached_tokens, cache_write_tokens }) => {
    const usage = { input_tokens, output_tokens, cache_read_tokens: cached_tokens, cache_write_tokens };
    const price = calcPrice(usage, model, { providerId: provider });
    // The package matches loosely: it prices claude-sonnet-5-5 as claude-sonnet-5.
    if (price === null || !isSameModel(model, price.model.id)) return null;
    return Number.isFinite(price.total_price) ? price.total_price : null;
  };
  return { costOf, source: `${PACKAGE} ${readVersion()}` };
}

const PACKAGE = '@pydantic/genai-prices';

/** Its prices are those of the day on which this version was made. */
function readVersion(): string {
  const main = createRequire(import.meta.url).resolve(PACKAGE);
  const { version }: { readonly version: unknown } = JSON.parse(
    readFileSync(resolve(main, '../../package.json'), 'utf8'),
  );
  return String(version);
}

/** A dated name means the model itself. */
function isSameModel(asked: string, priced: string): boolean {
  const undated = asked.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return asked === priced || undated === priced || undated === priced.replace(/-(\d{8}|latest)$/, '');
}
