/** @import { Case } from './cases.js' */

/**
 * What is looked for; an empty text looks for nothing in particular.
 * @typedef {{ text: string, suite: string, agent: string, group: string, state: string, rules: string }} Filter
 */

/** @typedef {'order' | 'id' | 'suite' | 'agent' | 'group' | 'state' | 'latency' | 'cost'} SortKey */

/**
 * Whether a case is among those looked for.
 * @param {Case} each
 * @param {Filter} filter
 * @param {{ haystack: (each: Case) => string, ruleCount: number }} facts
 */
export function matches(each, filter, { haystack, ruleCount }) {
  if (filter.suite !== '' && each.suite !== filter.suite) return false;
  if (filter.agent !== '' && each.agent !== filter.agent) return false;
  if (filter.group !== '' && each.group !== filter.group) return false;
  if (filter.state === 'failed' ? !isFailure(each.state) : filter.state !== '' && each.state !== filter.state)
    return false;
  if (!matchesRules(each, filter.rules, ruleCount)) return false;
  const wanted = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.length === 0 || wanted.every((word) => haystack(each).includes(word));
}

/** @param {string} state */
export function isFailure(state) {
  return state === 'incorrect' || state === 'no_answer' || state === 'timed_out' || state === 'errored';
}

/**
 * @param {Case} each
 * @param {string} rules
 * @param {number} ruleCount
 */
function matchesRules({ state, onAnswer, onOutput }, rules, ruleCount) {
  if (rules === '') return true;
  if (onAnswer === null || onOutput === null) return false;
  if (rules === 'accepted on answer') return state !== 'correct' && onAnswer !== 0;
  if (rules === 'accepted on output') return state !== 'correct' && onOutput !== 0;
  // A bit for each rule: where every rule accepts, nothing but ones.
  return state === 'correct' && onAnswer !== 2 ** ruleCount - 1;
}

/**
 * A text in which the words of a case are found.
 * @param {Case} each
 */
export function toHaystack({ id, question, expected, received, output, why, reason }) {
  return [id, question?.[0], expected, received, output, why, reason]
    .filter((part) => typeof part === 'string')
    .join('\n')
    .toLowerCase();
}

/**
 * The cases in another order; what has no value comes last, whatever the direction.
 * @param {readonly Case[]} cases
 * @param {SortKey} key
 * @param {boolean} descending
 */
export function sortCases(cases, key, descending) {
  if (key === 'order') return descending ? cases.toReversed() : cases;
  const direction = descending ? -1 : 1;
  return cases.toSorted((a, b) => {
    const [left, right] = [a[key], b[key]];
    if (left === null || right === null) return left === right ? a.index - b.index : left === null ? 1 : -1;
    const order =
      typeof left === 'number' && typeof right === 'number' ? left - right : ORDER.compare(String(left), String(right));
    return order === 0 ? a.index - b.index : direction * order;
  });
}

const ORDER = new Intl.Collator('en', { numeric: true });
