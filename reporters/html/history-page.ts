import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { writeLines } from '../../src/store/line-file.ts';
import { RUN_FILES } from '../../src/store/run-folder.ts';
import { formatDollars, formatLatency } from '../../src/words/amounts.js';
import type { GroupSummary } from '../../src/words/figures.ts';
import { lineIf, plural } from '../../src/words/show.ts';
import type { ChangedQuestions } from '../changed-questions.ts';
import {
  formatAccuracy,
  formatInterval,
  formatScoreWithInterval,
  formatTime,
  formatTotalCost,
} from '../format-figures.ts';
import { type PastVariant, toVariantsTable } from '../past-run.ts';
import { toCaseJson } from './case-data.ts';
import {
  PER_CENT,
  type RunPoint,
  renderPlot,
  renderSeriesList,
  type Scale,
  type Series,
  toScale,
} from './charts.ts';
import { html, htmlTable, type Markup, NOTHING } from './markup.ts';
import { readScript, renderBanner, renderCases, renderDocument } from './render-page.ts';

/**
 * Writes a page with the figures of several runs, the oldest first, as charts and tables with links
 * to their reports, and with the questions that they answered differently.
 */
export function writeHistory(
  variants: readonly PastVariant[],
  changed: ChangedQuestions,
  file: string,
): void {
  const folders = [...new Set(variants.map(({ folder }) => folder))];
  const title = plural(folders.length, 'run');
  const notes = [
    ...lineIf(
      new Set(variants.map(({ selection }) => selection)).size > 1,
      'Runs on other questions or on another version of a dataset cannot be compared: they have charts of their own.',
    ),
    ...lineIf(
      variants.some(({ all }) => isPart(all)),
      'A dashed bar shows the bounds of a run that did not end. It has no point for cost and latency.',
    ),
    ...lineIf(
      variants.some(({ isReplay }) => isReplay),
      'A hollow point replays recorded answers: time and cost are those of the recording.',
    ),
    ...lineIf(
      !folders.every(hasReport),
      'A run without a link has no report: viva report RUN writes it.',
    ),
  ];
  const runs = changed.runs.map((run) => ({ ...run, base: relative(dirname(file), run.folder) }));
  // Two runs may have the same one.
  const banners = new Map(runs.map(renderBanner).map((banner) => [banner.text, banner]));
  const body = html`<header><h1>${title}</h1>
${[...banners.values()]}</header>
<main>
<section id="history"><h2>Run by run</h2>
${notes.map((note) => html`<p class="note">${note}</p>`)}${renderSelections(variants, file)}</section>
${renderChanged(changed)}</main>`;
  if (runs.length === 0) writeLines(file, renderDocument(title, [body.text]));
  else {
    const data = ['<script type="application/json" id="data">', ...toCaseJson(runs, MOST_BYTES)];
    writeLines(file, renderDocument(title, [body.text, ...data, '</script>'], readScript()));
  }
}

/** Of all answers to the questions. */
const MOST_BYTES = 4_000_000;

/** The table of answers, as the report of a run has it. */
function renderChanged({ compared, count, shown, runs }: ChangedQuestions): Markup {
  const answers = runs.reduce((sum, { results }) => sum + results.length, 0);
  const questions = plural(count, 'question');
  const left =
    count > shown ? ` Here are ${shown}, first those that the newest run got wrong.` : '';
  const body =
    count === 0
      ? html`<p class="note">No question has both right and wrong answers in the newest ${plural(compared, 'run')}.</p>`
      : html`<p class="note">${questions} with both right and wrong answers in the newest ${plural(compared, 'run')}.${left} Open an answer to see the others below it.</p>
${renderCases(answers)}`;
  return html`<section id="cases"><h2>Questions with different results</h2>
${body}</section>
`;
}

function hasReport(folder: string): boolean {
  return existsSync(join(folder, RUN_FILES.report.name));
}

/** The name of a run, which links its report if it has one. */
function renderLink(variant: PastVariant, file: string): Markup {
  const href = toReport(variant, file);
  return href === null ? html`${variant.run}` : html`<a href="${href}">${variant.run}</a>`;
}

/** The path from the page to the report of a run; null without one. */
function toReport({ folder }: PastVariant, file: string): string | null {
  if (!hasReport(folder)) return null;
  const path = relative(dirname(file), join(folder, RUN_FILES.report.name));
  return path.split(sep).map(encodeURIComponent).join('/');
}

/**
 * Charts and a table for each selection of questions: runs on other questions cannot be compared.
 */
function renderSelections(variants: readonly PastVariant[], file: string): Markup {
  const titles = new Map<string, number>();
  const charts = [...Map.groupBy(variants, ({ selection }) => selection).values()].map((own) => {
    const { suite = '', dataset = '', all } = own[0] ?? {};
    const title = `${suite} · ${dataset} · ${plural(all?.questions ?? 0, 'question')}`;
    const number = (titles.get(title) ?? 0) + 1;
    titles.set(title, number);
    const name = number === 1 ? title : `${title} (selection ${number})`;
    const table = toVariantsTable(own, { run: ({ run }) => run }, BEHIND);
    return html`${renderHistory(name, own, file)}${htmlTable(
      `${name}, the oldest run first`,
      table,
      own.map((variant) => renderLink(variant, file)),
    )}`;
  });
  return html`${charts}`;
}

/** The figures come first: a narrow screen shows the first columns. */
const BEHIND = {
  agent: ({ agent }: PastVariant) => agent,
  prompt: ({ prompt }: PastVariant) => prompt,
};

/**
 * Accuracy, named scores, cost and latency by run. Runs have equal distances, and each agent and
 * prompt has a line.
 */
function renderHistory(title: string, variants: readonly PastVariant[], file: string): Markup {
  const runs = [...new Set(variants.map(({ folder }) => folder))];
  const placeOf = ({ folder }: PastVariant) =>
    0.04 + (0.92 * runs.indexOf(folder)) / Math.max(1, runs.length - 1);
  const groups = [...Map.groupBy(variants, nameSeries(variants))];
  const [ticks, day] = toTicks(variants, placeOf);
  const plots = listFigures(variants).map(({ name, scale, read, format }) => {
    const series = groups.map(([who, own]): Series => {
      const points = own.map((variant): RunPoint => {
        const { run, all, isReplay } = variant;
        const label = `${run}, ${who}: ${format(all)}${isReplay ? ', replayed' : ''}`;
        const href = toReport(variant, file);
        return { x: placeOf(variant), ...read(all), label, href, isReplay };
      });
      const latest = own.at(-1);
      const figure = latest === undefined ? '' : format(latest.all);
      return {
        label: `${who}: ${plural(own.length, 'run')}, the latest ${figure}`,
        points,
        isJoined: true,
      };
    });
    return { series, plot: renderPlot(`${name}${day}`, series, ticks, scale) };
  });
  const [first, ...others] = plots;
  return html`<h3>${title}</h3>
${first === undefined ? NOTHING : html`${first.plot}${renderSeriesList(first.series)}`}<div class="charts">${others.map(({ plot }) => plot)}</div>
`;
}

/** A figure of a run that has a chart. */
type Figure = {
  readonly name: string;
  readonly scale: Scale;
  read(all: GroupSummary): Pick<RunPoint, 'value' | 'interval'>;
  format(all: GroupSummary): string;
};

function listFigures(variants: readonly PastVariant[]): readonly Figure[] {
  const wholes = variants.map(({ all }) => all);
  const scores = [...new Set(wholes.flatMap((all) => Object.keys(all.scores ?? {})))];
  return [
    {
      name: 'Accuracy, with 95 % intervals',
      scale: PER_CENT,
      read: ({ accuracy, ci95, bounds }) => ({ value: accuracy, interval: ci95 ?? bounds }),
      format: (all) =>
        `${formatAccuracy(all)}${all.ci95 === null ? '' : ` (${formatInterval(all.ci95)})`}`,
    },
    ...scores.map((name): Figure => toScoreFigure(name, wholes)),
    ...listAmounts(wholes),
  ];
}

/** Whether a run did not end: its cost and times are those of a part. */
function isPart({ accuracy, bounds }: GroupSummary): boolean {
  return accuracy === null && bounds !== null;
}

function toScoreFigure(name: string, wholes: readonly GroupSummary[]): Figure {
  const isRate = wholes.every(({ scores = {} }) => (scores[name]?.kind ?? 'rate') === 'rate');
  return {
    name: `Score ${name}, with 95 % intervals`,
    scale: isRate ? PER_CENT : { most: 1, format: String },
    read: ({ scores = {} }) => {
      const { mean = null, ci95 = null, bounds } = scores[name] ?? {};
      return { value: bounds === undefined ? mean : null, interval: bounds ?? ci95 };
    },
    format: ({ scores = {} }) => (scores[name] ? formatScoreWithInterval(scores[name]) : '-'),
  };
}

/** Cost and latency, where they are known. */
function listAmounts(wholes: readonly GroupSummary[]): readonly Figure[] {
  const toFigure = (
    name: string,
    of: (all: GroupSummary) => number | null,
    formatTick: Scale['format'],
    format: Figure['format'],
  ): readonly Figure[] => {
    const most = Math.max(...wholes.map((all) => of(all) ?? 0));
    if (most <= 0) return [];
    const read = (all: GroupSummary) => ({ value: isPart(all) ? null : of(all), interval: null });
    return [{ name, scale: toScale(most, formatTick), read, format }];
  };
  const formatMedian = (all: GroupSummary) =>
    formatTime(all.median_latency_ms, all.median_censored);
  return [
    ...toFigure('Cost, US dollars', ({ cost_usd }) => cost_usd, formatDollars, formatTotalCost),
    ...toFigure('Median latency', (all) => all.median_latency_ms, formatLatency, formatMedian),
  ];
}

/** The times of the first and the last run, and the day if it is the same. */
function toTicks(variants: readonly PastVariant[], placeOf: (variant: PastVariant) => number) {
  const ends = new Map(
    [variants[0], variants.at(-1)].flatMap((variant) =>
      variant ? [[placeOf(variant), variant]] : [],
    ),
  );
  const days = new Set(variants.map(({ started_at }) => started_at.slice(0, 10)));
  const ticks = [...ends].map(([at, { started_at: time }]) => {
    return [days.size === 1 ? time.slice(11, 16) : time.slice(0, 10), at] as const;
  });
  return [ticks, days.size === 1 ? `, ${[...days].join('')} (UTC)` : ''] as const;
}

/**
 * Several prompts have a line each, by the names of their files: an edit stays on its line. Prompts of
 * eval files have no names.
 */
function nameSeries(variants: readonly PastVariant[]) {
  const nameOf = ({ prompt }: PastVariant) => /^(.*)@/.exec(prompt)?.[1] ?? '';
  const several = new Set(
    [...Map.groupBy(variants, ({ agent }) => agent)].flatMap(([agent, own]) =>
      new Set(own.map(nameOf)).size > 1 ? agent : [],
    ),
  );
  return (variant: PastVariant) =>
    [
      variant.agent,
      ...(several.has(variant.agent) ? [nameOf(variant) || 'no prompt file'] : []),
    ].join(', ');
}
