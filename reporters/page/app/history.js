import { fitRates, placeOn } from './axis.js';
import { date, interval, percent } from './format.js';
import { html } from './html.js';
import { setParams, toLink } from './route.js';

/**
 * @import { EntryVariant, RunEntry } from '../data.ts'
 * @import { Interval } from './axis.js'
 */

/** @typedef {EntryVariant & { readonly run: RunEntry }} Point */

/** Accuracy from run to run, of one series that has several. @param {{ series: ReadonlyMap<string, readonly Point[]>, params: Readonly<Record<string, string>> }} props */
export function History({ series, params }) {
  const long = [...series]
    .filter(([, points]) => points.length > 1)
    .sort(([, a], [, b]) => b.length - a.length);
  const [key, points] = long.find(([name]) => name === params['series']) ?? long[0] ?? ['', []];
  if (points.length < 2) return null;
  const nameOf = (/** @type {readonly Point[]} */ own) => {
    const { suite, agent, dataset } = own.at(-1) ?? {};
    return `${suite}${dataset === suite ? '' : ` (${dataset})`} · ${agent} (${own.length} runs)`;
  };
  const shown = points.slice(-60);
  return html`<section>
    <div class="title">
      <h2>History</h2>
      ${
        long.length > 1
          ? html`<label class="field"><span class="unseen">Which series</span>
              <select value=${key} onChange=${(/** @type {{ target: HTMLSelectElement }} */ { target }) => setParams({ series: target.value })}>
                ${long.map(([name, own]) => html`<option key=${name} value=${name}>${nameOf(own)}</option>`)}
              </select></label>`
          : html`<span class="quiet">${nameOf(points)}</span>`
      }
      <span class="quiet">Runs on the same questions of the same dataset</span>
    </div>
    <${HistoryChart} points=${shown.map(({ run, all, prompt, is_replay }) => ({ name: `${run.name} ${prompt}`, started_at: run.started_at, accuracy: all.accuracy ?? 0, range: all.ci95, isReplay: is_replay === true, link: toLink([run.name]) }))} />
  </section>`;
}

/**
 * @typedef {Readonly<{ name: string, started_at: string, accuracy: number, range: Interval | null, isReplay: boolean, link: string }>} HistoryPoint
 */

/**
 * Accuracy from run to run with its intervals; a hollow point replays recorded answers.
 * @param {{ points: readonly HistoryPoint[] }} props
 */
function HistoryChart({ points }) {
  const axis = fitRates(points.map(({ accuracy, range }) => range ?? [accuracy, accuracy]));
  const x = (/** @type {number} */ place) => 4 + (place / Math.max(1, points.length - 1)) * 92;
  const y = (/** @type {number} */ value) => 100 - placeOn(axis, value);
  const isShort = points.length <= 8;
  return html`<div class="plot-area history-area" style=${{ maxWidth: `${points.length * 150}px` }}>
    ${axis.ticks.map(
      (tick) =>
        html`<u key=${tick} style=${{ top: `${y(tick)}%` }}><span>${Number((tick * 100).toFixed(1))} %</span></u>`,
    )}
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <polyline points=${points.map(({ accuracy }, at) => `${x(at)},${y(accuracy)}`).join(' ')} />
    </svg>
    ${points.map(({ name, started_at, accuracy, range, isReplay, link }, at) => {
      const [low, high] = range ?? [accuracy, accuracy];
      const told = `${date(started_at)}: ${percent(accuracy)}, ${interval(range)}${isReplay ? ', replayed' : ''}`;
      return html`<a key=${name} href=${link} title=${told}>
        <span class="unseen">${told}</span>
        <s style=${{ left: `${x(at)}%`, top: `${y(high)}%`, height: `${y(low) - y(high)}%` }}></s>
        <b class=${isReplay ? 'hollow' : ''} style=${{ left: `${x(at)}%`, top: `${y(accuracy)}%` }}></b>
        ${
          (isShort || at === 0 || at === points.length - 1) &&
          html`<em aria-hidden="true" style=${{ left: `${x(at)}%` }} class=${at === 0 ? 'first' : at === points.length - 1 ? 'last' : ''}
            >${date(started_at).replace(/ \d{4}/, '')}</em
          >`
        }
      </a>`;
    })}
  </div>`;
}

/**
 * The accuracies of comparable runs, the oldest first, on an axis of their own.
 * @param {{ values: readonly number[], at: number }} props
 */
export function Sparkline({ values, at }) {
  const current = values[at];
  if (values.length < 2 || current === undefined)
    return html`<span class="quiet" title="No run on the same questions before it">–</span>`;
  const axis = fitRates(values.map((value) => [value, value]));
  const x = (/** @type {number} */ place) => 4 + (place / (values.length - 1)) * 72;
  const y = (/** @type {number} */ value) => 20 - placeOn(axis, value) * 0.16;
  return html`<svg
    class="spark"
    viewBox="0 0 80 24"
    width="80"
    height="24"
    role="img"
    aria-label=${`Accuracy of ${values.length} comparable runs: ${values.slice(-12).map(percent).join(', ')}`}
  >
    <polyline points=${values.map((value, place) => `${x(place)},${y(value)}`).join(' ')} />
    <circle cx=${x(at)} cy=${y(current)} r="3" />
  </svg>`;
}
