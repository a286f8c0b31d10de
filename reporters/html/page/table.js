/** @import { Case } from './cases.js' */
/** @import { SortKey } from './filter.js' */
import { renderDetails } from './details.js';
import { element } from './elements.js';
import { formatCost, formatLatency, toLine } from './visible.js';

/** @typedef {{ key: SortKey | null, name: string, cell: (each: Case) => string, kind?: string }} Column */

/** @param {string} state */
export function nameState(state) {
  return state.replaceAll('_', ' ');
}

/**
 * The columns that tell the cases of this run apart.
 * @param {readonly Case[]} cases
 * @returns {Column[]}
 */
export function chooseColumns(cases) {
  const several = (/** @type {'suite' | 'agent'} */ key) => new Set(cases.map((each) => each[key])).size > 1;
  const trials = cases.some(({ trial }) => trial > 1);
  return [
    { key: 'id', name: 'Id', cell: ({ id, trial }) => toLine(trials ? `${id} · trial ${trial}` : id, 60) },
    ...(several('suite')
      ? [{ key: /** @type {const} */ ('suite'), name: 'Suite', cell: (/** @type {Case} */ each) => each.suite }]
      : []),
    { key: 'group', name: 'Group', cell: ({ group }) => toLine(group, 40) },
    ...(several('agent')
      ? [
          {
            key: /** @type {const} */ ('agent'),
            name: 'Agent',
            cell: (/** @type {Case} */ each) => toLine(each.agent, 40),
          },
        ]
      : []),
    {
      key: 'state',
      name: 'State',
      cell: ({ state, reason }) => (reason === '' ? nameState(state) : `${nameState(state)}: ${toLine(reason, 30)}`),
      kind: 'state',
    },
    {
      key: null,
      name: 'Expected',
      cell: ({ expected }) => (expected === null ? '-' : toLine(expected, 60)),
      kind: 'text',
    },
    {
      key: null,
      name: 'Received',
      cell: ({ received }) => (received === null ? '-' : toLine(received, 60)),
      kind: 'text',
    },
    {
      key: 'latency',
      name: 'Latency',
      cell: ({ latency }) => (latency === null ? '-' : formatLatency(latency)),
      kind: 'number',
    },
    ...(cases.some(({ cost }) => cost !== null)
      ? [
          {
            key: /** @type {const} */ ('cost'),
            name: 'Cost',
            cell: (/** @type {Case} */ each) => (each.cost === null ? '-' : formatCost(each.cost)),
            kind: 'number',
          },
        ]
      : []),
  ];
}

/**
 * The head of the table; a press on a name sorts by it.
 * @param {readonly Column[]} columns
 * @param {{ key: SortKey, descending: boolean }} sorting
 * @param {(key: SortKey) => void} onSort
 */
export function renderHead(columns, sorting, onSort) {
  const cells = columns.map(({ key, name, kind = '' }) => {
    if (key === null) return element('th', { scope: 'col', class: kind }, name);
    const sorted = sorting.key === key;
    const button = element(
      'button',
      { type: 'button', class: 'sort' },
      name,
      sorted ? (sorting.descending ? ' \u25be' : ' \u25b4') : '',
    );
    button.addEventListener('click', () => onSort(key));
    return element(
      'th',
      { scope: 'col', class: kind, 'aria-sort': sorted ? (sorting.descending ? 'descending' : 'ascending') : 'none' },
      button,
    );
  });
  return element('thead', {}, element('tr', {}, ...cells));
}

/**
 * The row of a case; its button opens and closes the row below, which is made when it is first opened.
 * @param {Case} each
 * @param {readonly Column[]} columns
 * @param {readonly string[]} rules
 */
export function renderRow(each, columns, rules) {
  const [first, ...others] = columns;
  const name = first?.cell(each) ?? each.id;
  const opener = element('button', { type: 'button', class: 'open', 'aria-expanded': 'false' }, name);
  const row = element(
    'tr',
    { class: `case ${/^\w+$/.test(each.state) ? each.state : ''}` },
    element('th', { scope: 'row' }, opener),
    ...others.map(({ cell, kind = '' }) =>
      element('td', { class: kind, dir: kind === 'text' ? 'auto' : 'ltr' }, cell(each)),
    ),
  );
  /** @type {HTMLElement | null} */
  let opened = null;
  opener.addEventListener('click', () => {
    const isOpen = opener.getAttribute('aria-expanded') === 'true';
    opener.setAttribute('aria-expanded', String(!isOpen));
    if (opened === null) {
      opened = element(
        'tr',
        { class: 'opened', id: `case-${each.index}` },
        element('td', { colspan: String(columns.length) }, renderDetails(each, rules)),
      );
      opener.setAttribute('aria-controls', opened.id);
    }
    if (isOpen) opened.remove();
    else row.after(opened);
  });
  return row;
}
