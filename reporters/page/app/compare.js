import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Asked, Read } from './case.js';
import { diffLines } from './diff.js';
import { oneLine, plural, shortId } from './format.js';
import { html } from './html.js';
import { PairDetails, PairTable } from './pairs.js';
import { Chip, Rows, Squares, useKeys, useMedia } from './parts.js';
import { readRoute, setParams, toLink } from './route.js';
import { listChanges, tellReceived } from './run.js';

/**
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

/** @type {Readonly<Record<Change, number>>} */
const RANKS = { broken: 0, worsened: 1, fixed: 2, improved: 3 };

/** @type {Readonly<Record<Change, string>>} */
const TONES = { broken: 'down', worsened: 'down', fixed: 'up', improved: 'up' };

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
      const isDifferent = change !== undefined || tellAll(x, a.head) !== tellAll(y, b.head);
      return [
        { pair, question, own, a: x, b: y, change, isDifferent, key: `${at}/${question.key}` },
      ];
    });
  });
  const rank = (/** @type {Row} */ { change }) => (change === undefined ? 4 : RANKS[change]);
  return rows.sort((one, other) => rank(one) - rank(other));
}

/** @param {readonly Answer[]} answers @param {Head} head */
function tellAll(answers, head) {
  return answers.map((answer) => `${answer.state} ${tellReceived(answer, head.states)}`).join('\n');
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
 * @param {{ a: Side, b: Side, pairs: readonly PageComparison[], notes?: readonly string[], params: Readonly<Record<string, string>>, isRead: boolean, children?: unknown }} props
 */
export function Compare({ a, b, pairs, notes = [], params, isRead, children }) {
  const all = useMemo(() => pairQuestions(a, b, pairs), [a.cases, b.cases, pairs, isRead]);
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
  useKeys({
    j: () => rows.length > 0 && show(Math.min(rows.length - 1, at + 1), at < 0),
    k: () => rows.length > 0 && show(Math.max(0, at - 1), at < 0),
    ...(opened === undefined ? {} : { Escape: close }),
  });
  return html`<div class="compare">
    <div class="title">
      <h1>Compare</h1>
      ${children}
    </div>
    ${
      pairs.length === 0
        ? html`<p class="note">Nothing of these two can be compared.</p>`
        : html`<${PairTable} pairs=${pairs} caption=${`B against A, on the same questions`} nameOf=${namePair} />
            ${pairs.map((pair, index) => html`<${PairDetails} key=${index} pair=${pair} />`)}`
    }
    ${notes.map((text) => html`<p key=${text} class="note">${text}</p>`)}
    <div class="filters no-print" role="search" aria-label="Filter the questions">
      <div class="fields">
        <div class="chips" role="group" aria-label="Which questions">
          ${Object.entries(CHIPS).map(
            ([name, [label, sign]]) =>
              (name === 'all' || name === chip || (counts[name] ?? 0) > 0) &&
              html`<${Chip} key=${name} isOn=${name === chip} sign=${sign} count=${counts[name]} onClick=${() => setParams({ chip: name, case: '' })}>${label}<//>`,
          )}
        </div>
        <label class="field search">
          <span>Search</span>
          <input type="search" value=${q} onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) => setParams({ q: target.value, case: '' })} />
        </label>
      </div>
      <p class="found"><span role="status">${plural(rows.length, 'question')}</span></p>
    </div>
    ${rows.length === 0 ? html`<p class="empty">No question is left.</p>` : html`<${Table} a=${a} b=${b} rows=${rows} at=${at} isSeveral=${pairs.length > 1} onOpen=${(/** @type {number} */ index) => show(index, true)} />`}
    ${opened !== undefined && html`<${Pane} a=${a} b=${b} row=${opened} place=${`${at + 1} of ${rows.length}`} onStep=${(/** @type {number} */ by) => show(at + by)} canStep=${(/** @type {number} */ by) => rows[at + by] !== undefined} onClose=${close} />`}
  </div>`;
}

/** @param {PageComparison} pair */
function namePair({ suite, a, b }) {
  const [left, right] = [a, b].map(({ agent, prompt }) => prompt ?? agent);
  return left === right
    ? `${suite} · ${right}`
    : html`<span>${suite} · ${right}</span> <span class="quiet">against ${left}</span>`;
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
      row=${(/** @type {number} */ index) => {
        const row = rows[index];
        if (row === undefined) return null;
        const { question, change, key, pair } = row;
        const { facts } = question;
        return html`<div key=${key} class=${`row ${index === at ? 'is-current' : ''}`} role="row" aria-rowindex=${index + 2} style=${{ height: `${height}px` }}>
          <span role="cell" class="c-change">${change === undefined ? html`<span class="quiet">${row.isDifferent ? 'other answer' : 'same'}</span>` : html`<span class=${`tag ${TONES[change]}`}>${change}</span>`}</span>
          <span role="cell" class="c-id mono" title=${facts.id}>${shortId(facts.id)}</span>
          <span role="cell" class="c-question">
            ${isSeveral && html`<small>${pair.b.prompt ?? pair.b.agent} </small>`}<a href=${toLink(readRoute().path, { ...readRoute().params, case: key })} onClick=${(/** @type {MouseEvent} */ event) => open(event, index)} dir="auto">${question.title}</a>
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

/** Both answers to one question. @param {{ a: Side, b: Side, row: Row, place: string, onStep: (by: number) => void, canStep: (by: number) => boolean, onClose: () => void }} props */
function Pane({ a, b, row, place, onStep, canStep, onClose }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { question, own } = row;
  const [x, y] = [row.a, row.b].map((answers) => answers.find(({ fails }) => fails) ?? answers[0]);
  useEffect(() => {
    box.current?.scrollTo({ top: 0 });
    box.current?.querySelector('h2')?.focus({ preventScroll: true });
  }, [row.key]);
  const step = (/** @type {number} */ by, /** @type {string} */ name, /** @type {string} */ sign) =>
    html`<button type="button" class="icon" disabled=${!canStep(by)} onClick=${() => onStep(by)} aria-label=${name} title=${name}>${sign}</button>`;
  return html`<div class="case is-wide" ref=${box} role="dialog" aria-label=${`Case ${question.facts.id}`}>
    <div class="case-bar no-print">
      ${step(-1, 'Previous case (k)', '↑')}${step(1, 'Next case (j)', '↓')}<span class="quiet" role="status">${place}</span><span class="grow"></span>
      <button type="button" class="icon" onClick=${onClose} aria-label="Close (Escape)" title="Close (Escape)">✕</button>
    </div>
    <div class="case-body">
      <h2 tabindex="-1"><span class="quiet">${question.facts.suite} · ${question.facts.group}</span><span class="mono">${question.facts.id}</span></h2>
      <${Asked} head=${b.head} source=${b.source} question=${question} answer=${y} />
      <${OutputDiff} before=${x} after=${y} />
      <div class="two-sides">
        ${[
          [a, x, own],
          [b, y, question],
        ].map(
          ([side, answer], index) =>
            side !== undefined &&
            answer !== undefined &&
            html`<div key=${index}>
          <h3 class="side-name">${index === 0 ? 'A' : 'B'} · ${/** @type {Side} */ (side).name}</h3>
          <${Read} head=${/** @type {Side} */ (side).head} source=${/** @type {Side} */ (side).source} answer=${answer} />
        </div>`,
        )}
      </div>
    </div>
  </div>`;
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
