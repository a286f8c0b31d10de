/** @import { PageCase, PageData } from './data.ts' */
import { element } from './elements.js';

/** @typedef {Exclude<keyof Link, 'case'>} FilterKey */

/** @typedef {'order' | keyof PageCase | `score-${number}`} SortKey */

const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

/**
 * The fields of the form that filters the cases. `onInput` is called with each new value, `onDone`
 * when it is complete.
 * @param {PageData} data
 * @param {{ onInput: (key: FilterKey, value: string) => void, onDone: () => void }} handlers
 */
export function makeFields(data, { onInput, onDone }) {
  const placeholder = 'id or any text';
  const search = element('input', { type: 'search', placeholder, autocomplete: 'off' });
  const selects = listChoices(data)
    .filter(({ choices }) => choices.length > 1)
    .map(({ key, name, choices }) => ({ key, name, input: makeSelect(choices) }));
  return [{ key: TEXT, name: 'Search', input: search }, ...selects].map(({ key, name, input }) => {
    input.setAttribute('name', key);
    input.addEventListener('input', () => onInput(key, input.value));
    input.addEventListener('change', onDone);
    return element('label', {}, element('span', {}, name), input);
  });
}

/** @type {FilterKey} */
const TEXT = 'text';

/**
 * The lists of choices. A choice is a value, and a text if it shows another.
 * @param {PageData} data
 * @returns {{ key: FilterKey, name: string, choices: string[][] }[]}
 */
function listChoices({ cases, states, rules }) {
  const distinct = (/** @type {'state' | typeof VARIANT[number]} */ key) =>
    toChoices(cases.flatMap((each) => each[key] ?? []));
  const stateChoices = distinct('state').map(([state = '']) => [
    state,
    states[state]?.label ?? state,
  ]);
  if (cases.some(({ state }) => states[state]?.fails))
    stateChoices.unshift(['failed', 'any failure']);
  const named = VARIANT.map((key) => {
    return { key, name: `${key[0]?.toUpperCase()}${key.slice(1)}`, choices: distinct(key) };
  });
  return [
    { key: 'state', name: 'State', choices: stateChoices },
    { key: 'group', name: 'Group', choices: toChoices(cases.flatMap(listGroups)) },
    ...named,
    { key: 'rules', name: 'Rules', choices: rules.length === 0 ? [] : RULES },
  ];
}

/** @param {readonly string[]} values */
function toChoices(values) {
  return [...new Set(values)].sort(BY_NUMBERS.compare).map((value) => [value]);
}

/**
 * The groups of a case, those of further groupings behind the name of theirs as in gates.
 * @param {PageCase} each
 */
function listGroups({ group, groups = {} }) {
  const further = Object.entries(groups).filter(([, own]) => own !== group);
  return [group, ...further.map(([by, own]) => `${by} ${own}`)];
}

/** @param {string[][]} choices */
function makeSelect(choices) {
  const options = [['', 'all'], ...choices].map(([value = '', text = value]) =>
    element('option', { value }, text),
  );
  return element('select', {}, ...options);
}

const VARIANT = /** @type {const} */ (['suite', 'run', 'agent', 'prompt']);

const RULES = [
  ['accepted on answer', 'wrong, but a looser rule accepts the answer'],
  ['accepted on output', 'wrong, but a looser rule accepts the output'],
  ['rejected', 'right, but another rule rejects the answer'],
];

/**
 * The cases that match the filters, and a sentence on the texts that the search cannot see.
 * @param {PageData} data
 * @param {Link} filter
 */
export function filterCases(data, filter) {
  const words = (filter.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  let unseen = 0;
  const cases = data.cases.filter((each) => {
    if (!matchesChoices(each, data, filter)) return false;
    if (words.length === 0) return true;
    if (!each.texts || each.texts.isCut) unseen++;
    const haystack = toHaystack(each);
    return words.every((word) => haystack.includes(word));
  });
  const note = `. Not all texts of ${unseen} are in this file and searched: samples.jsonl has them`;
  return { cases, unseen: unseen === 0 ? '' : note };
}

/**
 * Whether a case matches all filters but the search.
 * @param {PageCase} each
 * @param {PageData} data
 * @param {Link} filter
 */
function matchesChoices(each, { states, rules }, filter) {
  const { fails = false, correct = false } = states[each.state] ?? {};
  if (VARIANT.some((key) => filter[key] && each[key] !== filter[key])) return false;
  if (filter.group && !listGroups(each).includes(filter.group)) return false;
  if (filter.state && (filter.state === 'failed' ? !fails : each.state !== filter.state))
    return false;
  return !filter.rules || matchesRules(each, filter.rules, correct, rules.length);
}

/**
 * @param {PageCase} each
 * @param {string} wanted
 * @param {boolean} correct
 * @param {number} count of the rules
 */
function matchesRules({ onAnswer, onOutput }, wanted, correct, count) {
  if (onAnswer === undefined || onOutput === undefined) return false;
  if (wanted === 'accepted on answer') return !correct && onAnswer !== 0;
  if (wanted === 'accepted on output') return !correct && onOutput !== 0;
  // A bit for each rule: all bits are 1 if every rule accepts.
  return correct && onAnswer !== 2 ** count - 1;
}

/**
 * The searchable text of a case.
 * @param {PageCase} each
 */
function toHaystack({ id, reason, verdict, texts }) {
  const question = texts?.question ?? verdict?.question;
  const parts = [
    id,
    reason,
    verdict?.expected,
    verdict?.received,
    question,
    texts?.output,
    texts?.why,
  ];
  return parts.join('\n').toLowerCase();
}

/**
 * The cases, sorted. Cases without a value come last in both directions.
 * @param {readonly PageCase[]} cases
 * @param {SortKey} key
 * @param {boolean} descending
 */
export function sortCases(cases, key, descending) {
  if (key === 'order') return cases;
  const direction = descending ? -1 : 1;
  return cases.toSorted((a, b) => {
    const [left, right] = [readValue(a, key), readValue(b, key)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    if (typeof left === 'number' && typeof right === 'number') return direction * (left - right);
    return direction * BY_NUMBERS.compare(String(left), String(right));
  });
}

/**
 * What a column is sorted by: true comes after false.
 * @param {PageCase} each
 * @param {Exclude<SortKey, 'order'>} key
 */
export function readValue(each, key) {
  if (!isScoreKey(key)) return each[key];
  const score = each.scores?.[Number(key.slice(6))];
  return typeof score === 'boolean' ? Number(score) : (score ?? undefined);
}

/** @param {number} index @returns {`score-${number}`} */
export function toScoreKey(index) {
  return `score-${index}`;
}

/** @param {string} key @returns {key is `score-${number}`} */
function isScoreKey(key) {
  return key.startsWith('score-');
}

/**
 * What the address names after its "#": the filters and the open case.
 * @typedef {{ readonly [key in 'text' | 'rules' | 'case' | 'state' | 'group' | typeof VARIANT[number]]?: string }} Link
 */

/** @returns {Link} */
export function readLink() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/**
 * Writes a link into the address: as a new entry of the history, or in place of the current one.
 * @param {Link} link
 * @param {'pushState' | 'replaceState'} write
 */
export function writeLink(link, write) {
  const named = Object.entries(link).filter(([, value]) => value);
  history[write](null, '', `#${new URLSearchParams(named)}`);
}

/**
 * The name of each case in links, as its test is titled: its id and, where there are several,
 * suite, run, agent, prompt and trial.
 * @param {readonly PageCase[]} cases
 * @returns {NameOf}
 */
export function nameCases(cases) {
  const differs = (/** @type {typeof VARIANT[number]} */ key) =>
    cases.some((each) => each[key] !== cases[0]?.[key]);
  const keys = VARIANT.filter(differs);
  return (each) => {
    const trial = each.trial !== undefined && `trial ${each.trial}`;
    return [each.id, ...keys.map((key) => each[key]), trial].filter(Boolean).join(' | ');
  };
}

/** @typedef {(each: PageCase) => string} NameOf */
