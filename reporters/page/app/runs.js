import { useEffect, useMemo, useState } from 'preact/hooks';
import { fitRates } from './axis.js';
import { AxisMarks, IntervalBar } from './charts.js';
import { accuracy, ago, date, groupCost, int, interval, plural } from './format.js';
import { History, Sparkline } from './history.js';
import { html } from './html.js';
import { TableBox } from './parts.js';
import { setParams, toLink } from './route.js';
import { fetchRuns, follow } from './server.js';

/**
 * @import { EntryVariant, RunEntry } from '../data.ts'
 * @import { Point } from './history.js'
 */

/** @type {Readonly<Record<RunEntry['state'], readonly [sign: string, word: string]>>} */
const STATES = {
  running: ['●', 'running'],
  finished: ['✓', 'finished'],
  partial: ['◐', 'not complete'],
  stopped: ['■', 'stopped'],
  unreadable: ['?', 'cannot be read'],
};

/** More rows make a page slow; search finds the others. */
const AT_ONCE = 100;

/** The list of runs, kept up to date. */
export function useRunList() {
  const [list, setList] = useState(
    /** @type {Readonly<{ runs: readonly RunEntry[], isAll: boolean }> | null} */ (null),
  );
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const load = () =>
      fetchRuns((runs, isAll) =>
        setList((old) => (isAll || old === null ? { runs, isAll } : old)),
      ).catch((error) => setProblem(error.message));
    load();
    return follow('/api/events', { changed: load });
  }, []);
  return { list, problem };
}

/** All runs, the newest first. @param {{ runs: readonly RunEntry[], isAll: boolean, params: Readonly<Record<string, string>> }} props */
export function Runs({ runs, isAll, params }) {
  const [chosen, setChosen] = useState(/** @type {readonly string[]} */ ([]));
  const [most, setMost] = useState(AT_ONCE);
  const { q = '' } = params;
  const found = useMemo(() => searchRuns(runs, q), [runs, q]);
  const series = useMemo(() => toSeries(runs), [runs]);
  const shown = found.slice(0, most);
  const axis = fitRates(shown.flatMap(({ variants }) => variants.map(({ all }) => all.ci95)));
  const choose = (/** @type {string} */ name) =>
    setChosen(
      chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen.slice(-1), name],
    );
  useEffect(() => setMost(AT_ONCE), [q]);
  if (runs.length === 0)
    return html`<h1>Runs</h1>
      <p class="empty">No run yet. Start one with <code>vitest run evals</code>: it is shown here as soon as it begins.</p>`;
  const heads = [
    [html`<span class="unseen">Choose</span>`],
    ['When'],
    ['Suite and agent'],
    ['n', 'number'],
    ['Accuracy', 'number'],
    [html`<${AxisMarks} axis=${axis} />95 % interval`, 'bar'],
    ['Trend', 'r-trend'],
    ['Cost', 'number'],
    ['State'],
  ];
  const [b = '', a = ''] = runs.filter(({ name }) => chosen.includes(name)).map(({ name }) => name);
  return html`<div class="title">
      <h1>Runs</h1>
      <span class="quiet" role="status">${plural(found.length, 'run')}${!isAll && ' so far'}</span>
      <label class="field search"><span class="unseen">Search</span><input type="search" placeholder="Search suite, agent, prompt, name" value=${q} onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) => setParams({ q: target.value })} /></label>
      <span class="grow"></span>
      ${a === '' ? html`<span class="quiet">Choose two runs to compare them</span>` : html`<a class="button is-main" href=${toLink(['compare'], { a, b })}>Compare the two</a>`}
    </div>
    <${History} series=${series} params=${params} />
    ${
      found.length === 0
        ? html`<p class="empty">No run has these words.</p>`
        : html`<${TableBox} label="All runs" class="runs" heads=${heads}>
            ${shown.map((run) => html`<${RunRows} key=${run.name} run=${run} axis=${axis} series=${series} isChosen=${chosen.includes(run.name)} onChoose=${() => choose(run.name)} />`)}
          <//>`
    }
    ${found.length > most && html`<p><button type="button" class="button" onClick=${() => setMost(most + AT_ONCE)}>Show ${Math.min(AT_ONCE, found.length - most)} more of ${int(found.length - most)}</button></p>`}`;
}

/** @param {readonly RunEntry[]} runs @param {string} q */
function searchRuns(runs, q) {
  const sought = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (sought.length === 0) return runs;
  return runs.filter(({ name, suites, variants, state }) => {
    const texts = variants.flatMap(({ dataset, agent, prompt }) => [dataset, agent, prompt]);
    const text = [name, STATES[state][1], ...suites, ...texts].join('\n').toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

/** Comparable variants of all runs, the oldest first. @param {readonly RunEntry[]} runs @returns {ReadonlyMap<string, readonly Point[]>} */
function toSeries(runs) {
  const points = runs
    .toReversed()
    .flatMap((run) =>
      run.variants.filter(({ all }) => all.accuracy !== null).map((each) => ({ ...each, run })),
    );
  return Map.groupBy(points, ({ series }) => series);
}

/** @param {{ run: RunEntry, axis: import('./axis.js').Axis, series: ReadonlyMap<string, readonly Point[]>, isChosen: boolean, onChoose: () => void }} props */
function RunRows({ run, axis, series, isChosen, onChoose }) {
  const lines = run.variants.length > 0 ? run.variants : [null];
  const span = lines.length;
  return html`<tbody class=${isChosen ? 'is-chosen' : ''}>
    ${lines.map(
      (variant, at) => html`<tr key=${at}>
      ${
        at === 0 &&
        html`<td class="r-choose" rowspan=${span}><input type="checkbox" aria-label=${`Choose ${run.name}`} checked=${isChosen} onChange=${onChoose} /></td>
          <th scope="rowgroup" class="r-when" rowspan=${span}><a class="whole" href=${toLink([run.name])} title=${run.name}>${date(run.started_at)}</a><small>${ago(run.started_at)}</small></th>`
      }
      ${variant === null ? html`<td colspan="6" class="quiet r-what">${run.problem ?? `${run.suites.join(', ')}: no answers yet`}</td>` : html`<${VariantCells} run=${run} variant=${variant} axis=${axis} points=${series.get(variant.series) ?? []} />`}
      ${at === 0 && html`<td class="r-state" rowspan=${span}><${RunState} run=${run} /></td>`}
    </tr>`,
    )}
  </tbody>`;
}

/** @param {{ run: RunEntry, variant: EntryVariant, axis: import('./axis.js').Axis, points: readonly Point[] }} props */
function VariantCells({ run, variant, axis, points }) {
  const { suite, agent, prompt, all } = variant;
  // The same prompt in all runs says nothing.
  const isTold = new Set(points.map((point) => point.prompt)).size > 1;
  const at = points.findIndex((point) => point.run.name === run.name && point.prompt === prompt);
  const done = all.n - all.not_run;
  return html`<td class="r-what"><b>${suite}</b> <span class="quiet cut" title=${`${agent}, ${prompt}`}>${agent}</span>${isTold && html`<small class="cut">${prompt}</small>`}</td>
    <td class="number r-n">${run.state === 'running' ? html`${int(done)} <span class="quiet">of ${int(all.n)}</span>` : int(all.n)}${all.n > all.questions && html`<small>${plural(all.questions, 'question')}</small>`}</td>
    <td class="number"><b>${run.state === 'running' ? '–' : accuracy(all)}</b></td>
    <td class="bar"><${IntervalBar} value=${all.accuracy} range=${all.ci95} axis=${axis} label=${`${accuracy(all)}, ${interval(all.ci95)}`} /></td>
    <td class="r-trend"><${Sparkline} values=${points.map((point) => point.all.accuracy ?? 0)} at=${at} /></td>
    <td class="number r-cost">${groupCost(all)}</td>`;
}

/** @param {{ run: RunEntry }} props */
function RunState({ run: { state, gates, variants } }) {
  const [sign, word] = STATES[state];
  const [holding, all] = gates;
  const tone =
    state === 'running' ? 'is-ungraded' : state === 'finished' ? 'is-done' : 'is-no_answer';
  return html`<span class=${`badge ${tone} ${state === 'running' ? 'pulses' : ''}`}><i aria-hidden="true">${sign}</i>${word}</span>
    ${
      all > 0
        ? html`<small class=${holding === all ? 'good' : 'bad'}>${holding} of ${all} ${all === 1 ? 'gate holds' : 'gates hold'}</small>`
        : variants.length > 0 && state !== 'running' && html`<small>no gate</small>`
    }`;
}
