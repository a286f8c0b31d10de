import { formatDollars, formatLatency, formatPercent } from '../../../src/words/amounts.js';

/** @import { GroupSummary, TimeInterval } from '../../../src/words/figures.ts' */

/** @typedef {readonly [low: number, high: number]} Interval */

/** What stands for a figure that is not known. */
export const NONE = '–';

/** @param {number | null | undefined} rate */
export function percent(rate) {
  return rate == null ? NONE : formatPercent(rate);
}

/**
 * A difference of two rates in percentage points: "+4.5 pp".
 * @param {number | null} difference
 */
export function points(difference) {
  if (difference === null) return NONE;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  return `${sign}${formatPercent(Math.abs(difference)).replace(' %', '')} pp`;
}

/**
 * "68.2 – 88.2 %"
 * @param {Interval | null | undefined} interval
 */
export function interval(interval) {
  if (interval == null) return NONE;
  const [low, high] = interval;
  return `${percent(low).replace(' %', '')} – ${percent(high)}`;
}

/**
 * An accuracy, or its bounds while something was not run.
 * @param {Pick<GroupSummary, 'accuracy' | 'bounds'>} group
 */
export function accuracy({ accuracy, bounds }) {
  return accuracy === null && bounds !== null ? `in ${interval(bounds)}` : percent(accuracy);
}

/**
 * The mean of a named score: a share of true, or a mean of numbers.
 * @param {number | null | undefined} mean
 * @param {'rate' | 'mean'} kind
 */
export function scoreMean(mean, kind) {
  if (mean == null) return NONE;
  return kind === 'rate' ? percent(mean) : mean.toFixed(3);
}

/**
 * A difference of two of them.
 * @param {number | null} difference
 * @param {'rate' | 'mean'} kind
 */
export function scoreDifference(difference, kind) {
  if (difference === null || kind === 'rate') return points(difference);
  return `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${Math.abs(difference).toFixed(3)}`;
}

/** @param {number} count */
export function int(count) {
  return count.toLocaleString('en-US').replaceAll(',', '\u202f');
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} several
 */
export function plural(count, one, several = `${one}s`) {
  return `${int(count)} ${count === 1 ? one : several}`;
}

/**
 * @param {number | null | undefined} ms
 * @param {boolean} censored whether it is only known to be longer
 */
export function time(ms, censored = false) {
  if (ms == null) return NONE;
  return `${censored ? '> ' : ''}${formatLatency(ms)}`;
}

/**
 * "11.1 – 44.1 s", or one end of it.
 * @param {TimeInterval | null | undefined} interval ms
 */
export function timeInterval(interval) {
  const [low, high] = interval ?? [null, null];
  if (low !== null && high !== null) {
    const [first, last] = [time(low), time(high)];
    const [, unit = ''] = / (\S+)$/.exec(last) ?? [];
    return `${first.replace(` ${unit}`, '')} – ${last}`;
  }
  return low !== null ? `> ${time(low)}` : high !== null ? `< ${time(high)}` : '';
}

/**
 * What a group cost, or what it cost at least.
 * @param {Pick<GroupSummary, 'cost_usd' | 'cost_at_least_usd'>} group
 */
export function groupCost({ cost_usd, cost_at_least_usd: least }) {
  if (cost_usd !== null) return formatDollars(cost_usd);
  return least === undefined ? NONE : `≥ ${formatDollars(least)}`;
}

/**
 * What an interval is over: "36 of 40 questions in 16 clusters (repo)".
 * @param {Pick<GroupSummary, 'questions' | 'graded_questions' | 'clusters'>} group
 * @param {string | undefined} by what names the clusters
 */
export function units({ questions, graded_questions: graded, clusters }, by) {
  const of = graded < questions ? `${int(graded)} of ` : '';
  return `${of}${plural(questions, 'question')}${clusters === undefined ? '' : ` in ${plural(clusters, 'cluster')}${by === undefined ? '' : ` (${by})`}`}`;
}

/**
 * Where an interval is over clusters or a single question, or several trials, how many it is over.
 * @param {Readonly<{ n: number, questions?: number, clusters?: number | undefined }>} of the counted answers
 */
export function fewUnits({ n, questions = n, clusters }) {
  const [count, name] = clusters === undefined ? [questions, 'question'] : [clusters, 'cluster'];
  if (count === 1 && n > 1) return `1 ${name}: tells nothing of others`;
  return clusters === undefined && questions === n ? '' : plural(count, name);
}

/** The head of a column of counts. @param {readonly Readonly<{ n: number, questions: number }>[]} groups */
export function nameCount(groups) {
  return groups.some(({ n, questions }) => n > questions) ? 'n (trials)' : 'n';
}

/** @param {number | null} p */
export function pValue(p) {
  if (p === null) return NONE;
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Words for reasons and kinds: "max_tokens" is "max tokens". @param {string} name */
export function words(name) {
  return name.replaceAll('_', ' ');
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** @param {string} iso */
export function date(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : DATE.format(time);
}

/** @param {string} iso */
export function ago(iso) {
  const seconds = (Date.now() - new Date(iso).getTime()) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (seconds < 90) return 'just now';
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

/**
 * An id that stands in a narrow column: a UUID by its first part, another without the beginning that
 * all have.
 * @param {string} id
 * @param {number} common the length of that beginning
 */
export function shortId(id, common = 0) {
  if (/^[0-9a-f]{8}-[0-9a-f-]{20,}$/i.test(id)) return id.slice(0, 8);
  if (id.length <= 13) return id;
  const own = common > 2 ? `…${id.slice(common)}` : id;
  return own.length > 13 ? `${own.slice(0, 6)}…${own.slice(-5)}` : own;
}

/** How many letters all texts begin with, up to a mark between words. @param {readonly string[]} texts */
export function measureCommon(texts) {
  const [first = ''] = texts;
  let end = texts.length < 2 ? 0 : first.length;
  for (const text of texts) while (!text.startsWith(first.slice(0, end))) end -= 1;
  return first.slice(0, end).search(/[^-_./: ]*$/);
}

/** The beginning of a text on one line, with a mark where it is cut. @param {string} text */
export function oneLine(text, most = 200) {
  const line = text
    .slice(0, most * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
