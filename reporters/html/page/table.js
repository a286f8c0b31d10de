/** @import { PageCase, PageData } from './data.ts' */
/** @import { SortKey } from './filter.js' */
import { renderDetails } from './details.js';
import { byId, element, toLine } from './elements.js';
import { filterCases, makeFields, sortCases } from './filter.js';
import { formatCost, formatLatency } from './format.js';

/** How many rows are drawn at once: thousands would make the page slow. */
const SLICE = 100;

/** @type {PageData} */
const data = JSON.parse(byId('data').textContent ?? '');

/**
 * A column. The table can be sorted by its `key`. It is drawn only if `when` is true for some case.
 * @typedef {object} Column
 * @property {string} name
 * @property {SortKey} [key]
 * @property {string} [kind]
 * @property {(each: PageCase) => string} cell
 * @property {(each: PageCase) => boolean} [when]
 */

/** @type {Column[]} */
const COLUMNS = [
  {
    name: 'Id',
    key: 'id',
    cell: ({ id, trial }) => toLine(trial === undefined ? id : `${id} \u00b7 trial ${trial}`, 60),
  },
  { name: 'Suite', key: 'suite', cell: ({ suite }) => suite, when: ({ suite }) => suite !== data.cases[0]?.suite },
  { name: 'Group', key: 'group', cell: ({ group }) => toLine(group, 40) },
  {
    name: 'Agent',
    key: 'agent',
    cell: ({ agent }) => toLine(agent, 40),
    when: ({ agent }) => agent !== data.cases[0]?.agent,
  },
  { name: 'State', key: 'state', kind: 'state', cell: nameState },
  { name: 'Expected', kind: 'text', cell: ({ verdict }) => toLine(verdict?.expected, 60) },
  { name: 'Received', kind: 'text', cell: ({ verdict }) => toLine(verdict?.received, 60) },
  { name: 'Latency', key: 'latency', kind: 'number', cell: ({ latency }) => formatLatency(latency) },
  {
    name: 'Cost',
    key: 'cost',
    kind: 'number',
    cell: ({ cost }) => formatCost(cost),
    when: ({ cost }) => cost !== undefined,
  },
];

const columns = COLUMNS.filter(({ when }) => when === undefined || data.cases.some(when));

/** The cases that match the filters. */
let found = data.cases;
/** @type {{ key: SortKey, descending: boolean }} */
let sorting = { key: 'order', descending: false };

const form = byId('filters');
form.append(
  ...makeFields(data, (filter) => {
    found = filterCases(data, filter);
    draw();
  }),
);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
draw();

function draw() {
  const failed = found.filter(({ state }) => data.states[state]?.fails).length;
  byId('count').textContent = `${found.length} of ${data.cases.length} cases, ${failed} of them failed`;
  const body = element('tbody');
  const caption = element('caption', {}, 'Cases. Click an id for its details.');
  const head = element('thead', {}, element('tr', {}, ...columns.map(renderHead)));
  const table = element('table', { class: 'cases' }, caption, head, body);
  const sorted = sortCases(found, sorting.key, sorting.descending);
  byId('table').replaceChildren(element('div', { class: 'scroll' }, table), ...drawSlice(sorted, 0, body));
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
  const button = element('button', { type: 'button', class: 'sort', id: `sort-${key}` }, name, isSorted ? arrow : '');
  button.addEventListener('click', () => {
    sorting = isSorted && descending ? { key: 'order', descending: false } : { key, descending: isSorted };
    draw();
    byId(`sort-${key}`).focus();
  });
  return element('th', { scope: 'col', class: kind, 'aria-sort': isSorted ? direction : 'none' }, button);
}

/**
 * Adds the next rows and returns the button for the rows after them.
 * @param {readonly PageCase[]} sorted
 * @param {number} from
 * @param {HTMLElement} body
 */
function drawSlice(sorted, from, body) {
  const rows = sorted.slice(from, from + SLICE).map(renderRow);
  body.append(...rows);
  const left = sorted.length - from - rows.length;
  if (left <= 0) return [];
  const more = element('button', { type: 'button', class: 'more' }, `Show ${Math.min(SLICE, left)} more of ${left}`);
  more.addEventListener('click', () => {
    const last = body.lastElementChild;
    more.replaceWith(...drawSlice(sorted, from + SLICE, body));
    last?.nextElementSibling?.querySelector('button')?.focus();
  });
  return [more];
}

/**
 * The row of a case. Its button opens and closes a row of details, which is made when it is first opened.
 * @param {PageCase} each
 */
function renderRow(each) {
  const [first, ...others] = columns.map(({ cell, kind = '' }) => ({ text: cell(each), kind }));
  const opener = element('button', { type: 'button', class: 'open', 'aria-expanded': 'false' }, first?.text ?? '');
  const { correct, fails } = data.states[each.state] ?? {};
  const row = element(
    'tr',
    { class: correct ? 'correct' : fails ? 'fails' : '' },
    element('th', { scope: 'row' }, opener),
    ...others.map(({ text, kind }) => element('td', { class: kind, dir: kind === 'text' ? 'auto' : 'ltr' }, text)),
  );
  /** @type {HTMLElement | undefined} */
  let opened;
  opener.addEventListener('click', () => {
    const isOpen = opener.getAttribute('aria-expanded') === 'true';
    opener.setAttribute('aria-expanded', String(!isOpen));
    const details = () => element('td', { colspan: String(columns.length) }, renderDetails(each, data));
    opened ??= element('tr', { class: 'opened' }, details());
    if (isOpen) opened.remove();
    else row.after(opened);
  });
  return row;
}
