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

/**
 * Fields whose money, tokens or time would be lost, in an answer, in what an agent reports, or in a
 * prediction. One whose right name is there too is a further fact.
 */
export function listMisnamed(
  value: Readonly<Record<string, unknown>>,
  of: 'answer' | 'prediction',
): readonly Misnamed[] {
  const names = Object.keys(value).filter((name) => (value[name] ?? null) !== null);
  const found = MISNAMES.flatMap(({ others, ...by }) => {
    if (by[of] === null) return [];
    const [right, remedy] = by[of];
    if ((value[right] ?? null) !== null) return [];
    const wrong = names.filter((name) => others.split(' ').includes(plainName(name)));
    return wrong.map((name) => ({ name, remedy }));
  });
  return [...found, ...listMisnamedCounts(value['usage'])];
}

/** What scores get for a name of money, tokens or times that others use; undefined for another name. */
export function nameOfMeasure(name: string): string | undefined {
  const found = MISNAMES.find(({ others }) => others.split(' ').includes(plainName(name)));
  return found?.prediction[0].replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
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
