import { useMemo, useState } from 'preact/hooks';
import { Asked, Pane, Read, useSteps } from './case.js';
import { diffLines } from './diff.js';
import { oneLine, plural } from './format.js';
import { html } from './html.js';
import { PairDetails, PairTable } from './pairs.js';
import { ChangeTag, Chip, Rows, Squares, useMedia } from './parts.js';
import { readRoute, setParams, toLink } from './route.js';
import { listChanges, nameSide, rankChange, tellReceived } from './run.js';

/**
 * @import { Steps } from './case.js'
 * @import { Head, PageComparison } from '../data.ts'
 * @import { Answer, Cases, Change, Question } from './run.js'
 * @import { Source } from './source.js'
 */

/**
 * One side: a run, and how it is called.
 * @typedef {Readonly<{ name: string, head: Head, cases: Cases, source: Source }>} Side
 */

/**
 * A question that both sides answered, by one pair of variants.
 * @typedef {Readonly<{ pair: PageComparison, question: Question, own: Question, a: readonly Answer[], b: readonly Answer[], change: Change | undefined, isDifferent: boolean, key: string }>} Row
 */

/** @type {Readonly<Record<string, readonly [name: string, sign: string, keeps: (row: Row) => boolean]>>} */
const CHIPS = {
  different: ['Only different', '≠', ({ isDifferent }) => isDifferent],
  broken: ['Broken', '▼', ({ change }) => change === 'broken'],
  fixed: ['Fixed', '▲', ({ change }) => change === 'fixed'],
  some: ['In some trials', '~', ({ change }) => change === 'improved' || change === 'worsened'],
  all: ['All', '', () => true],
};

/**
 * @param {Side} a
 * @param {Side} b
 * @param {readonly PageComparison[]} pairs
 * @returns {readonly Row[]}
 */
function pairQuestions(a, b, pairs) {
  const before = new Map(a.cases.questions.map((question) => [question.key, question]));
  const rows = pairs.flatMap((pair, at) => {
    const changes = listChanges(pair);
    const [left, right] = [findPlace(a.cases, pair, pair.a), findPlace(b.cases, pair, pair.b)];
    return b.cases.questions.flatMap((question) => {
      const own = before.get(question.key);
      if (question.facts.suite !== pair.suite || own === undefined) return [];
      const [x, y] = [
        own.answers.filter(({ v }) => v === left),
        question.answers.filter(({ v }) => v === right),
      ];
      if (x.length === 0 || y.length === 0) return [];
      const change = changes.get(question.facts.id);
      const isDifferent =
        change !== undefined || areDifferent(tellAll(x, a.head), tellAll(y, b.head));
      return [
        { pair, question, own, a: x, b: y, change, isDifferent, key: `${at}/${question.key}` },
      ];
    });
  });
  return rows.sort((one, other) => rankChange(one.change) - rankChange(other.change));
}

/** What was said in any trial. @param {readonly Answer[]} answers @param {Head} head */
function tellAll(answers, head) {
  const come = answers.filter(({ state }) => state !== 'not_run');
  return new Set(come.map((answer) => `${answer.state} ${tellReceived(answer, head.states)}`));
}

/** Whether one side said what the other did not; how often each said it depends on the number of trials. @param {ReadonlySet<string>} a @param {ReadonlySet<string>} b */
function areDifferent(a, b) {
  return a.symmetricDifference(b).size > 0;
}

/** @param {Cases} cases @param {PageComparison} pair @param {PageComparison['a']} side */
function findPlace({ variants }, { suite }, { agent, prompt, prompt_hash }) {
  const own = variants.filter((each) => each.suite === suite && each.agent === agent);
  const found =
    own.find((each) => each.prompt === prompt && each.prompt_hash === prompt_hash) ??
    own.find((each) => each.prompt_hash === prompt_hash) ??
    own[0];
  return found?.place ?? -1;
}

/**
 * Two runs, agents or prompts: the difference with its test, and the questions with both answers.
 * @param {{ a: Side, b: Side, pairs: readonly PageComparison[], notes?: readonly string[], params: Readonly<Record<string, string>>, children?: unknown }} props
 */
export function Compare({ a, b, pairs, notes = [], params, children }) {
  const all = useMemo(() => pairQuestions(a, b, pairs), [a.cases, b.cases, pairs]);
  const { q = '' } = params;
  const sought = q.toLowerCase();
  const found = useMemo(
    () =>
      all.filter(
        ({ question, own }) => question.searched.includes(sought) || own.searched.includes(sought),
      ),
    [all, sought],
  );
  const counts = Object.fromEntries(
    Object.entries(CHIPS).map(([name, [, , keeps]]) => [name, found.filter(keeps).length]),
  );
  const chip = Object.hasOwn(CHIPS, params['chip'] ?? '')
    ? (params['chip'] ?? '')
    : (counts['different'] ?? 0) > 0
      ? 'different'
      : 'all';
  const rows = useMemo(() => found.filter(CHIPS[chip]?.[2] ?? (() => true)), [found, chip]);
  const at = rows.findIndex(({ key }) => key === params['case']);
  const show = (/** @type {number} */ index, isStep = false) =>
    setParams({ case: rows[index]?.key ?? '' }, isStep);
  const opened = rows[at];
  const close = () => setParams({ case: '' }, true);
  const isOpen = opened !== undefined;
  const steps = useSteps({ at, count: rows.length, from: 0, isOpen, show, close });
  const nameB = (/** @type {PageComparison} */ pair) =>
    `${pair.suite} · ${nameSide(b.head, pair.b, pair.suite)}`;
  const namePair = (/** @type {PageComparison} */ pair) => {
    const left = nameSide(a.head, pair.a, pair.suite);
    const isOther = left !== nameSide(b.head, pair.b, pair.suite);
    return html`<span>${nameB(pair)}</span>${isOther && html` <span class="quiet">against ${left}</span>`}`;
  };
  return html`<div class="compare">
    <div class="title">
      <h1>Compare</h1>
      ${children}
    </div>
    ${
      pairs.length === 0
        ? html`<p class="note">Nothing of these two can be compared.</p>`
        : html`<${PairTable} pairs=${pairs} caption=${`B against A, on the same questions`} nameOf=${namePair} />
            <${PairDetails} pairs=${pairs} nameOf=${nameB} />`
    }
    ${notes.map((text) => html`<p key=${text} class="note">${text}</p>`)}
    <${Filters} q=${q} counts=${counts} chip=${chip} shown=${rows.length} />
    ${rows.length === 0 ? html`<p class="empty">No question is left.</p>` : html`<${Table} a=${a} b=${b} rows=${rows} at=${at} isSeveral=${pairs.length > 1} onOpen=${(/** @type {number} */ index) => show(index, true)} />`}
    ${opened !== undefined && html`<${Both} a=${a} b=${b} row=${opened} steps=${steps} />`}
  </div>`;
}

/** @param {{ q: string, counts: Readonly<Record<string, number>>, chip: string, shown: number }} props */
function Filters({ q, counts, chip, shown }) {
  return html`<div class="filters no-print" role="search" aria-label="Filter the questions">
  <div class="fields">
    <div class="chips" role="group" aria-label="Which questions">
      ${Object.entries(CHIPS).map(
        ([name, [label, sign]]) =>
          (name === 'all' || name === chip || (counts[name] ?? 0) > 0) &&
          html`<${Chip} key=${name} isOn=${name === chip} sign=${sign} count=${counts[name]} onClick=${() => setParams({ chip: name, case: '' })}>${label}<//>`,
      )}
    </div>
    <label class="field search">
      <span class="unseen">Search</span>
      <input type="search" placeholder="Id, question, answer, reason" value=${q} onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) => setParams({ q: target.value, case: '' })} />
    </label>
  </div>
  <p class="found"><span role="status">${plural(shown, 'question')}</span></p>
</div>`;
}

/** @param {{ a: Side, b: Side, rows: readonly Row[], at: number, isSeveral: boolean, onOpen: (index: number) => void }} props */
function Table({ a, b, rows, at, isSeveral, onOpen }) {
  const isPhone = useMedia('(max-width: 760px)');
  const height = isPhone ? 132 : 46;
  const open = (/** @type {MouseEvent} */ event, /** @type {number} */ index) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(index);
  };
  return html`<div class="panel cases" role="table" aria-label="Questions" aria-rowcount=${rows.length + 1}>
    <div role="rowgroup" class="head-group">
      <div class="row row-head" role="row">
        ${[
          ['c-change', 'Change'],
          ['c-id', 'Id'],
          ['c-question', 'Question'],
          ['c-expected', 'Expected'],
          ['c-side', `A · ${a.name}`],
          ['c-side', `B · ${b.name}`],
        ].map(([name, head]) => html`<span role="columnheader" class=${name}>${head}</span>`)}
      </div>
    </div>
    <${Rows}
      count=${rows.length}
      height=${height}
      of=${[rows, height, at]}
      label="Questions"
      row=${(
        /** @type {number} */ index,
        /** @type {Readonly<Record<string, string>>} */ style,
      ) => {
        const row = rows[index];
        if (row === undefined) return null;
        const { question, change, key, pair } = row;
        const { facts } = question;
        return html`<div key=${key} class=${`row ${index === at ? 'is-current' : ''}`} role="row" aria-rowindex=${index + 2} style=${style}>
          <span role="cell" class="c-change">${change === undefined ? html`<span class="quiet">${row.isDifferent ? 'other answer' : 'same'}</span>` : html`<${ChangeTag} change=${change} />`}</span>
          <span role="cell" class="c-id mono" title=${facts.id}>${question.short}</span>
          <span role="cell" class="c-question">
            ${isSeveral && html`<small>${nameSide(b.head, pair.b, pair.suite)} </small>`}<a href=${toLink(readRoute().path, { ...readRoute().params, case: key })} onClick=${(/** @type {MouseEvent} */ event) => open(event, index)} dir="auto">${question.title}</a>
          </span>
          <span role="cell" class="c-expected" dir="auto">${oneLine(question.texts?.target ?? '', 120)}</span>
          <${SideCell} side=${a} answers=${row.a} isHidden=${facts.is_hidden} />
          <${SideCell} side=${b} answers=${row.b} isHidden=${facts.is_hidden} />
        </div>`;
      }}
    />
  </div>`;
}

/** @param {{ side: Side, answers: readonly Answer[], isHidden: boolean | undefined }} props */
function SideCell({ side, answers, isHidden }) {
  const shown = answers.find(({ fails }) => fails) ?? answers[0];
  return html`<span role="cell" class="c-side">
    <${Squares} groups=${[answers]} states=${side.head.states} />
    <span class=${shown?.fails ? 'wrong' : ''} dir="auto">${isHidden || shown === undefined ? '' : oneLine(tellReceived(shown, side.head.states), 120)}</span>
  </span>`;
}

/** Both answers to one question. @param {{ a: Side, b: Side, row: Row, steps: Steps }} props */
function Both({ a, b, row: { question, ...answers }, steps }) {
  const [x, y] = [answers.a, answers.b].map((own) => own.find(({ fails }) => fails) ?? own[0]);
  const side = (
    /** @type {string} */ letter,
    /** @type {Side} */ { name, head, source },
    /** @type {Answer | undefined} */ answer,
  ) =>
    answer !== undefined &&
    html`<div>
      <h3 class="side-name">${letter} · ${name}</h3>
      <${Read} head=${head} source=${source} answer=${answer} />
    </div>`;
  return html`<${Pane} question=${question} steps=${steps} class="is-wide">
    <${Asked} head=${b.head} source=${b.source} question=${question} answer=${y} />
    <${OutputDiff} before=${x} after=${y} />
    <div class="two-sides">${side('A', a, x)}${side('B', b, y)}</div>
  <//>`;
}

/** Where whole outputs differ, line by line. @param {{ before: Answer | undefined, after: Answer | undefined }} props */
function OutputDiff({ before, after }) {
  const [isOpen, setOpen] = useState(false);
  const [a, b] = [before, after].map((answer) => answer?.texts?.output ?? answer?.texts?.answer);
  if (a === undefined || b === undefined || a === b || !`${a}${b}`.includes('\n')) return null;
  return html`<details class="fold" open=${isOpen} onToggle=${(/** @type {{ target: HTMLDetailsElement }} */ { target }) => setOpen(target.open)}>
    <summary>How the outputs differ, line by line</summary>
    ${isOpen && html`<pre class="diff" dir="auto">${diffLines(a, b).map(([text, kind]) => (kind === 'same' ? `${text}\n` : kind === 'gone' ? html`<del>${text}</del>${'\n'}` : html`<ins>${text}</ins>${'\n'}`))}</pre>`}
  </details>`;
}
