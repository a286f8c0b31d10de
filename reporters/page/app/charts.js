import { fitCosts, fitRates, placeOn } from './axis.js';
import { groupCost, int, interval, percent } from './format.js';
import { html } from './html.js';
import { listStates, signOf } from './run.js';

/**
 * @import { Head, PageGroup } from '../data.ts'
 * @import { Axis, Interval } from './axis.js'
 * @import { State } from './run.js'
 */

/**
 * A figure with its interval on an axis, on which 0 is the line of no difference.
 * @param {{ value: number | null | undefined, range: Interval | null | undefined, axis: Axis, tone?: string, label: string }} props the tone "is-bounds" is for what is no interval
 */
export function IntervalBar({ value, range, axis, tone = '', label }) {
  const at = (/** @type {number} */ end) => `${placeOn(axis, end)}%`;
  const [low, high] = range ?? [0, 0];
  return html`<span class=${`interval ${tone}`} role="img" aria-label=${label}>
    ${axis.ticks.map(
      (tick) =>
        html`<u key=${tick} class=${tick === 0 && axis.low < 0 ? 'zero' : ''} style=${{ left: at(tick) }}></u>`,
    )}
    ${
      range != null &&
      html`<s style=${{ left: at(low), width: `${placeOn(axis, high) - placeOn(axis, low)}%` }}></s>`
    }
    ${value != null && html`<b style=${{ left: at(value) }}></b>`}
  </span>`;
}

/** The marks of an axis in per cent, or of another scale, or with their signs. @param {{ axis: Axis, isSigned?: boolean, scale?: number }} props */
export function AxisMarks({ axis, isSigned = false, scale = 100 }) {
  return html`<span class="axis" aria-hidden="true">
    ${axis.ticks.map((tick) => {
      const shown = Number((tick * scale).toFixed(scale === 1 ? 3 : 1));
      return html`<span key=${tick} style=${{ left: `${placeOn(axis, tick)}%` }}
        >${isSigned && shown > 0 ? '+' : ''}${shown}</span
      >`;
    })}
  </span>`;
}

/**
 * How many answers are in each state: a bar and, unless it is short, the same in words.
 * @param {{ counts: Readonly<Record<State, number>>, states: Head['states'], isShort?: boolean, toCome?: boolean, linkOf?: (state: State) => string }} props
 */
export function OutcomeBar({ counts, states, isShort = false, toCome = false, linkOf }) {
  const shown = listStates(states).filter((state) => counts[state] > 0);
  const all = shown.reduce((sum, state) => sum + counts[state], 0);
  const nameOf = (/** @type {State} */ state) =>
    toCome && state === 'not_run' ? 'to come' : states[state].label;
  const told = shown.map((state) => `${int(counts[state])} ${nameOf(state)}`);
  return html`<div class="outcomes">
    <div class="outcome-bar" role="img" aria-label=${told.join(', ')}>
      ${shown.map(
        (state, at) => html`<span
          key=${state}
          class=${`is-${state}`}
          title=${told[at]}
          style=${{ flexGrow: counts[state] / all }}
          >${counts[state] / all > 0.06 && signOf(state)}</span
        >`,
      )}
    </div>
    ${
      !isShort &&
      html`<ul class="legend">
        ${shown.map((state) => {
          const label = html`<i class=${`square is-${state}`} aria-hidden="true">${signOf(state)}</i
            ><span>${int(counts[state])} ${nameOf(state)}</span>`;
          return html`<li key=${state}>
            ${linkOf === undefined ? html`<span>${label}</span>` : html`<a href=${linkOf(state)}>${label}</a>`}
          </li>`;
        })}
      </ul>`
    }
  </div>`;
}

/**
 * @typedef {Readonly<{ name: string, group: PageGroup }>} Priced
 */

/**
 * Cost of an answer against accuracy, with intervals: nothing unless several have both. Where the cost of
 * some answers is not known, that of the others.
 * @param {{ entries: readonly Priced[], note: string }} props
 */
export function CostPlot({ entries, note }) {
  const points = entries.flatMap(({ name, group }) => {
    const { accuracy, ci95, cost_usd, cost_at_least_usd = 0, without_cost = 0, n } = group;
    const cost = (cost_usd ?? cost_at_least_usd) / (n - without_cost);
    if (accuracy === null || !(cost > 0)) return [];
    return [{ name, accuracy, range: ci95 ?? [accuracy, accuracy], cost, group }];
  });
  const costs = points.map(({ cost }) => cost);
  if (new Set(costs).size < 2) return null;
  const lacking = entries.filter(({ name }) => !points.some((point) => point.name === name));
  const axis = fitRates(points.map(({ range }) => /** @type {Interval} */ (range)));
  const marks = fitCosts(costs);
  // Prices of models differ by factors.
  const [least = 1, most = 1] = [marks[0], marks.at(-1)];
  const x = (/** @type {number} */ cost) =>
    8 + (Math.log(cost / least) / Math.log(most / least)) * 84;
  const y = (/** @type {number} */ value) => 100 - placeOn(axis, value);
  const labels = spreadLabels(points.map(({ cost, accuracy }) => [x(cost), y(accuracy)]));
  return html`<figure class="panel plot">
    <figcaption>
      Accuracy against cost of an answer, with 95 % intervals.${lacking.length > 0 && ` Without a known cost: ${lacking.map(({ name }) => name).join(', ')}.`} ${note}
    </figcaption>
    <div class="plot-area">
      ${axis.ticks.map(
        (tick) =>
          html`<u key=${tick} style=${{ top: `${y(tick)}%` }}><span>${Number((tick * 100).toFixed(1))} %</span></u>`,
      )}
      ${marks.map((cost) => html`<i key=${cost} style=${{ left: `${x(cost)}%` }}><span>$${cost}</span></i>`)}
      ${points.map(({ name, accuracy, range, cost, group }, at) => {
        const [low = 0, high = 0] = range;
        const told = `${name}: ${percent(accuracy)}, ${interval(group.ci95)}, ${groupCost(group)} in all`;
        return html`<span key=${name} role="img" aria-label=${told} title=${told}>
          <s style=${{ left: `${x(cost)}%`, top: `${y(high)}%`, height: `${y(low) - y(high)}%` }}></s>
          <b style=${{ left: `${x(cost)}%`, top: `${y(accuracy)}%` }}></b>
          <em class=${x(cost) > 50 ? 'on-left' : ''} style=${{ left: `${x(cost)}%`, top: `${labels[at]}%` }}>
            ${name}<small>$${Number(cost.toPrecision(3))} an answer${group.cost_usd === null && ' of known cost'}</small>
          </em>
        </span>`;
      })}
    </div>
  </figure>`;
}

/** The height of a label, and how near points must be for their labels to meet, in per cent. */
const [LABEL, NEAR] = [20, 30];

/**
 * Heights of labels beside points, moved down where they would cover each other.
 * @param {readonly (readonly [x: number, y: number])[]} points in per cent
 */
function spreadLabels(points) {
  const placed = /** @type {number[]} */ ([]);
  const order = [...points.keys()].sort((a, b) => (points[a]?.[1] ?? 0) - (points[b]?.[1] ?? 0));
  for (const at of order) {
    const [x, y] = points[at] ?? [0, 0];
    const above = order
      .slice(0, order.indexOf(at))
      .filter((other) => Math.abs((points[other]?.[0] ?? 0) - x) < NEAR)
      .map((other) => (placed[other] ?? 0) + LABEL);
    placed[at] = Math.max(y, ...above);
  }
  return placed;
}
