/** @import { Case } from './cases.js' */
import { element } from './elements.js';
import { formatCost, formatLatency, toLine, toVisible } from './visible.js';

/**
 * Everything that is known of a case.
 * @param {Case} each
 * @param {readonly string[]} rules
 */
export function renderDetails(each, rules) {
  const parts = [
    ...(each.hidden ? [element('p', {}, 'Question, truth and answer are hidden.')] : renderTexts(each)),
    ...renderRules(each, rules),
    renderFacts(each),
    ...renderTrace(each),
  ];
  return element('div', { class: 'details' }, ...parts);
}

/** @param {Case} each */
function renderTexts(each) {
  const [text, options, files] = each.question ?? [null, [], []];
  return [
    ...block('Question', text),
    ...(options.length === 0 ? [] : [renderOptions(options, each)]),
    ...(files.length === 0 ? [] : block('Files', files.join('\n'))),
    element(
      'div',
      { class: 'pair' },
      ...block('Expected', each.expected ?? 'The truth is not known.'),
      ...block('Received', each.received ?? 'no answer', each.received === null ? 'none' : ''),
    ),
    ...block('Why', each.why === '' ? null : each.why),
    ...block('Output', each.output),
  ];
}

/**
 * A titled text; nothing without a text.
 * @param {string} title
 * @param {string | null} text
 * @param {string} [kind]
 */
function block(title, text, kind = '') {
  if (text === null) return [];
  return [
    element(
      'div',
      { class: `block ${kind}` },
      element('h4', {}, title),
      element('pre', { dir: 'auto' }, toVisible(text)),
    ),
  ];
}

/**
 * The options, with words at the right and the chosen ones: a colour alone would not say it to everybody.
 * @param {readonly [string, string][]} options
 * @param {Case} each
 */
function renderOptions(options, { expected, received }) {
  const isIn = (/** @type {string | null} */ labels, /** @type {string} */ label) =>
    labels?.split(',').includes(label) === true;
  const items = options.map(([label, text]) => {
    const marks = [...(isIn(expected, label) ? ['right'] : []), ...(isIn(received, label) ? ['chosen'] : [])];
    const note = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
    return element(
      'li',
      { class: marks.join(' ') },
      element('b', {}, toLine(label, 40)),
      ` ${toVisible(text)}`,
      element('i', {}, note),
    );
  });
  return element(
    'div',
    { class: 'block' },
    element('h4', {}, 'Options'),
    element('ul', { class: 'options' }, ...items),
  );
}

/**
 * What each rule says of the answer and of the whole output.
 * @param {Case} each
 * @param {readonly string[]} rules
 */
function renderRules({ onAnswer, onOutput, state }, rules) {
  if (onAnswer === null || onOutput === null) return [];
  const official = state === 'correct';
  const cell = (/** @type {number} */ bits, /** @type {number} */ index, /** @type {boolean} */ isOutput) => {
    // An embedding of a whole output says nothing of its answer.
    if (isOutput && rules[index]?.startsWith('semantic')) return element('td', {}, 'not applied');
    const accepts = Math.floor(bits / 2 ** index) % 2 === 1;
    return element('td', { class: accepts === official ? '' : 'differs' }, accepts ? 'right' : 'wrong');
  };
  const head = element(
    'tr',
    {},
    ...['rule', 'extracted answer', 'whole output'].map((name) => element('th', { scope: 'col' }, name)),
  );
  const rows = rules.map((rule, index) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, toLine(rule, 60)),
      cell(onAnswer, index, false),
      cell(onOutput, index, true),
    ),
  );
  const table = element(
    'table',
    {},
    element('caption', {}, 'Verdict of each rule'),
    element('thead', {}, head),
    element('tbody', {}, ...rows),
  );
  return [table];
}

/** @param {Case} each */
function renderFacts(each) {
  /** @type {[string, string | null][]} */
  const facts = [
    ['Suite', `${each.suite} · ${each.dataset}`],
    ['Agent', each.agent],
    ['Model', each.model],
    ['Trial', each.trial === 1 ? null : String(each.trial)],
    ['State', each.reason === '' ? each.state : `${each.state} (${each.reason})`],
    ['Status', each.status === null ? null : String(each.status)],
    ['Answer found by', each.how],
    ['Confidence', each.confidence],
    ['Latency', each.latency === null ? null : formatLatency(each.latency)],
    ['Tokens', each.tokens === null ? null : `${each.tokens[0]} in, ${each.tokens[1]} out`],
    ['Cost', each.cost === null ? null : formatCost(each.cost)],
    ['Steps', each.steps === null ? null : String(each.steps)],
    ['From the cache', each.cached ? 'yes' : null],
  ];
  const pairs = facts.flatMap(([name, value]) =>
    value === null || value === ''
      ? []
      : [element('div', {}, element('dt', {}, name), element('dd', {}, toLine(value, 200)))],
  );
  return element('dl', { class: 'facts' }, ...pairs);
}

/** @param {Case} each */
function renderTrace({ trace }) {
  if (trace === null) return [];
  if (typeof trace === 'string') {
    // The name was made by viva: letters, digits, dots and hyphens below traces/.
    const isPlain = /^traces(\/[A-Za-z0-9.-]+)+$/.test(trace);
    return isPlain ? [element('p', {}, element('a', { href: trace }, `Trace: ${trace}`))] : [];
  }
  const steps = trace.map((step, index) => element('li', {}, ...renderStep(step, index)));
  return [
    element(
      'div',
      { class: 'block' },
      element('h4', {}, `Trace, ${trace.length} steps`),
      element('ol', { class: 'trace' }, ...steps),
    ),
  ];
}

/**
 * @param {any} step
 * @param {number} index
 */
function renderStep(step, index) {
  const calls = Array.isArray(step?.tool_calls) ? step.tool_calls : [];
  const parts = [
    ...block('Reasoning', asText(step?.reasoning)),
    ...block('Text', asText(step?.text)),
    ...calls.flatMap((/** @type {any} */ call) => [
      ...block(`Call of ${toLine(String(call?.name), 80)}`, asText(call?.arguments)),
      ...block(call?.failed === true ? 'Failed' : 'Result', asText(call?.result)),
    ]),
  ];
  return parts.length === 0 ? [`Step ${index + 1}: ${toLine(String(step?.stop ?? ''), 80)}`] : parts;
}

/** @param {unknown} value */
function asText(value) {
  return typeof value === 'string' && value !== '' ? value : null;
}
