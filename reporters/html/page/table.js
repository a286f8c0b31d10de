/** @import { PageCase, PageData } from './data.ts' */
/** @import { SortKey } from './filter.js' */

import { formatDollars, formatLatency, formatScoreValue } from '../../../src/words/amounts.js';
import { renderDetails } from './details.js';
import { byId, element, makeDialog, toLine } from './elements.js';
import {
  filterCases,
  makeFields,
  nameCases,
  readLink,
  readValue,
  sortCases,
  toScoreKey,
  writeLink,
} from './filter.js';

/** How many rows are drawn at once: thousands would make the page slow. */
const SLICE = 100;

/** @type {PageData} */
const data = JSON.parse(byId('data').textContent ?? '');

/**
 * A column. The table can be sorted by its `key`. One that `mayBeLeftOut` is drawn only if its
 * values differ.
 * @typedef {{ name: string, key?: Exclude<SortKey, 'order'>, kind?: string, mayBeLeftOut?: true, cell: (each: PageCase) => string }} Column
 */

/** @type {Column[]} */
const COLUMNS = [
  {
    name: 'Id',
    key: 'id',
    cell: ({ id, trial }) => toLine(trial === undefined ? id : `${id} \u00b7 trial ${trial}`, 60),
  },
  { name: 'State', key: 'state', kind: 'state', cell: nameState },
  { name: 'Run', key: 'run', mayBeLeftOut: true, cell: ({ run }) => toLine(run, 40) },
  { name: 'Question', kind: 'text question', cell: ({ verdict }) => toLine(verdict?.question, 60) },
  { name: 'Suite', key: 'suite', mayBeLeftOut: true, cell: ({ suite }) => toLine(suite, 40) },
  { name: 'Group', key: 'group', cell: ({ group }) => toLine(group, 40) },
  { name: 'Agent', key: 'agent', mayBeLeftOut: true, cell: ({ agent }) => toLine(agent, 40) },
  { name: 'Prompt', key: 'prompt', mayBeLeftOut: true, cell: ({ prompt }) => toLine(prompt, 40) },
  { name: 'Expected', kind: 'text', cell: ({ verdict }) => toLine(verdict?.expected, 60) },
  { name: 'Received', kind: 'text', cell: ({ verdict }) => toLine(verdict?.received, 60) },
  {
    name: 'Latency',
    key: 'latency',
    kind: 'number',
    cell: ({ latency }) => formatLatency(latency),
  },
  {
    name: 'Cost',
    key: 'cost',
    kind: 'number',
    mayBeLeftOut: true,
    cell: ({ cost }) => formatDollars(cost),
  },
];

/** More would make the table too wide. The details of a case have all. */
const MOST_SCORES = 8;

/** @type {Column[]} */
const SCORES = data.scores.slice(0, MOST_SCORES).map((name, index) => ({
  name: toLine(name, 24),
  key: toScoreKey(index),
  kind: 'number',
  cell: ({ scores }) => formatScoreValue(scores?.[index]),
}));

const columns = [...COLUMNS.slice(0, 2), ...SCORES, ...COLUMNS.slice(2)].filter(
  ({ key, mayBeLeftOut }) =>
    !mayBeLeftOut ||
    (key &&
      data.cases.some((each) => readValue(each, key) !== readValue(data.cases[0] ?? each, key))),
);

/** The name of each case, as links have it. */
const nameOf = nameCases(data.cases);
const dialog = makeDialog({ onStep: step, onClose: close });
/**
 * The button of each case whose row is drawn.
 * @type {Map<PageCase | undefined, HTMLElement>}
 */
const openers = new Map();
let link = readLink();
/** @type {{ key: SortKey, descending: boolean }} */
let sorting = { key: 'order', descending: false };
/** The cases that match the filters, as they are sorted. */
let listed = data.cases;
/** Which of their texts the search cannot see. */
let unseen = '';

const form = byId('filters');
form.append(
  ...makeFields(data, {
    onInput: (key, value) => {
      link = { ...link, [key]: value };
      draw();
    },
    onDone: () => writeLink(link, 'pushState'),
  }),
);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
window.addEventListener('hashchange', follow);
follow();
if (Object.values(link).some(Boolean)) byId('cases').scrollIntoView();

/** Shows what the address names. */
function follow() {
  link = readLink();
  for (const field of form.querySelectorAll('input, select')) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    field.value = Object.entries(link).find(([key]) => key === field.name)?.[1] ?? '';
  }
  draw();
  showCase();
}

function draw() {
  const found = filterCases(data, link);
  unseen = found.unseen;
  listed = sortCases(found.cases, sorting.key, sorting.descending);
  showCount();
  const body = element('tbody');
  const caption = element('caption', {}, 'Cases. Click an id for its details.');
  const head = element('thead', {}, element('tr', {}, ...columns.map(renderHead)));
  const table = element('table', { class: 'cases' }, caption, head, body);
  byId('table').replaceChildren(element('div', { class: 'scroll' }, table), ...drawSlice(0, body));
}

function showCount() {
  const failed = listed.filter(({ state }) => data.states[state]?.fails).length;
  const isStray = link.case && findOpen() === undefined;
  const stray = isStray ? `. No case is named "${toLine(link.case, 60)}"` : '';
  byId('count').textContent =
    `${listed.length} of ${data.cases.length} cases, ${failed} of them failed${stray}${unseen}`;
}

/** Shows the case that the link names, or none. */
function showCase() {
  const each = findOpen();
  if (each === undefined) return dialog.hide();
  const place = listed.indexOf(each);
  const where = place < 0 ? '' : `${place + 1} of ${listed.length}: `;
  dialog.show(nameOf(each), `${where}${nameState(each)}`, renderDetails(each, data, nameOf));
}

function findOpen() {
  const { case: name } = link;
  // Only then: naming all of many cases takes long.
  if (!name) return undefined;
  return data.cases.find((each) => nameOf(each) === name) ?? listed.find(({ id }) => id === name);
}

/**
 * @param {PageCase} each
 * @param {'pushState' | 'replaceState'} write
 */
function open(each, write) {
  link = { ...link, case: nameOf(each) };
  writeLink(link, write);
  showCount();
  showCase();
}

/**
 * From the open case to the next one (1) or the previous one (-1). After the last one comes the
 * first.
 * @param {1 | -1} by
 */
function step(by) {
  const opened = findOpen();
  const place = opened === undefined ? -1 : listed.indexOf(opened);
  const next = listed.at((place + by) % listed.length);
  if (next !== undefined) open(next, 'replaceState');
}

/**
 * The focus goes to the row of the case, which may be another than the one from which the reader
 * set out.
 */
function close() {
  if (!link.case) return;
  openers.get(findOpen())?.focus();
  link = { ...link, case: '' };
  writeLink(link, 'pushState');
}

/** @param {PageCase} each */
function nameState({ state, reason }) {
  const label = data.states[state]?.label ?? state;
  return reason === undefined ? label : `${label}: ${toLine(reason, 30)}`;
}

/**
 * The head of a column. A click sorts up, a second one down, a third one not at all.
 * @param {Column} column
 */
function renderHead({ key, name, kind = '' }) {
  if (key === undefined) return element('th', { scope: 'col', class: kind }, name);
  const { descending } = sorting;
  const [direction, arrow] = descending ? ['descending', ' \u25be'] : ['ascending', ' \u25b4'];
  const isSorted = sorting.key === key;
  const button = element(
    'button',
    { type: 'button', class: 'sort', id: `sort-${key}` },
    name,
    isSorted ? arrow : '',
  );
  button.addEventListener('click', () => {
    sorting =
      isSorted && descending ? { key: 'order', descending: false } : { key, descending: isSorted };
    draw();
    byId(`sort-${key}`).focus();
  });
  return element(
    'th',
    { scope: 'col', class: kind, 'aria-sort': isSorted ? direction : 'none' },
    button,
  );
}

/**
 * Adds the next rows and returns the button for the rows after them.
 * @param {number} from
 * @param {HTMLElement} body
 */
function drawSlice(from, body) {
  const rows = listed.slice(from, from + SLICE).map(renderRow);
  body.append(...rows);
  const left = listed.length - from - rows.length;
  if (left <= 0) return [];
  const more = element(
    'button',
    { type: 'button', class: 'more' },
    `Show ${Math.min(SLICE, left)} more of ${left}`,
  );
  more.addEventListener('click', () => {
    const last = body.lastElementChild;
    more.replaceWith(...drawSlice(from + SLICE, body));
    last?.nextElementSibling?.querySelector('button')?.focus();
  });
  return [more];
}

/**
 * The row of a case. Its button opens the case.
 * @param {PageCase} each
 */
function renderRow(each) {
  const [first, ...others] = columns;
  const opener = element('button', { type: 'button', class: 'open' }, first?.cell(each) ?? '');
  opener.addEventListener('click', () => open(each, 'pushState'));
  openers.set(each, opener);
  const { verdict, fails } = data.states[each.state] ?? {};
  const cells = others.map(({ cell, kind = '' }) => {
    const dir = kind.startsWith('text') ? 'auto' : 'ltr';
    return element('td', { class: kind, dir }, cell(each));
  });
  const row = element('th', { scope: 'row' }, opener);
  return element(
    'tr',
    { class: verdict === 'right' ? 'correct' : fails ? 'fails' : '' },
    row,
    ...cells,
  );
}
