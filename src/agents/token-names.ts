import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';

/**
 * How SDKs and servers call each count of tokens (OpenAI's two APIs, Anthropic, Bedrock, the AI SDK,
 * LangChain, DeepSeek, Mistral), as `plainName` has it. "in." and "out." are the details of either side.
 */
const SPELLINGS = {
  input_tokens: 'inputtokens prompttokens',
  output_tokens: 'outputtokens completiontokens',
  cached_tokens:
    'cachedtokens in.cachedtokens in.cachereadtokens in.cacheread cachedinputtokens promptcachehittokens cachereadinputtokens',
  reasoning_tokens:
    'reasoningtokens out.reasoningtokens out.thinkingtokens out.reasoning reasoningoutputtokens',
  cache_write_tokens:
    'cachewritetokens in.cachewritetokens in.cachecreation cachecreationinputtokens cachewriteinputtokens',
} as const;

type Counted = keyof typeof SPELLINGS;

/** The count that each spelling means. Of several the first in its list counts. */
const MEANING: ReadonlyMap<string, Readonly<{ count: string; rank: number }>> = new Map(
  Object.entries(SPELLINGS).flatMap(([count, names]) =>
    names.split(' ').map((plain, rank) => [plain, { count, rank }]),
  ),
);

/** Anthropic and Bedrock count what was read from or written to a cache beside the input. */
const BESIDE_INPUT = 'cachereadinputtokens cachecreationinputtokens cachewriteinputtokens'.split(
  ' ',
);

/** Sums, and what is left of one: nothing is lost without them. */
const DERIVED = /^total|^promptcachemisstokens$|^nocachetokens$/;

/** A usage by viva's names, unchecked. */
type NamedCounts = Readonly<{
  counts: Readonly<Partial<Record<Counted, unknown>>>;
  /** How the usage itself spells a count. */
  nameOf(count: string): string;
  /** Whether the input lacks the tokens that were read from or written to a cache. */
  isInputUncached: boolean;
  /** Counts of tokens under names that nobody knows: they would be lost. */
  unread: readonly string[];
}>;

/** Renames the counts of a usage, as SDKs return it, to those of viva. */
export function nameCounts(usage: Readonly<Record<string, unknown>>): NamedCounts {
  const read = new Map<string, Ranked>();
  const unread: string[] = [];
  for (const stated of Object.entries(usage).flatMap(listStated)) {
    const meaning = MEANING.get(stated.plain);
    if (meaning === undefined) {
      if (isLost(stated)) unread.push(stated.name);
      continue;
    }
    const one = { ...stated, rank: meaning.rank };
    const other = read.get(meaning.count);
    if (other === undefined || isBefore(one, other)) read.set(meaning.count, one);
  }
  const found = [...read];
  const isBeside = found.some(([, { plain, value }]) => value && BESIDE_INPUT.includes(plain));
  return {
    counts: Object.fromEntries(found.map(([count, { value }]) => [count, value])),
    nameOf: (count) => read.get(count)?.name ?? count,
    isInputUncached: isBeside && read.get('input_tokens')?.plain === 'inputtokens',
    unread,
  };
}

/** Whether a spelling counts before another: one that has a value does. */
function isBefore(one: Ranked, other: Ranked): boolean {
  const [isBlank, isOtherBlank] = [(one.value ?? null) === null, (other.value ?? null) === null];
  return isBlank === isOtherBlank ? one.rank < other.rank : !isBlank;
}

type Stated = Readonly<{ name: string; plain: string; value: unknown }>;

type Ranked = Stated & Readonly<{ rank: number }>;

function isLost({ name, plain, value }: Stated): boolean {
  if (name.includes('.') || DERIVED.test(plain)) return false;
  return /token/.test(plain) && typeof value === 'number' && value !== 0;
}

/** A count, or those of one side that stand in an object of their own, which may be in a list. */
function listStated([name, value]: readonly [string, unknown]): readonly Stated[] {
  const plain = plainName(name);
  const [, side] = DETAILS.exec(plain) ?? [];
  if (side === undefined) return [{ name, plain, value }];
  const [details] = Array.isArray(value) && value.length === 1 ? value : [value];
  if (!isFields(details)) return [];
  const prefix = side === 'input' || side === 'prompt' ? 'in' : 'out';
  return Object.entries(details).map(([inner, count]) => {
    return { name: `${name}.${inner}`, plain: `${prefix}.${plainName(inner)}`, value: count };
  });
}

const DETAILS = /^(input|prompt|output|completion)tokens?details$/;
