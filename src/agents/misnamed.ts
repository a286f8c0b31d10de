import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';
import { cut } from '../words/show.ts';
import { nameCounts } from './token-names.ts';

/** A field under a name that viva does not read, and what to do instead. */
export type Misnamed = Readonly<{ name: string; remedy: string }>;

type RightName = readonly [right: string, remedy: string];

const TOKENS = ['usage', 'write usage: { input_tokens, output_tokens }'] as const;

/**
 * Money, tokens and times: what an answer or a report of an agent calls them, what a prediction does,
 * and what others call them, without case and punctuation.
 */
const MISNAMES: readonly Readonly<{
  answer: RightName | null;
  prediction: RightName;
  others: string;
}>[] = [
  {
    answer: ['costUsd', 'write costUsd (US dollars)'],
    prediction: ['cost_usd', 'write cost_usd (US dollars)'],
    others:
      'cost costusd usd costinusd totalcost totalcostusd totalusd estimatedcost estimatedcostusd price priceusd dollars costcents costincents cents',
  },
  {
    answer: ['firstTokenMs', 'write firstTokenMs (milliseconds)'],
    prediction: ['first_token_ms', 'write first_token_ms (milliseconds)'],
    others:
      'firsttoken firsttokenms firsttokenseconds firsttokens timetofirsttoken timetofirsttokenms ttft ttftms ttfts',
  },
  {
    answer: ['waitedMs', 'write waitedMs (milliseconds)'],
    prediction: ['latency_ms', 'write latency_ms (milliseconds), without the wait'],
    others: 'waited waitedms waitms waitedseconds',
  },
  {
    // Nothing is lost: viva measures the time itself.
    answer: null,
    prediction: ['latency_ms', 'write latency_ms (milliseconds)'],
    others:
      'latency latencyms latencys latencyseconds duration durationms durations durationseconds elapsed elapsedms elapsedseconds responsetimems timems',
  },
  {
    answer: TOKENS,
    prediction: TOKENS,
    others:
      'tokens tokenusage usagemetadata inputtokens outputtokens prompttokens completiontokens totaltokens cachedtokens reasoningtokens',
  },
];

/** What each of those other names is called here. */
const RIGHT_NAMES = new Map(
  MISNAMES.flatMap(({ others, ...right }) => others.split(' ').map((name) => [name, right])),
);

/**
 * Fields whose money, tokens or time would be lost, in an answer, in what an agent reports, or in a
 * prediction. One whose right name is there too is a further fact.
 */
export function listMisnamed(
  value: Readonly<Record<string, unknown>>,
  of: 'answer' | 'prediction',
): readonly Misnamed[] {
  const found = Object.keys(value).flatMap((name) => {
    const [right, remedy] = RIGHT_NAMES.get(plainName(name))?.[of] ?? [];
    if (right === undefined || remedy === undefined) return [];
    const isLost = (value[name] ?? null) !== null && (value[right] ?? null) === null;
    return isLost ? [{ name, remedy }] : [];
  });
  // Those of a prediction have been refused.
  return of === 'answer' ? [...found, ...listMisnamedCounts(value['usage'])] : found;
}

/** What scores get for a name of money, tokens or times that others use; undefined for another name. */
export function nameOfMeasure(name: string): string | undefined {
  const right = RIGHT_NAMES.get(plainName(name))?.prediction[0];
  return right?.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Counts of tokens that `nameCounts` cannot read. */
export function listMisnamedCounts(usage: unknown): readonly Misnamed[] {
  if (!isFields(usage)) return [];
  const { counts, unread } = nameCounts(usage);
  const isUnknown = Object.keys(counts).length === 0;
  const sums = isUnknown ? Object.keys(usage).filter((name) => /token/i.test(name)) : [];
  const parts = isUnknown ? '' : ', with cached_tokens and reasoning_tokens as parts of them';
  const remedy = `write input_tokens and output_tokens${parts}`;
  return [...new Set([...sums, ...unread])].map((name) => ({
    name: `usage.${cut(name)}`,
    remedy,
  }));
}
