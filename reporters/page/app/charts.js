import { fitRates, placeOn } from './axis.js';
import { date, groupCost, int, interval, percent } from './format.js';
import { html } from './html.js';
import { listStates, signOf } from './run.js';

/**
 * @import { Head } from '../data.ts'
 * @import { GroupSummary } from '../../../src/words/figures.ts'
 * @import { Axis, Interval } from './axis.js'
 * @import { State } from './run.js'
 */

/**
 * A figure with its interval on an axis, on which 0 is the line of no difference.
 * @param {{ value: number | null | undefined, range: Interval | null | undefined, axis: Axis, tone?: string, label: string }} props
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

/** The marks of an axis in per cent, or with their signs. @param {{ axis: Axis, isSigned?: boolean }} props */
export function AxisMarks({ axis, isSigned = false }) {
  return html`<span class="axis" aria-hidden="true">
    ${axis.ticks.map((tick) => {
      const shown = Number((tick * 100).toFixed(1));
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

/**
 * @typedef {Readonly<{ name: string, group: GroupSummary }>} Priced
 */

/**
 * Cost of an answer against accuracy, with intervals: nothing unless several have both.
 * @param {{ entries: readonly Priced[], note: string }} props
 */
export function CostPlot({ entries, note }) {
  const points = entries.flatMap(({ name, group }) => {
    const { accuracy, ci95, cost_usd, cost_at_least_usd, n } = group;
    const cost = cost_usd ?? cost_at_least_usd;
    if (accuracy === null || cost === undefined || cost <= 0 || n === 0) return [];
    return [{ name, accuracy, range: ci95 ?? [accuracy, accuracy], cost: cost / n, group }];
  });
  const costs = points.map(({ cost }) => cost);
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  if (points.length < 2 || least === most) return null;
  const axis = fitRates(points.map(({ range }) => /** @type {Interval} */ (range)));
  // Prices of models differ by factors.
  const x = (/** @type {number} */ cost) =>
    8 + (Math.log(cost / least) / Math.log(most / least)) * 76;
  const y = (/** @type {number} */ value) => 100 - placeOn(axis, value);
  return html`<figure class="panel plot">
    <figcaption>
      Accuracy against cost of an answer, with 95 % intervals. ${note}
    </figcaption>
    <div class="plot-area">
      ${axis.ticks.map(
        (tick) =>
          html`<u key=${tick} style=${{ top: `${y(tick)}%` }}><span>${Number((tick * 100).toFixed(1))} %</span></u>`,
      )}
      ${points.map(({ name, accuracy, range, cost, group }) => {
        const [low = 0, high = 0] = range;
        const told = `${name}: ${percent(accuracy)}, ${interval(group.ci95)}, ${groupCost(group)} in all`;
        return html`<span key=${name} role="img" aria-label=${told} title=${told}>
          <s style=${{ left: `${x(cost)}%`, top: `${y(high)}%`, height: `${y(low) - y(high)}%` }}></s>
          <b style=${{ left: `${x(cost)}%`, top: `${y(accuracy)}%` }}></b>
          <em class=${x(cost) > 50 ? 'on-left' : ''} style=${{ left: `${x(cost)}%`, top: `${y(accuracy)}%` }}>
            ${name}<small>$${Number(cost.toPrecision(2))} an answer</small>
          </em>
        </span>`;
      })}
    </div>
  </figure>`;
}

/**
 * @typedef {Readonly<{ name: string, started_at: string, accuracy: number, range: Interval | null, isReplay: boolean, link: string }>} HistoryPoint
 */

/**
 * Accuracy from run to run with its intervals; a hollow point replays recorded answers.
 * @param {{ points: readonly HistoryPoint[] }} props
 */
export function HistoryChart({ points }) {
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
