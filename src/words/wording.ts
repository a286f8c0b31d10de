import { distance } from 'fastest-levenshtein';
import type { ToolUse } from './answer.ts';
import { lineIf, plural } from './show.ts';

/** An agent and, where its suite has several prompts, the prompt that it was asked with. */
export type Variant = Readonly<{ agent: string; prompt?: string | undefined }>;

/** How tables and messages name a variant. */
export function nameVariant({ agent, prompt }: Variant): string {
  return prompt === undefined ? agent : `${agent}, ${prompt}`;
}

/** How rows name one of several prompts. */
export function labelPrompt(name: string | null, hash: string): string {
  return `${name ?? 'inline'}@${hash.slice(0, 8)}`;
}

/** The file of a variant's prompt, without the hash; '' if its suite has one prompt. */
export function namePrompt({ prompt = '' }: Variant): string {
  return prompt.replace(/@[0-9a-f]{8}$/, '');
}

export function isOfVariant(one: Variant, other: Variant): boolean {
  return one.agent === other.agent && one.prompt === other.prompt;
}

/** How many agents and prompts variants have: "2 agents", "2 prompts", "3 prompts x 2 agents". */
export function countVariants(variants: readonly Variant[]): string {
  const prompts = new Set(variants.flatMap(({ prompt }) => prompt ?? [])).size;
  const agents = new Set(variants.map(({ agent }) => agent)).size;
  const parts = [
    ...lineIf(prompts > 1, `${prompts} prompts`),
    ...lineIf(agents > 1, `${agents} agents`),
  ];
  return parts.join(' x ');
}

/** The fields of a variant alone. */
export function pickVariant({ agent, prompt }: Variant): Readonly<{
  agent: string;
  prompt?: string;
}> {
  return { agent, prompt };
}

/** "calculate, the provider's web_search, MCP server files 2 (3 tools)"; "none" without tools. */
export function nameTools({ own, hosted, mcp }: Omit<ToolUse, 'leak_guard'>): string {
  const servers = mcp.map(({ server, version, tools }) => {
    return `MCP server ${server} ${version} (${plural(tools.length, 'tool')})`;
  });
  return (
    [...own, ...hosted.map((type) => `the provider's ${type}`), ...servers].join(', ') || 'none'
  );
}

/** Names are shorter. A hostile word must not take long. */
const MAX_LENGTH = 100;

/** " Did you mean limit?", or "" if no name is similar. */
export function didYouMean(word: string, names: readonly string[]): string {
  const { best, steps } = findNearest(word, names);
  // Not one letter of a short name may be left.
  return steps < best.length && steps <= Math.max(2, word.length / 3)
    ? ` Did you mean ${best}?`
    : '';
}

/** The known name of which a word is a misspelling, one or two letters away; undefined without one. */
export function findTypo(word: string, names: readonly string[]): string | undefined {
  if (word.length < 5 || word.length > MAX_LENGTH || names.includes(word)) return undefined;
  const { best, steps } = findNearest(
    word,
    names.filter((name) => Math.abs(name.length - word.length) <= 2),
  );
  return steps <= (word.length < 7 && !isSwapped(word, best) ? 1 : 2) && best.length > 3
    ? best
    : undefined;
}

/** "tagret" for "target": two letters have changed places. */
function isSwapped(word: string, other: string): boolean {
  return word.length === other.length && [...word].sort().join() === [...other].sort().join();
}

/** The nearest of the known names, or all of them if none is near. */
export function suggest(word: string, names: readonly string[]): string {
  return didYouMean(word, names) || ` Known: ${names.join(', ')}.`;
}

/** The candidate nearest to a word by edit distance. The first one wins a tie. */
export function nearest(word: string, candidates: readonly string[]): string {
  return findNearest(word, candidates).best;
}

function findNearest(word: string, candidates: readonly string[]) {
  let best = candidates[0] ?? '';
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // A part of a name, such as "effort" of "reasoning_effort", is nearer than a short name with
    // other letters.
    const isPart = word.length > 3 && candidate.includes(word);
    const steps = isPart ? 1 : distance(word.slice(0, MAX_LENGTH), candidate.slice(0, MAX_LENGTH));
    if (steps < least) [best, least] = [candidate, steps];
  }
  return { best, steps: least };
}

/**
 * A rate for people: 0.5833 becomes "58.3 %". It gets more digits if it would otherwise look like 0
 * or 100 %.
 */
export function formatPercent(rate: number, digits = 1): string {
  const percent = rate * 100;
  const fromEnd = Math.min(percent, 100 - percent);
  let shown = digits;
  // The last term allows for rounding: 0.999 is a double whose distance from 1 is slightly less
  // than 0.001.
  while (fromEnd > 0 && shown < 20 && fromEnd * 10 ** shown < 1 - 1e-9) shown += 1;
  return `${percent.toFixed(shown)} %`;
}

/** Two rates with enough digits to tell them apart: never "60.0 % is below 60.0 %". */
export function formatPercents(left: number, right: number): readonly [string, string] {
  return tellApart(left, right, 1, formatPercent);
}

/** Two means of a named score, shares of true in per cent, with enough digits to tell them apart. */
export function formatMeans(kind: 'rate' | 'mean', left: number, right: number) {
  if (kind === 'rate') return formatPercents(left, right);
  return tellApart(left, right, 3, (value, digits) => value.toFixed(digits));
}

function tellApart(
  left: number,
  right: number,
  fewest: number,
  format: (value: number, digits: number) => string,
): readonly [string, string] {
  let digits = fewest;
  while (left !== right && digits < 12 && format(left, digits) === format(right, digits))
    digits += 1;
  return [format(left, digits), format(right, digits)];
}
