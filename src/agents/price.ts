import type { Price, PriceTable } from './price-table.ts';
import type { Pricing } from './transcript.ts';
import type { TokenCounts } from './turn.ts';

/**
 * How a model's requests are priced: by the user's table, else by the estimate of @pydantic/genai-prices for the given
 * provider; null when neither knows the model. Fees for a provider's own tools are in neither.
 */
export async function loadPricing(model: string, table: PriceTable, provider: string | null): Promise<Pricing | null> {
  const price = Object.hasOwn(table, model) ? table[model] : undefined;
  if (price !== undefined) return (counts) => priceBy(price, counts);
  if (provider === null) return null;
  const estimate = await loadEstimate(model, provider);
  return estimate(ONE_TOKEN) === null ? null : estimate;
}

const ONE_TOKEN = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, reasoning_tokens: 0, cache_write_tokens: 0 };

function priceBy({ input, output, cacheRead = input, cacheWrite = input }: Price, counts: TokenCounts): number {
  const { input_tokens, cached_tokens, cache_write_tokens, output_tokens } = counts;
  const plain = Math.max(0, input_tokens - cached_tokens - cache_write_tokens);
  const dollars = plain * input + cached_tokens * cacheRead + cache_write_tokens * cacheWrite + output_tokens * output;
  return dollars / 1_000_000;
}

async function loadEstimate(model: string, provider: string): Promise<Pricing> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  return ({ input_tokens, output_tokens, cached_tokens, cache_write_tokens }) => {
    const usage = { input_tokens, output_tokens, cache_read_tokens: cached_tokens, cache_write_tokens };
    const price = calcPrice(usage, model, { providerId: provider });
    // The package matches loosely: it prices claude-sonnet-5-5 as claude-sonnet-5.
    if (price === null || !isSameModel(model, price.model.id)) return null;
    return Number.isFinite(price.total_price) ? price.total_price : null;
  };
}

/** A dated name means the model itself. */
function isSameModel(asked: string, priced: string): boolean {
  const undated = asked.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return asked === priced || undated === priced || undated === priced.replace(/-(\d{8}|latest)$/, '');
}
