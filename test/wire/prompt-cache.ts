import { createHash } from 'node:crypto';
import { type Fields, isFields, listOf } from './request.ts';

/** Tokens of one request, as Anthropic counts them. */
export type CacheUse = {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
};

/** What a token costs beside one that no cache knows. */
const PRICES = { input_tokens: 1, cache_read_input_tokens: 0.1, cache_creation_input_tokens: 1.25 };

/** Shorter prefixes are not cached. */
const LEAST_TOKENS = 1024;

/** A mark finds what was cached up to so many blocks before it. */
const LOOKS_BACK = 20;

const CHARACTERS_PER_TOKEN = 4;

/** The price of the input of some requests, in tokens at the full price. */
export function priceOf(uses: readonly CacheUse[]): number {
  const prices = uses.flatMap((use) => [
    use.input_tokens * PRICES.input_tokens,
    use.cache_read_input_tokens * PRICES.cache_read_input_tokens,
    use.cache_creation_input_tokens * PRICES.cache_creation_input_tokens,
  ]);
  return prices.reduce((sum, price) => sum + price, 0);
}

export function inputOf(use: CacheUse): number {
  return use.input_tokens + use.cache_read_input_tokens + use.cache_creation_input_tokens;
}

/** Anthropic's prompt cache: counts what each request writes and reads. */
export class PromptCache {
  readonly #cached = new Set<string>();

  count(body: Fields): CacheUse {
    const prefixes = toPrefixes(body);
    const marks = prefixes.flatMap(({ isMarked, tokens }, index) =>
      isMarked && tokens >= LEAST_TOKENS ? [index] : [],
    );
    const hits = marks.flatMap((mark) =>
      prefixes
        .slice(Math.max(0, mark - LOOKS_BACK), mark + 1)
        .filter(({ hash }) => this.#cached.has(hash)),
    );
    const read = Math.max(0, ...hits.map(({ tokens }) => tokens));
    const upToMark = Math.max(read, ...marks.map((mark) => prefixes[mark]?.tokens ?? 0));
    for (const mark of marks) this.#cached.add(prefixes[mark]?.hash ?? '');
    return {
      input_tokens: (prefixes.at(-1)?.tokens ?? 0) - upToMark,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: upToMark - read,
    };
  }
}

/** The request up to each of its blocks: tools, then the system text, then the messages. */
function toPrefixes(body: Fields) {
  const blocks: readonly Fields[] = [
    ...listOf(body['tools']),
    ...toBlocks(body['system'] ?? []),
    ...listOf(body['messages']).flatMap(({ role, content }) =>
      toBlocks(content).map((block) => ({ ...block, role })),
    ),
  ];
  let hash = '';
  let characters = 0;
  return blocks.map((block, index) => {
    const text = JSON.stringify(block, (key, value) =>
      key === 'cache_control' ? undefined : value,
    );
    hash = createHash('sha256').update(hash).update(text).digest('base64');
    characters += text.length;
    // One for the whole request marks its last block.
    const isLast = index === blocks.length - 1 && isFields(body['cache_control']);
    const isMarked = isLast || isFields(block['cache_control']);
    return { hash, isMarked, tokens: Math.round(characters / CHARACTERS_PER_TOKEN) };
  });
}

function toBlocks(content: unknown): readonly Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}
