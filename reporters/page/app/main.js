import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CaseList, useTexts } from './cases.js';
import { Compare } from './compare.js';
import { CompareRuns } from './compare-runs.js';
import { ago, date } from './format.js';
import { html } from './html.js';
import { Labels } from './labels.js';
import { Overview } from './overview.js';
import { Banner, Copy, Waiting } from './parts.js';
import { readRoute, setParams, toLink } from './route.js';
import { Cases, findVariant, listSuites, listVariants } from './run.js';
import { Runs, useRunList } from './runs.js';
import { followRun, sourceOf } from './server.js';
import { isReport, REPORT } from './source.js';

/**
 * @import { Head } from '../data.ts'
 * @import { Loaded } from './compare-runs.js'
 */

/** What stands below tabs: a run, and what is known of it. @type {Readonly<Record<string, string>>} */
const TABS = { overview: 'Overview', cases: 'Cases', compare: 'Compare', labels: 'Labels' };

/** The address, also after Back. */
function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = () => setRoute(readRoute());
    addEventListener('hashchange', update);
    addEventListener('popstate', update);
    return () => {
      removeEventListener('hashchange', update);
      removeEventListener('popstate', update);
    };
  }, []);
  return route;
}

/**
 * A run, kept up to date while it goes on. Its cases come once they are needed.
 * @param {string | undefined} name undefined for none
 * @param {boolean} areCasesNeeded
 * @returns {Loaded}
 */
function useRun(name, areCasesNeeded) {
  const source = useMemo(() => (isReport ? REPORT : sourceOf(name ?? '')), [name]);
  const [head, setHead] = useState(/** @type {Head | null} */ (null));
  const [cases, setCases] = useState(/** @type {Cases | null} */ (null));
  const [problem, setProblem] = useState('');
  const [turn, setTurn] = useState(0);
  const [, setVersion] = useState(0);
  const fail = (/** @type {unknown} */ error) =>
    setProblem(error instanceof Error ? error.message : String(error));
  useEffect(() => {
    if (name === undefined) return;
    let isShown = true;
    if (turn === 0) setHead(null);
    setProblem('');
    source.head().then((found) => {
      if (!isShown) return;
      setCases(null);
      setHead(found);
    }, fail);
    return () => {
      isShown = false;
    };
  }, [name, turn]);
  const isLive = head?.run.is_live === true;
  const isNeeded = head !== null && (areCasesNeeded || isLive);
  useEffect(() => {
    if (!isNeeded || head === null) return;
    let isShown = true;
    let stop = () => {};
    source.answers().then((data) => {
      if (!isShown) return;
      const found = new Cases(head, data);
      found.addTexts([
        { questions: [], answers: (data.texts ?? []).map((each, at) => [at, each]) },
      ]);
      setCases(found);
      if (isLive && name !== undefined)
        stop = followRun(name, found, data.seen ?? 0, setVersion, setTurn);
    }, fail);
    return () => {
      isShown = false;
      stop();
    };
  }, [head, isNeeded]);
  return { name: name ?? '', source, head, cases, problem };
}

/** A report has one run. */
const NO_RUNS = { list: null, problem: '' };

function App() {
  const { path, params } = useRoute();
  const isOfRuns = !isReport && path[0] === 'compare';
  const [name, tab = 'overview'] = isReport
    ? ['', path[0] ?? 'overview']
    : isOfRuns
      ? [params['a'], 'compare']
      : path;
  const { list, problem } = isReport ? NO_RUNS : useRunList();
  const needsCases = tab === 'cases' || tab === 'compare';
  const run = useRun(name, needsCases);
  const other = useRun(isOfRuns ? params['b'] : undefined, true);
  useEffect(() => {
    document.title = `${run.head === null || name === undefined ? '' : `${listSuites(run.head).join(', ')} · `}viva`;
  }, [run.head, name]);
  useEffect(() => scrollTo({ top: 0 }), [name, tab]);
  const trouble = [problem, run.problem, other.problem].find((each) => each !== '');
  const base = isReport || name === undefined ? [] : [name];
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${TopBar} head=${name === undefined || isOfRuns ? null : run.head} base=${base} tab=${tab} isDeep=${name !== undefined} />
    <main id="main" tabindex="-1">
      ${trouble !== undefined && html`<p class="note" role="alert">${trouble}</p>`}
      ${
        name === undefined
          ? list === null
            ? html`<${Waiting} />`
            : html`<${Runs} runs=${list.runs} isAll=${list.isAll} params=${params} />`
          : run.head === null
            ? trouble === undefined && html`<${Waiting} />`
            : isOfRuns
              ? html`<${CompareRuns} a=${run} b=${other} params=${params} />`
              : html`<${OneRun} run=${run} head=${run.head} tab=${tab} base=${base} params=${params} />`
      }
    </main>`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** @param {{ head: Head | null, base: readonly string[], tab: string, isDeep: boolean }} props */
function TopBar({ head, base, tab, isDeep }) {
  const tabs = Object.entries(TABS).filter(([name]) => {
    if (name === 'compare') return (head?.pairs.length ?? 0) > 0;
    return name !== 'labels' || !isReport;
  });
  return html`<header class="top no-print">
    <a class="brand" href=${isReport ? toLink([]) : '#/'}><i aria-hidden="true"></i>viva</a>
    ${!isReport && isDeep && html`<span class="quiet up" aria-hidden="true">/</span><a class="up" href="#/">Runs</a>`}
    ${head !== null && html`<span class="quiet crumb" aria-hidden="true">/</span><span class="crumb">${listSuites(head).join(', ')}</span>`}
    ${
      head !== null &&
      html`<nav aria-label="Views">
        ${tabs.map(([name, label]) => html`<a key=${name} href=${toLink(name === 'overview' ? base : [...base, name])} aria-current=${name === tab ? 'page' : undefined}>${label}</a>`)}
      </nav>`
    }
  </header>`;
}

/** @param {{ run: Loaded, head: Head, tab: string, base: readonly string[], params: Readonly<Record<string, string>> }} props */
function OneRun({ run, head, tab, base, params }) {
  const { cases, source } = run;
  const isRead = useTexts(cases, source, tab === 'cases' || tab === 'compare' || head.run.is_live);
  const isReady = cases !== null && (isRead || head.run.is_live);
  return html`<${Banner} banner=${head.banner} />
    ${
      tab === 'cases'
        ? isReady
          ? html`<${CaseList} head=${head} cases=${cases} source=${source} params=${params} base=${base} />`
          : html`<${Waiting} />`
        : tab === 'compare'
          ? isReady
            ? html`<${CompareVariants} run=${run} head=${head} cases=${cases} params=${params} />`
            : html`<${Waiting} />`
          : tab === 'labels' && !isReport
            ? html`<${Labels} run=${run.name} params=${params} />`
            : html`<${RunTitle} head=${head} />
                <${Overview} head=${head} base=${base} cases=${cases} />`
    }`;
}

/** @param {{ head: Head }} props */
function RunTitle({ head }) {
  const { run, gates, exit } = head;
  const deciding = gates.filter(({ is_advisory }) => !is_advisory);
  const holding = deciding.filter(({ holds }) => holds === true).length;
  const isGood = holding === deciding.length;
  const badge = run.is_live
    ? html`<span class="badge is-ungraded pulses"><i aria-hidden="true">●</i>running</span>`
    : deciding.length > 0
      ? html`<span class=${`badge ${isGood ? 'is-correct' : 'is-incorrect'}`}><i aria-hidden="true">${isGood ? '✓' : '✕'}</i>${holding} of ${deciding.length} ${deciding.length === 1 ? 'gate holds' : 'gates hold'}</span>`
      : exit !== null &&
        html`<span class="badge is-done"><i aria-hidden="true">–</i>no gate</span>`;
  return html`<div class="title">
    <h1>${listSuites(head).join(', ')}</h1>
    ${badge}
    ${!run.is_live && !run.is_complete && html`<span class="badge is-no_answer"><i aria-hidden="true">◐</i>not complete</span>`}
    <p class="facts-line">
      <time dateTime=${run.started_at}>${date(run.started_at)}</time> · ${ago(run.started_at)} · <${Copy} text=${run.name} label="Copy the name of the run">${run.name}<//>
      ${run.commit !== null && html` · commit <code>${run.commit.slice(0, 8)}</code>`}
      ${Object.entries(run.versions).map(([name, version]) => ` · ${name} ${version}`)}
    </p>
  </div>`;
}

/** Two agents or prompts of one run. @param {{ run: Loaded, head: Head, cases: Cases, params: Readonly<Record<string, string>> }} props */
function CompareVariants({ run, head, cases, params }) {
  const variants = listVariants(head);
  const isOf = (/** @type {import('../data.ts').PageComparison} */ pair) =>
    String(findVariant(head, pair.a, pair.suite)?.place) === params['a'] &&
    String(findVariant(head, pair.b, pair.suite)?.place) === params['b'];
  const pair = head.pairs.find(isOf) ?? head.pairs[0];
  const pairs = useMemo(() => (pair === undefined ? [] : [pair]), [pair]);
  if (pair === undefined) return html`<p class="empty">This run has one agent and one prompt.</p>`;
  const nameOf = (/** @type {import('../data.ts').PageComparison['a']} */ side) =>
    findVariant(head, side, pair.suite)?.name ?? side.agent;
  const choose = (/** @type {{ target: HTMLSelectElement }} */ { target }) => {
    const chosen = head.pairs[Number(target.value)];
    if (chosen === undefined) return;
    const [a, b] = [chosen.a, chosen.b].map(
      (side) => findVariant(head, side, chosen.suite)?.place ?? 0,
    );
    setParams({ a: String(a), b: String(b), case: '', chip: '' });
  };
  const suites = new Set(variants.map(({ suite }) => suite)).size;
  const side = { head, cases, source: run.source };
  return html`<${Compare} a=${{ ...side, name: nameOf(pair.a) }} b=${{ ...side, name: nameOf(pair.b) }} pairs=${pairs} params=${params}>
    <label class="field"><span class="unseen">Pair</span>
      <select value=${head.pairs.indexOf(pair)} onChange=${choose}>
        ${head.pairs.map((each, at) => html`<option key=${at} value=${at}>${suites > 1 ? `${each.suite}: ` : ''}${findVariant(head, each.b, each.suite)?.name} against ${findVariant(head, each.a, each.suite)?.name}</option>`)}
      </select></label>
  <//>`;
}

const place = document.getElementById('app');
if (place !== null) render(html`<${App} />`, place);
