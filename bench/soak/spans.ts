import { toMarkdownTable } from '../measure/markdown-table.ts';
import { median } from '../measure/median.ts';
import type { Part } from './part.ts';
import type { Moment, Watched } from './watch.ts';

const SPANS = 10;

/** More descriptors than this between the third span and the last but one are a leak, not other calls under way. */
const MOST_GROWTH = 10;

/** A run in figures: ten equal spans, then the whole. */
export function describeRun({ name, expected, calls }: Part, watched: Watched): string {
  const { wallMs, moments } = watched;
  const head = ['minutes', 'memory (median)', 'highest', 'with children', 'files main', 'worker', 'most processes'];
  const rows = toSpans(watched).map((span, index) => {
    const minutes = [index, index + 1].map((count) => ((count * wallMs) / SPANS / 60_000).toFixed(1)).join(' to ');
    const memory = span.map(({ longLivedBytes }) => longLivedBytes);
    return [
      minutes,
      megabytes(median(memory)),
      megabytes(highest(memory)),
      megabytes(highest(span.map(({ allBytes }) => allBytes))),
      String(median(span.map(({ mainFiles }) => mainFiles))),
      String(median(span.map(({ workerFiles }) => workerFiles))),
      String(highest(span.map(({ processes }) => processes))),
    ];
  });
  const asked = [...calls().values()].reduce((sum, count) => sum + count, 0);
  const cpuMs = highest(moments.map((moment) => moment.cpuMs));
  return [
    `${name}: ${expected.length} samples, ${asked} calls, ${seconds(wallMs)} wall, ${seconds(cpuMs)} CPU\n`,
    toMarkdownTable(head, rows),
  ].join('\n');
}

/** Whether the open descriptors grew, in words. */
export function findGrowth(watched: Watched): readonly string[] {
  const spans = toSpans(watched);
  return (['mainFiles', 'workerFiles'] as const).flatMap((name) => {
    const [early, late] = [spans[2], spans[SPANS - 2]].map((span) =>
      median((span ?? []).map((moment) => moment[name])),
    );
    if (early === undefined || late === undefined || late - early <= MOST_GROWTH) return [];
    return [`${name}: ${early} descriptors in the third span, ${late} in the last but one`];
  });
}

function toSpans({ moments, wallMs }: Watched): readonly (readonly Moment[])[] {
  const of = ({ ms }: Moment) => Math.min(SPANS - 1, Math.floor((ms / wallMs) * SPANS));
  return Array.from({ length: SPANS }, (_, index) => moments.filter((moment) => of(moment) === index));
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, next) => Math.max(most, next), 0);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}
