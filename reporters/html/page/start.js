/** @import { Case, Data } from './cases.js' */
/** @import { Filter, SortKey } from './filter.js' */
import { readCases } from './cases.js';
import { byId, element } from './elements.js';
import { isFailure, matches, sortCases, toHaystack } from './filter.js';
import { chooseColumns, nameState, renderHead, renderRow } from './table.js';

/** Rows that are drawn at once: thousands would keep the page from opening. */
const SLICE = 100;

/** @type {Data} */
const data = JSON.parse(byId('data').textContent ?? '');
const cases = readCases(data);
const columns = chooseColumns(cases);
/** @type {Filter} */
const filter = { text: '', suite: '', agent: '', group: '', state: '', rules: '' };
/** @type {{ key: SortKey, descending: boolean }} */
let sorting = { key: 'order', descending: false };

/** @type {Map<Case, string>} */
const haystacks = new Map();

/** @param {Case} each */
function haystack(each) {
  const known = haystacks.get(each) ?? toHaystack(each);
  haystacks.set(each, known);
  return known;
}

const form = byId('filters');
form.append(
  makeField(
    'Search',
    'text',
    element('input', { type: 'search', placeholder: 'id, question, answer, output', autocomplete: 'off' }),
  ),
  ...makeChoices('State', 'state', [
    ...(cases.some(({ state }) => isFailure(state))
      ? [/** @type {[string, string]} */ (['failed', 'any failure'])]
      : []),
    ...distinct('state').map((state) => /** @type {[string, string]} */ ([state, nameState(state)])),
  ]),
  ...makeChoices('Group', 'group', distinct('group').map(asChoice)),
  ...makeChoices('Suite', 'suite', distinct('suite').map(asChoice)),
  ...makeChoices('Agent', 'agent', distinct('agent').map(asChoice)),
  ...makeChoices(
    'Rules',
    'rules',
    data.rules.length === 0
      ? []
      : [
          ['accepted on answer', 'wrong, but a looser rule accepts the answer'],
          ['accepted on output', 'wrong, but a looser rule accepts the output'],
          ['rejected', 'right, but another rule rejects the answer'],
        ],
  ),
);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
draw();

/** @param {'state' | 'group' | 'suite' | 'agent'} key */
function distinct(key) {
  return [...new Set(cases.map((each) => each[key]))].sort(new Intl.Collator('en', { numeric: true }).compare);
}

/**
 * @param {string} value
 * @returns {[string, string]}
 */
function asChoice(value) {
  return [value, value];
}

/**
 * A list to choose from; nothing where there is no choice.
 * @param {string} name
 * @param {keyof Filter} key
 * @param {[string, string][]} choices
 */
function makeChoices(name, key, choices) {
  if (choices.length < 2) return [];
  const options = choices.map(([value, text]) => element('option', { value }, text));
  return [makeField(name, key, element('select', {}, element('option', { value: '' }, 'all'), ...options))];
}

/**
 * @param {string} name
 * @param {keyof Filter} key
 * @param {HTMLElement} input
 */
function makeField(name, key, input) {
  input.setAttribute('name', key);
  input.addEventListener('input', () => {
    if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) filter[key] = input.value;
    draw();
  });
  return element('label', {}, element('span', {}, name), input);
}

function draw() {
  const found = cases.filter((each) => matches(each, filter, { haystack, ruleCount: data.rules.length }));
  const sorted = sortCases(found, sorting.key, sorting.descending);
  const failed = found.filter(({ state }) => isFailure(state)).length;
  byId('count').textContent = `${found.length} of ${cases.length} cases, ${failed} of them failed`;
  const body = element('tbody');
  const caption = element('caption', {}, 'Cases; press an id for its details');
  const table = element('table', { class: 'cases' }, caption, renderHead(columns, sorting, sortBy), body);
  byId('table').replaceChildren(element('div', { class: 'scroll' }, table), ...drawSlice(sorted, 0, body));
}

/**
 * Adds the next rows; gives the button for the ones after them.
 * @param {readonly Case[]} sorted
 * @param {number} from
 * @param {HTMLElement} body
 */
function drawSlice(sorted, from, body) {
  const rows = sorted.slice(from, from + SLICE).map((each) => renderRow(each, columns, data.rules));
  body.append(...rows);
  const left = sorted.length - from - rows.length;
  if (left <= 0) return [];
  const more = element('button', { type: 'button', class: 'more' }, `Show ${Math.min(SLICE, left)} more of ${left}`);
  more.addEventListener('click', () => {
    const next = drawSlice(sorted, from + SLICE, body);
    more.replaceWith(...next);
    const opener = body.children[body.children.length - Math.min(SLICE, left)]?.querySelector('button');
    opener?.focus();
  });
  return [more];
}

/** @param {SortKey} key */
function sortBy(key) {
  const again = sorting.key === key;
  sorting = again && sorting.descending ? { key: 'order', descending: false } : { key, descending: again };
  draw();
  const heads = [...document.querySelectorAll('.sort')];
  const names = columns.filter((column) => column.key !== null);
  const head = heads[names.findIndex((column) => column.key === key)];
  if (head instanceof HTMLElement) head.focus();
}
