import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CasePanel, useSteps } from './case.js';
import { oneLine, plural, time } from './format.js';
import { html } from './html.js';
import { ChangeTag, Chip, Rows, Select, Squares, useKeys, useMedia, usePrint } from './parts.js';
import { setParams, toLink } from './route.js';
import { countAnswers, listStates, listSuites, nameAnswer, rankChange, tellResult } from './run.js';

/**
 * @import { Head } from '../data.ts'
 * @import { Answer, Cases, Question } from './run.js'
 * @import { Source } from './source.js'
 */

/**
 * A question in the list with those of its answers that filters leave; one answer where rows are not
 * folded.
 * @typedef {Readonly<{ question: Question, answers: readonly Answer[], counts: Question['counts'], key: string }>} Row
 */

/** @typedef {Readonly<Record<string, string>>} Params */
/** @typedef {Readonly<Record<string, string>>} Style */

/** What a chip looks for in answers. @type {Readonly<Record<string, (answer: Answer) => unknown>>} */
const SOUGHT = {
  failed: ({ fails }) => fails,
  changed: ({ fails, variant, question }) => fails && variant.name === question.changes[0]?.of,
  none: ({ state }) => state === 'no_answer',
  uncertain: ({ is_uncertain }) => is_uncertain,
  doubted: ({ is_doubted }) => is_doubted,
  seen: ({ seen_copy }) => seen_copy,
  errors: ({ isError, state }) => isError || state === 'timed_out',
};

/** Keeps rows with an answer that is sought. @param {string} chip @returns {(row: Row) => boolean} */
function some(chip) {
  return ({ answers }) => answers.some((answer) => SOUGHT[chip]?.(answer));
}

/** The answer that is read first: one that the chip looks for, or that failed. @param {readonly Answer[]} answers @param {string} chip */
function pickAnswer(answers, chip) {
  return (
    answers.find((answer) => SOUGHT[chip]?.(answer)) ??
    answers.find(({ fails }) => fails) ??
    answers[0]
  );
}

/** @type {Readonly<Record<string, readonly [name: string, sign: string, keeps: (row: Row) => boolean]>>} */
const CHIPS = {
  failed: ['Failed', '✕', ({ counts }) => counts.failed > 0],
  changed: ['Changed', '±', ({ question }) => question.changes.length > 0],
  differ: ['Agents differ', '≠', ({ counts }) => counts.isDisputed],
  unstable: ['Unstable', '~', ({ counts }) => counts.isUnstable],
  none: ['No answer', '∅', some('none')],
  uncertain: ['Uncertain', '?', some('uncertain')],
  doubted: ['Judges in doubt', '⚖', some('doubted')],
  seen: ['Copy seen', '=', some('seen')],
  errors: ['Errors', '!', some('errors')],
  all: ['All', '', () => true],
};

/** @type {Readonly<Record<string, (a: Row, b: Row) => number>>} */
const ORDERS = {
  failures: (a, b) => share(b) - share(a) || a.question.place - b.question.place,
  dataset: (a, b) => a.question.place - b.question.place,
  slowest: (a, b) => b.counts.slowest - a.counts.slowest,
  costliest: (a, b) => costOf(b) - costOf(a),
};

/** @param {Row} a @param {Row} b */
function compareChanges(a, b) {
  const [left, right] = [a, b].map(({ question }) => rankChange(question.changes[0]?.change));
  return (left ?? 0) - (right ?? 0);
}

/** @param {Row} row */
function share({ counts, answers }) {
  return counts.failed / Math.max(1, answers.length);
}

/** @param {Row} row */
function costOf({ answers }) {
  return answers.reduce((sum, { cost = 0 }) => sum + cost, 0);
}

/**
 * The questions that search and filters leave, before a chip is chosen.
 * @param {Cases} cases
 * @param {Params} params
 * @returns {readonly Row[]}
 */
function filterCases({ questions, head }, { q = '', suite, group, variant, state, score, below }) {
  const sought = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const place = head.scores.indexOf(score ?? '');
  const keeps = (/** @type {Answer} */ answer) =>
    (!variant || String(answer.v) === variant) &&
    (!state || answer.counted === state) &&
    (!score || isBelow(answer.scores?.[place], below));
  const isAny = !variant && !state && !score;
  return questions.flatMap((question) => {
    const { facts, answers, key } = question;
    if (suite && facts.suite !== suite) return [];
    if (group && !listGroups(question).includes(group)) return [];
    if (!sought.every((word) => question.searched.includes(word))) return [];
    if (isAny)
      return answers.length === 0 ? [] : [{ question, answers, counts: question.counts, key }];
    const kept = answers.filter(keeps);
    return kept.length === 0 ? [] : [{ question, answers: kept, counts: countAnswers(kept), key }];
  });
}

/** @param {boolean | number | null | undefined} value @param {string | undefined} limit */
function isBelow(value, limit = '1') {
  if (value === null || value === undefined) return limit === 'none';
  return Number(value) < (limit === 'none' ? -1 : Number(limit));
}

/** Its group, and those of further groupings. @param {Question} question */
function listGroups({ facts: { group, groups = {} } }) {
  return [group, ...Object.entries(groups).map(([by, each]) => `${by} ${each}`)];
}

/**
 * @param {readonly Row[]} rows
 * @param {string} chip
 * @returns {readonly Row[]}
 */
function unfold(rows, chip) {
  return rows.flatMap(({ question, answers }) =>
    answers
      .filter(({ fails }) => chip !== 'failed' || fails)
      .map((answer) => ({
        question,
        answers: [answer],
        counts: countAnswers([answer]),
        key: `${question.key}#${nameAnswer(answer)}`,
      })),
  );
}

/**
 * @param {Cases} cases
 * @param {Params} params
 */
function useRows(cases, params) {
  const { q, suite, group, variant, state, score, below, order = 'failures', fold } = params;
  const found = useMemo(
    () => filterCases(cases, params),
    [cases, cases.version, q, suite, group, variant, state, score, below],
  );
  const counts = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(CHIPS).map(([name, [, , keeps]]) => [name, found.filter(keeps).length]),
      ),
    [found],
  );
  const chip = chooseChip(params, found, counts);
  const rows = useMemo(() => {
    const sort = chip === 'changed' && order === 'failures' ? compareChanges : ORDERS[order];
    const kept = found
      .filter(CHIPS[chip]?.[2] ?? (() => true))
      .toSorted(sort ?? ORDERS['failures']);
    return fold === 'no' ? unfold(kept, chip) : kept;
  }, [found, chip, order, fold]);
  return { rows, counts, chip };
}

/**
 * The chip that an address names, or failures first; all for a case that did not fail.
 * @param {Params} params
 * @param {readonly Row[]} found
 * @param {Readonly<Record<string, number>>} counts
 */
function chooseChip({ chip = '', case: name = '' }, found, counts) {
  if (Object.hasOwn(CHIPS, chip)) return chip;
  const opened = found[findRow(found, name)];
  const isFailed = opened === undefined || opened.counts.failed > 0;
  return (counts['failed'] ?? 0) > 0 && isFailed ? 'failed' : 'all';
}

/** The questions of a run with their answers, and one of them opened. @param {{ head: Head, cases: Cases, source: Source, params: Params, base: readonly string[] }} props */
export function CaseList({ head, cases, source, params, base }) {
  const { rows, counts, chip } = useRows(cases, params);
  const isPhone = useMedia('(max-width: 760px)');
  const isPrinted = usePrint();
  const height = isPhone ? 108 : 44;
  const at = findRow(rows, params['case']);
  const opened = rows[at]?.question ?? findQuestion(cases, params['case']);
  const cursor = useRef(0);
  if (at >= 0) cursor.current = at;
  const open = (/** @type {number} */ index, isStep = false) => {
    const row = rows[index];
    if (row === undefined) return;
    const [only] = row.answers;
    setParams(
      {
        case: row.key.split('#')[0] ?? '',
        answer: row.key.includes('#') && only !== undefined ? nameAnswer(only) : '',
      },
      isStep,
    );
    reveal(index, height);
  };
  const close = () => {
    setParams({ case: '', answer: '' }, true);
    setTimeout(() => focusRow(cursor.current));
  };
  const isOpen = opened !== undefined;
  const picked = pickAnswer(rows[at]?.answers ?? opened?.answers ?? [], chip);
  const chosen = picked && nameAnswer(picked);
  const steps = useSteps({
    at,
    count: rows.length,
    from: cursor.current,
    isOpen,
    show: open,
    close,
  });
  return html`<div class=${isOpen ? 'has-case' : ''}>
    <h1 class="unseen">Cases of ${listSuites(head).join(', ')} <small>${head.run.name}</small></h1>
    <${Filters} head=${head} cases=${cases} params=${params} counts=${counts} chip=${chip} shown=${rows.length} />
    ${
      rows.length === 0
        ? html`<p class="empty">No case is left. <a href=${toLink([...base, 'cases'], { chip: 'all' })}>Show all cases</a></p>`
        : html`<${Table} head=${head} rows=${rows} height=${height} current=${at} params=${params} base=${base} chip=${chip} onOpen=${open} />`
    }
    ${
      opened !== undefined &&
      !isPrinted &&
      html`<${CasePanel} head=${head} source=${source} question=${opened} chosen=${params['answer'] || chosen} steps=${steps} />`
    }
    ${params['chip'] && chip !== params['chip'] && html`<p class="note" role="status">No filter is named "${params['chip']}".</p>`}
    ${opened === undefined && params['case'] && html`<p class="note" role="status">No case is named "${params['case']}".</p>`}
  </div>`;
}

/** @param {readonly Row[]} rows @param {string | undefined} name */
function findRow(rows, name) {
  if (!name) return -1;
  return rows.findIndex(
    ({ question, key }) => key === name || question.key === name || question.facts.id === name,
  );
}

/** A case that filters leave out is shown too. @param {Cases} cases @param {string | undefined} name */
function findQuestion({ questions }, name) {
  return name ? questions.find(({ key, facts }) => key === name || facts.id === name) : undefined;
}

/** Scrolls to a row that is out of sight. @param {number} index @param {number} height */
function reveal(index, height) {
  const list = document.querySelector('.rows');
  if (list === null) return;
  const top = list.getBoundingClientRect().top + scrollY + index * height;
  if (top < scrollY + 150 || top > scrollY + innerHeight - 120)
    scrollTo({ top: top - innerHeight / 3 });
}

/** @param {number} index */
function focusRow(index) {
  const link = document.querySelector(`[data-row="${index}"] a`);
  if (link instanceof HTMLElement) link.focus({ preventScroll: true });
}

/** @param {{ head: Head, cases: Cases, params: Params, counts: Readonly<Record<string, number>>, chip: string, shown: number }} props */
function Filters({ head, cases, params, counts, chip, shown }) {
  const search = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [isOpen, setOpen] = useState(false);
  useKeys({ '/': () => search.current?.focus() });
  const { suite = '', state } = params;
  const active = FILTERS.filter((name) => params[name]).length;
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) =>
    setParams({ [name]: value, case: '', answer: '' });
  const chips = Object.entries(CHIPS).filter(
    ([name]) => name === 'all' || name === chip || (counts[name] ?? 0) > 0,
  );
  const groups = useMemo(() => {
    const own = cases.questions.filter(({ facts }) => suite === '' || facts.suite === suite);
    return [...new Set(own.flatMap(listGroups))].slice(0, 200);
  }, [cases, suite]);
  const variants = cases.variants.filter((each) => suite === '' || each.suite === suite);
  const suites = listSuites(head);
  const isSeveral = suites.length > 1 && suite === '';
  const noun = params['fold'] === 'no' ? 'answer' : 'question';
  return html`<div class="filters no-print" role="search" aria-label="Filter the cases">
    <div class="chips" role="group" aria-label="Which cases">
      ${chips.map(([name, [label, sign]]) => html`<${Chip} key=${name} isOn=${name === chip} sign=${sign} count=${counts[name]} onClick=${() => set('chip')(name)}>${label}<//>`)}
    </div>
    <div class=${`fields ${isOpen ? 'is-open' : ''}`}>
      <label class="field search">
        <span>Search</span>
        <input
          ref=${search}
          type="search"
          placeholder="Id, question, answer, reason"
          value=${params['q'] ?? ''}
          onInput=${(/** @type {{ target: HTMLInputElement }} */ { target }) => set('q')(target.value)}
        /><kbd aria-hidden="true">/</kbd>
      </label>
      <button type="button" class="button more" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Filters${active > 0 && ` (${active})`}</button>
      <${Select} label="Suite" value=${suite} options=${suites} onChange=${(/** @type {string} */ value) => setParams({ suite: value, group: '', variant: '', case: '' })} />
      <${Select} label="Group" value=${params['group']} options=${groups} onChange=${set('group')} />
      <${Select}
        label=${variants.some(({ prompt }) => prompt !== undefined) ? 'Agent or prompt' : 'Agent'}
        value=${params['variant']}
        options=${variants.map(({ place, name, suite: of }) => [String(place), isSeveral ? `${of} · ${name}` : name])}
        onChange=${set('variant')}
      />
      <${Select} label="State" value=${state} options=${listStates(head.states)
        .filter((each) => each === state || cases.answers.some(({ counted }) => counted === each))
        .map((each) => [each, head.states[each].label])} onChange=${set('state')} />
      ${
        head.scores.length > 0 &&
        html`<${Select} label="Score" all="Any" value=${params['score']} options=${head.scores.map((name) => [name, name])} onChange=${set('score')} />
          ${params['score'] && html`<${Select} label="is" all="" value=${params['below'] ?? '1'} options=${[['1', 'below 1, or false'], ['0.5', 'below 0.5, or false'], ['none', 'without a value']]} onChange=${set('below')} />`}`
      }
      <${Select}
        label="Order"
        all=""
        value=${params['order'] ?? 'failures'}
        options=${[['failures', 'Failures first'], ['dataset', 'As in the dataset'], ['slowest', 'Slowest first'], ['costliest', 'Costliest first']]}
        onChange=${set('order')}
      />
      ${
        cases.answers.length > cases.questions.length &&
        html`<label class="check">
          <input type="checkbox" checked=${params['fold'] !== 'no'} onChange=${(/** @type {{ target: HTMLInputElement }} */ { target }) => set('fold')(target.checked ? '' : 'no')} />
          <span>Fold by question</span>
        </label>`
      }
    </div>
    <p class="found">
      <span role="status">${plural(shown, noun)}${tellLeftOut(head)}</span>
      <span class="hint">j next · k previous · / search · Esc closes</span>
    </p>
  </div>`;
}

const FILTERS = ['suite', 'group', 'variant', 'state', 'score', 'order', 'fold'];

/** What the file lacks is not searched. @param {Head} head */
function tellLeftOut({ left_out, banner }) {
  const parts = [
    ...(banner === 'hidden' ? ['hidden texts are not searched'] : []),
    ...(left_out !== undefined && left_out.texts > 0
      ? [
          `the texts of ${plural(left_out.texts, 'answer')} are left out for want of room, and not searched: "viva view" has them`,
        ]
      : []),
    ...(left_out !== undefined && left_out.conversations > 0
      ? [`${plural(left_out.conversations, 'conversation')} left out`]
      : []),
    ...(left_out !== undefined && left_out.pictures > 0
      ? [`${plural(left_out.pictures, 'picture')} left out`]
      : []),
  ];
  return parts.length === 0 ? '' : `. Of this file: ${parts.join('; ')}`;
}

/** @param {{ head: Head, rows: readonly Row[], height: number, current: number, params: Params, base: readonly string[], chip: string, onOpen: (index: number, isStep?: boolean) => void }} props */
function Table({ head, rows, height, current, params, base, chip, onOpen }) {
  const groups = new Set(rows.slice(0, 500).map(({ question }) => question.facts.group));
  const widest = Math.max(
    1,
    ...rows.slice(0, 500).map(({ answers }) => Math.min(12, answers.length)),
  );
  const style = { '--squares': `${Math.max(64, widest * 19 + (chip === 'changed' ? 96 : 44))}px` };
  const name = `panel cases ${groups.size > 1 ? '' : 'has-one-group'} ${widest > 6 ? 'has-many' : ''}`;
  return html`<div class=${name} role="table" aria-label="Cases" aria-rowcount=${rows.length + 1} style=${style}>
    <div role="rowgroup" class="head-group">
      <div class="row row-head" role="row">
        ${['Result', 'Id', 'Question', 'Expected', 'Received', 'Group', 'Latency'].map((name, at) => html`<span role="columnheader" class=${COLUMNS[at]}>${name}</span>`)}
      </div>
    </div>
    <${Rows}
      count=${rows.length}
      height=${height}
      of=${[rows, height, current, params]}
      label="Cases"
      row=${(/** @type {number} */ index, /** @type {Style} */ style) => {
        const row = rows[index];
        return (
          row &&
          html`<${CaseRow} key=${row.key} head=${head} row=${row} index=${index} style=${style} isCurrent=${index === current} chip=${chip} params=${params} base=${base} onOpen=${onOpen} />`
        );
      }}
    />
  </div>`;
}

const COLUMNS = [
  'c-result',
  'c-id',
  'c-question',
  'c-expected',
  'c-received',
  'c-group',
  'c-time number',
];

/** @param {{ head: Head, row: Row, index: number, style: Style, isCurrent: boolean, chip: string, params: Params, base: readonly string[], onOpen: (index: number, isStep?: boolean) => void }} props */
function CaseRow({
  head,
  row: { question, answers, counts },
  index,
  style,
  isCurrent,
  chip,
  params,
  base,
  onOpen,
}) {
  const { facts, texts, changes } = question;
  const shown = pickAnswer(answers, chip);
  const link = toLink([...base, 'cases'], {
    ...params,
    case: question.key,
    answer:
      answers.length === 1 && shown !== undefined && question.answers.length > 1
        ? nameAnswer(shown)
        : '',
  });
  const open = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(index, true);
  };
  const received =
    shown === undefined || facts.is_hidden ? '' : oneLine(tellResult(shown, head), 160);
  return html`<div class=${`row ${isCurrent ? 'is-current' : ''}`} role="row" aria-rowindex=${index + 2} data-row=${index} style=${style}>
    <span role="cell" class="c-result">
      <${Squares} groups=${counts.byVariant} states=${head.states} />
      ${chip === 'changed' && changes[0] !== undefined ? html`<${ChangeTag} change=${changes[0].change} />` : answers.length > 1 && html`<small>${facts.is_ungraded ? 'ungraded' : `${counts.right}/${answers.length}`}</small>`}
    </span>
    <span role="cell" class="c-id mono" title=${facts.id}>${question.short}</span>
    <span role="cell" class="c-question"><a href=${link} onClick=${open} dir="auto">${question.title}</a></span>
    <span role="cell" class="c-expected" dir="auto">${oneLine(texts?.target ?? '', 160)}</span>
    <span role="cell" class=${`c-received ${shown?.fails ? 'wrong' : ''}`} dir="auto">${received}</span>
    <span role="cell" class="c-group">${facts.group}</span>
    <span role="cell" class="c-time number">${shown?.latency === undefined ? '' : time(shown.latency)}</span>
  </div>`;
}

/** Reads the texts of a run once they are needed. @param {Cases | null} cases @param {Source} source @param {boolean} isNeeded */
export function useTexts(cases, source, isNeeded) {
  const [read, setRead] = useState(/** @type {Cases | null} */ (null));
  useEffect(() => {
    if (cases === null || !isNeeded || read === cases) return;
    let isShown = true;
    source.texts().then((blocks) => {
      cases.addTexts(blocks);
      cases.prepareSearch();
      if (isShown) setRead(cases);
    });
    return () => {
      isShown = false;
    };
  }, [cases, isNeeded]);
  return read === cases;
}
