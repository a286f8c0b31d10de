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
function listChoices({ cases, states, scores }) {
  const distinct = (/** @type {'state' | typeof NAMED[number]} */ key) =>
    [...new Set(cases.flatMap((each) => each[key] ?? []))].sort(BY_NUMBERS.compare);
  const stateChoices = distinct('state').map((state) => [state, states[state]?.label ?? state]);
  if (cases.some(({ state }) => states[state]?.fails))
    stateChoices.unshift(['failed', 'any failure']);
  const named = NAMED.map((key) => ({
    key,
    name: `${key[0]?.toUpperCase()}${key.slice(1)}`,
    choices: [...distinct(key), ...(key === 'group' ? listFurther(cases) : [])].map((value) => [
      value,
    ]),
  }));
  return [
    { key: 'state', name: 'State', choices: stateChoices },
    ...named,
    { key: 'score', name: 'Score', choices: listScoreChoices(cases, scores) },
  ];
}

/**
 * The groups of further groupings, after the name of the grouping as in gates.
 * @param {readonly PageCase[]} cases
 */
function listFurther(cases) {
  const isFirst = (/** @type {string} */ by) =>
    cases.every(({ group, groups }) => groups?.[by] === undefined || groups[by] === group);
  const names = [...new Set(cases.flatMap(({ groups = {} }) => Object.keys(groups)))];
  const further = names.filter((by) => !isFirst(by));
  const groups = cases.flatMap(({ groups = {} }) =>
    further.flatMap((by) => (groups[by] === undefined ? [] : `${by} ${groups[by]}`)),
  );
  return [...new Set(groups)].sort(BY_NUMBERS.compare);
}

/**
 * @param {PageCase} each
 * @param {string} name
 */
function isInGroup({ group, groups = {} }, name) {
  return group === name || Object.entries(groups).some(([by, own]) => `${by} ${own}` === name);
}

/**
 * Of each score the values that some cases have: true, false, or about numbers.
 * @param {readonly PageCase[]} cases
 * @param {readonly string[]} names
 */
function listScoreChoices(cases, names) {
  return names.flatMap((name, index) => {
    const words = new Set(cases.map(({ scores }) => nameScore(scores?.[index])));
    return SCORE_WORDS.filter((word) => words.has(word)).map((word) => [`${name}: ${word}`]);
  });
}

const SCORE_WORDS = ['false', 'below 0.5', '0.5 to 1', '1', 'true', 'no value'];

/** @param {boolean | number | null | undefined} score */
function nameScore(score) {
  if (typeof score !== 'number') return score == null ? 'no value' : String(score);
  return score < 0.5 ? 'below 0.5' : score < 1 ? '0.5 to 1' : '1';
}

/** @param {string[][]} choices */
function makeSelect(choices) {
  const options = [['', 'all'], ...choices].map(([value = '', text = value]) =>
    element('option', { value }, text),
  );
  return element('select', {}, ...options);
}

const VARIANT = /** @type {const} */ (['suite', 'run', 'agent', 'prompt']);
const NAMED = /** @type {const} */ (['group', ...VARIANT]);

/**
 * The cases that match the filters, and a sentence on the texts that the search cannot see.
 * @param {PageData} data
 * @param {Link} filter
 */
export function filterCases(data, filter) {
  const words = (filter.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const unseen = { missing: 0, hidden: 0, cut: 0 };
  const cases = data.cases.filter((each) => {
    if (!matchesChoices(each, data, filter)) return false;
    if (each.textsHidden) unseen.hidden++;
    else if (!each.texts) unseen.missing++;
    else if (each.texts.isCut) unseen.cut++;
    if (words.length === 0) return true;
    const haystack = toHaystack(each);
    return words.every((word) => haystack.includes(word));
  });
  return { cases, unseen: describeUnseen(unseen, words.length > 0) };
}

/**
 * Whether a case matches all filters but the search.
 * @param {PageCase} each
 * @param {PageData} data
 * @param {Link} filter
 */
function matchesChoices(each, { states, scores: names }, filter) {
  const { fails = false } = states[each.state] ?? {};
  if (VARIANT.some((key) => filter[key] && each[key] !== filter[key])) return false;
  if (filter.group && !isInGroup(each, filter.group)) return false;
  if (filter.state && (filter.state === 'failed' ? !fails : each.state !== filter.state))
    return false;
  const hasScore = (/** @type {string} */ name, /** @type {number} */ index) =>
    `${name}: ${nameScore(each.scores?.[index])}` === filter.score;
  return !filter.score || names.some(hasScore);
}

/**
 * '' if the search sees all texts. Without a search, only what the table lacks too.
 * @param {{ missing: number, hidden: number, cut: number }} counts
 * @param {boolean} isSearched
 */
function describeUnseen({ missing, hidden, cut }, isSearched) {
  const parts = [
    missing > 0 && `of ${missing}, left out for want of room`,
    isSearched && hidden > 0 && `of ${hidden}, hidden`,
    isSearched && cut > 0 && `the middle of long texts of ${cut}`,
  ].filter(Boolean);
  return parts.length === 0
    ? ''
    : `. Not in this file and not searched, only in samples.jsonl: texts ${parts.join('; ')}`;
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

const KEYS = /** @type {const} */ ([
  'text',
  'suite',
  'run',
  'agent',
  'prompt',
  'group',
  'state',
  'score',
  'case',
]);

/**
 * What the address names after its "#": the filters and the open case.
 * @typedef {{ readonly [key in typeof KEYS[number]]?: string }} Link
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
  const named = KEYS.flatMap((key) => (link[key] ? [[key, link[key]]] : []));
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
