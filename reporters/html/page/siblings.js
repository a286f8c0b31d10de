/** @import { PageCase, PageData } from './data.ts' */
/** @import { NameOf } from './filter.js' */

import { formatScoreValue } from '../../../src/words/amounts.js';
import { element, toLine, toVisible } from './elements.js';

/** More would make a case slow to open. */
const MOST = 40;

/**
 * The same question asked of other agents, with other prompts, in other trials or runs: state,
 * scores and output of each, in which lines that the opened case lacks are marked.
 * @param {PageCase} each
 * @param {PageData} data
 * @param {NameOf} nameOf
 */
export function renderSiblings(each, { cases, states, scores: keys }, nameOf) {
  const { id, suite, dataset } = each;
  const others = cases.filter(
    (one) => one !== each && one.id === id && one.suite === suite && one.dataset === dataset,
  );
  if (others.length === 0) return [];
  const shown = others.slice(0, MOST).map((one) => {
    const name = nameOf(one);
    const href = `#${new URLSearchParams({ case: name })}`;
    const scores = keys.map(
      (key, index) => `${toLine(key, 80)} ${formatScoreValue(one.scores?.[index])}`,
    );
    const facts = [states[one.state]?.label ?? one.state, ...(one.scores ? scores : [])].join(', ');
    const head = element('h4', {}, element('a', { href }, toLine(name, 200)), `: ${facts}`);
    return element('div', {}, head, renderOutput(each, one));
  });
  const left = others.length - shown.length;
  const more = left > 0 ? ` (${MOST} of ${others.length})` : '';
  const title = `Other answers to this question${more}. Lines with + are not in the opened case.`;
  return [element('p', {}, title), element('div', { class: 'pair' }, ...shown)];
}

/**
 * @param {PageCase} opened
 * @param {PageCase} other
 */
function renderOutput(opened, other) {
  if (other.textsHidden) return element('p', {}, 'Its output is hidden.');
  if (!other.texts) return element('p', {}, 'Its output is too long for this file.');
  const known = new Set(toLines(opened));
  const lines = toLines(other).map((line) => {
    const text = `${toVisible(line)}\n`;
    return known.has(line) ? `  ${text}` : element('ins', {}, `+ ${text}`);
  });
  return element('pre', { dir: 'auto' }, ...lines);
}

/** @param {PageCase} each */
function toLines({ texts }) {
  return (texts?.output ?? '').split('\n');
}
