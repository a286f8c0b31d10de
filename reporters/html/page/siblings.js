/** @import { PageCase, PageData } from './data.ts' */
import { element, toLine, toVisible } from './elements.js';
import { formatScore } from './format.js';

/** More would make a case slow to open. */
const MOST = 40;

/**
 * The same question asked of other agents, with other prompts, in other trials or runs: state,
 * scores and output of each, with the lines that differ from the opened case.
 * @param {PageCase} each
 * @param {PageData} data
 * @param {ReadonlyMap<PageCase, string>} names
 */
export function renderSiblings(each, { cases, states, scores: keys }, names) {
  const { id, suite, dataset } = each;
  const others = cases.filter(
    (one) => one !== each && one.id === id && one.suite === suite && one.dataset === dataset,
  );
  if (others.length === 0) return [];
  const shown = others.slice(0, MOST).map((one) => {
    const name = names.get(one) ?? id;
    const href = `#${new URLSearchParams({ case: name })}`;
    const scores = keys.map(
      (key, index) => `${toLine(key, 80)} ${formatScore(one.scores?.[index])}`,
    );
    const facts = [states[one.state]?.label ?? one.state, ...(one.scores ? scores : [])].join(', ');
    const head = element('h4', {}, element('a', { href }, toLine(name, 200)), `: ${facts}`);
    return element('div', {}, head, renderOutput(each, one));
  });
  const left = others.length - shown.length;
  const more = left > 0 ? ` (${MOST} of ${others.length})` : '';
  const title = `Other answers to this question${more}. Lines with - are of the opened case alone, with + of the other one.`;
  return [element('p', {}, title), element('div', { class: 'pair' }, ...shown)];
}

/**
 * @param {PageCase} opened
 * @param {PageCase} other
 */
function renderOutput(opened, other) {
  if (other.textsHidden) return element('p', {}, 'Its output is hidden.');
  if (!other.texts) return element('p', {}, 'Its output is too long for this file.');
  const [before, after] = [opened, other].map(({ texts }) => (texts?.output ?? '').split('\n'));
  const lines = diffLines(before ?? [], after ?? []).map(([mark, line]) => {
    const text = `${mark} ${toVisible(line)}\n`;
    return mark === ' ' ? text : element(mark === '+' ? 'ins' : 'del', {}, text);
  });
  return element('pre', { dir: 'auto' }, ...lines);
}

/** The lines of texts that are longer are all marked: the table of matches would be large. */
const MOST_LINES = 500;

/**
 * The lines of two texts in their order: those of both, of the first alone and of the second alone.
 * @param {readonly string[]} a
 * @param {readonly string[]} b
 * @returns {[mark: ' ' | '-' | '+', line: string][]}
 */
function diffLines(a, b) {
  const isLong = a.length > MOST_LINES || b.length > MOST_LINES;
  // The longest common part of what begins at each pair of lines.
  const common = a.map(() => new Uint16Array(b.length + 1));
  common.push(new Uint16Array(b.length + 1));
  const at = (/** @type {number} */ i, /** @type {number} */ j) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0 && !isLong; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i] ?? [];
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  /** @type {ReturnType<typeof diffLines>} */
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (!isLong && i < a.length && a[i] === b[j]) {
      lines.push([' ', a[i++] ?? '']);
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(['-', a[i++] ?? '']);
    else lines.push(['+', b[j++] ?? '']);
  }
  return lines;
}
