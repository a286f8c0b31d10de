/** @import { PageCase, PageData, Texts } from './data.ts' */
/** @import { NameOf } from './filter.js' */

import { formatDollars, formatLatency, formatScoreValue } from '../../../src/words/amounts.js';
import { block, element, titled, toLine, toVisible } from './elements.js';
import { renderSiblings } from './siblings.js';

/**
 * Everything that is known about a case.
 * @param {PageCase} each
 * @param {PageData} data
 * @param {NameOf} nameOf
 */
export function renderDetails(each, data, nameOf) {
  const { states, scores } = data;
  const { label = each.state } = states[each.state] ?? {};
  return element(
    'div',
    { class: 'details' },
    ...renderTexts(each),
    renderFacts(each, label),
    ...renderScores(each, scores),
    ...renderSiblings(each, data, nameOf),
    ...renderTrace(each),
  );
}

/** @param {PageCase} each */
function renderTexts({ textsHidden, texts, verdict }) {
  if (textsHidden) return [element('p', {}, 'Question, expected answer and answer are hidden.')];
  if (texts === undefined)
    return [element('p', {}, 'The texts are too long for this file. samples.jsonl has them.')];
  return [
    ...block('Question', texts.question),
    ...renderOptions(texts.options, verdict),
    ...block('Files', texts.files.join('\n')),
    element(
      'div',
      { class: 'pair' },
      ...block('Expected', verdict?.expected ?? 'not known'),
      ...block('Received', verdict?.received ?? 'no answer'),
    ),
    ...block('Why', texts.why),
    ...(texts.judges ?? []).flatMap(renderJudges),
    ...block('Output', texts.output),
  ];
}

/** @param {NonNullable<Texts['judges']>[number]} judges */
function renderJudges({ score, criterion, verdicts }) {
  const items = verdicts.map(([judge, verdict, reason]) => {
    return element(
      'li',
      {},
      element('b', {}, `${toLine(judge, 200)}: ${verdict.replace('_', ' ')}`),
      ` ${toVisible(reason)}`,
    );
  });
  const title = score === undefined ? 'Criterion' : `Criterion of ${toLine(score, 80)}`;
  return [...block(title, criterion), titled('Judges', element('ul', {}, ...items))];
}

/**
 * The options. The right and the chosen ones are marked by words too, because not everybody sees a
 * colour.
 * @param {Texts['options']} options
 * @param {PageCase['verdict']} verdict
 */
function renderOptions(options, verdict) {
  if (options.length === 0) return [];
  const items = options.map(([label, text]) => {
    const marks = [
      ...(verdict?.expected?.split(',').includes(label) ? ['right'] : []),
      ...(verdict?.received?.split(',').includes(label) ? ['chosen'] : []),
    ];
    const name = element('b', {}, toLine(label, 40));
    const note = element('i', {}, marks.length === 0 ? '' : ` (${marks.join(', ')})`);
    return element('li', { class: marks.join(' ') }, name, ` ${toVisible(text)}`, note);
  });
  return [titled('Options', element('ul', { class: 'options' }, ...items))];
}

/**
 * @param {PageCase} each
 * @param {string} state
 */
function renderFacts(each, state) {
  const { reason, trial, latency, tokens, cost, steps, texts } = each;
  /** @type {[string, string | number | undefined][]} */
  const facts = [
    ['Suite', `${each.suite} \u00b7 ${each.dataset}`],
    ['Run', each.run],
    ['Agent', each.agent],
    ['Prompt', each.prompt],
    ['Model', each.model],
    ['Trial', trial],
    ['State', reason === undefined ? state : `${state} (${reason})`],
    ...Object.entries(each.groups ?? {}),
    ['Status', texts?.status],
    ['Answer found by', texts?.how],
    ['Accepted by the rules', texts?.rules],
    ['Confidence', texts?.confidence],
    ['Latency', latency === undefined ? undefined : formatLatency(latency)],
    ['Tokens', tokens === undefined ? undefined : `${tokens[0]} in, ${tokens[1]} out`],
    ['Cost', cost === undefined ? undefined : formatDollars(cost)],
    ['Steps', steps],
    ['Cached', each.cached ? 'yes' : undefined],
  ];
  const pairs = facts.flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [
      element(
        'div',
        {},
        element('dt', {}, toLine(name, 80)),
        element('dd', {}, toLine(String(value), 200)),
      ),
    ];
  });
  return element('dl', { class: 'facts' }, ...pairs);
}

/**
 * @param {PageCase} each
 * @param {readonly string[]} names
 */
function renderScores({ scores }, names) {
  if (!scores?.some((score) => score !== null)) return [];
  const pairs = names.map((name, index) => {
    const score = scores[index] ?? null;
    const kind = score === true ? 'good' : score === false ? 'bad' : '';
    const value = element('dd', { class: kind }, formatScoreValue(score));
    return element('div', {}, element('dt', {}, toLine(name, 80)), value);
  });
  return [titled('Scores', element('dl', {}, ...pairs))];
}

/** @param {PageCase} each */
function renderTrace({ trace, conversation }) {
  if (trace === undefined) return [];
  if (conversation === undefined)
    return [element('p', {}, element('a', { href: trace }, `Trace: ${trace}`))];
  return [
    titled(
      'Conversation',
      element('ol', { class: 'conversation' }, ...conversation.map(renderTurn)),
    ),
  ];
}

/** @param {NonNullable<PageCase['conversation']>[number]} turn */
function renderTurn({ who, does, text, note }) {
  const name = element('b', {}, toLine(does === undefined ? who : `${who} ${does}`, 100));
  const head = element(
    'p',
    {},
    name,
    ' ',
    element('small', {}, note === undefined ? '' : toLine(note, 100)),
  );
  const speaker = ['system', 'user', 'model'].includes(who) ? who : 'tool';
  return element('li', { class: speaker }, head, element('pre', { dir: 'auto' }, toVisible(text)));
}
