import { fitDifferences } from './axis.js';
import { AxisMarks, IntervalBar } from './charts.js';
import { int, NONE, plural, points, pValue, scoreDifference, scoreMean } from './format.js';
import { html } from './html.js';
import { TableBox } from './parts.js';

/**
 * @import { PageComparison, PageDifference } from '../data.ts'
 */

/** By viva's rule: the test at 5 %, of several pairs by Holm. @param {{ figures: Readonly<{ p_value: number | null, difference: number | null }>, among_pairs?: PageComparison['among_pairs'] }} pair */
export function judgeDifference({ figures: { p_value, difference }, among_pairs }) {
  const p = among_pairs?.p_value ?? p_value;
  if (p === null || difference === null) return 'not compared';
  if (p >= 0.05) return 'within noise';
  return difference > 0 ? 'better' : 'worse';
}

/** @type {Readonly<Record<string, string>>} */
const TONES = { better: 'up', worse: 'down' };

/** @param {Pick<PageDifference, 'difference' | 'ci95'>} figures */
function tellDifference({ difference, ci95 }) {
  const range = ci95 === null ? '' : `, 95 % interval ${points(ci95[0])} to ${points(ci95[1])}`;
  return `difference ${points(difference)}${range}`;
}

/**
 * Differences of two sides on the same questions, a row for each pair.
 * @param {{ pairs: readonly PageComparison[], caption: string, nameOf: (pair: PageComparison) => unknown }} props
 */
export function PairTable({ pairs, caption, nameOf }) {
  const axis = fitDifferences(pairs.map(({ figures }) => figures.ci95));
  const isSeveral = pairs.some(({ among_pairs }) => among_pairs !== undefined);
  const told = `${caption}${isSeveral ? `. ${SEVERAL}` : ''}`;
  const heads = [
    ['Pair'],
    [html`<${AxisMarks} axis=${axis} isSigned=${true} />Difference in points`, 'bar'],
    ['Difference', 'number'],
    ['p', 'number'],
    ['Fixed / broken', 'number'],
    ['Latency', 'number wide'],
    ['Cost', 'number wide'],
  ];
  return html`<${TableBox} label=${caption} class="pairs" caption=${told} heads=${heads}>
    <tbody>
      ${pairs.map((pair, at) => html`<${PairRow} key=${at} pair=${pair} axis=${axis} name=${nameOf(pair)} />`)}
    </tbody>
  <//>
    <${Preferences} pairs=${pairs} nameOf=${nameOf} />`;
}

/** Whose answers judges prefer; nothing where none were judged in pairs. @param {{ pairs: readonly PageComparison[], nameOf: (pair: PageComparison) => unknown }} props */
function Preferences({ pairs, nameOf }) {
  const judged = pairs.flatMap((pair) => {
    const { preference } = pair;
    return preference === undefined ? [] : [{ ...preference, name: nameOf(pair) }];
  });
  if (judged.length === 0) return null;
  const axis = fitDifferences(judged.map(({ ci95 }) => ci95));
  const heads = [
    ['Preferred'],
    [html`<${AxisMarks} axis=${axis} isSigned=${true} />Wins less losses in points`, 'bar'],
    ['Wins − losses', 'number'],
    ['p', 'number'],
    ['Wins / ties / losses', 'number'],
    ['Not judged', 'number'],
  ];
  const caption = `Which answer ${[...new Set(judged.flatMap(({ models }) => models))].join(', ') || 'a judge'} prefers, asked about each pair in both orders`;
  return html`<${TableBox} label="Preferred answers" class="pairs" caption=${caption} heads=${heads}>
    <tbody>
      ${judged.map((each, at) => {
        const { name, difference, ci95, p_value, among_pairs, questions } = each;
        const verdict = judgeDifference({ figures: each, among_pairs });
        const tone = TONES[verdict] ?? 'flat';
        return html`<tr key=${at}>
          <th scope="row">${name}<small>${plural(questions, 'question')}</small></th>
          <td class="bar"><${IntervalBar} value=${difference} range=${ci95} axis=${axis} tone=${tone} label=${tellDifference(each)} /></td>
          <td class="number"><b>${points(difference)}</b> <span class=${`tag ${tone}`}>${verdict}</span></td>
          <td class="number">${pValue(p_value)}${among_pairs !== undefined && html`<small>${pValue(among_pairs.p_value)} for all</small>`}</td>
          <td class="number">${int(each.wins)} / ${int(each.ties)} / ${int(each.losses)}${each.turned > 0 && html`<small>${int(each.turned)} turned with the order</small>`}</td>
          <td class="number">${int(each.missing + each.no_verdict + each.not_asked)}</td>
        </tr>`;
      })}
    </tbody>
  <//>`;
}

const SEVERAL =
  'With several pairs luck brings one below p = 0.05 more often: p for all counts (Holm), and intervals agree with it.';

/** @param {{ pair: PageComparison, axis: import('./axis.js').Axis, name: unknown }} props */
function PairRow({ pair, axis, name }) {
  const { figures, among_pairs } = pair;
  const { difference, ci95, p_value, flips, latency_ratio, cost_ratio, questions, clusters } =
    figures;
  const partly = tellShifts([pair]);
  const { detectable_drop: drop } = figures;
  const verdict = judgeDifference(pair);
  return html`<tr>
    <th scope="row">${name}<small>${plural(questions, 'question')}${clusters !== undefined && ` in ${plural(clusters, 'cluster')}`}</small></th>
    <td class="bar">
      <${IntervalBar} value=${difference} range=${ci95} axis=${axis} tone=${TONES[verdict] ?? 'flat'} label=${tellDifference(figures)} />
    </td>
    <td class="number"><b>${points(difference)}</b> <span class=${`tag ${TONES[verdict] ?? ''}`}>${verdict}</span>${drop !== null && html`<small title="With 80 % power, by a test at 5 %">finds drops from ${points(drop).slice(1)}</small>`}</td>
    <td class="number">${pValue(p_value)}${among_pairs !== undefined && html`<small>${pValue(among_pairs.p_value)} for all</small>`}</td>
    <td class="number">${int(flips.fixed.length)} / ${int(flips.broken.length)}${partly !== '' && html`<small>${partly}</small>`}</td>
    <td class="number wide">${ratio(latency_ratio)}</td>
    <td class="number wide">${ratio(cost_ratio)}</td>
  </tr>`;
}

/** How many questions changed in some trials only; nothing for none. @param {readonly PageComparison[]} pairs */
export function tellShifts(pairs) {
  const better = pairs.flatMap(({ figures }) => figures.shifts.improved).length;
  const worse = pairs.flatMap(({ figures }) => figures.shifts.worsened).length;
  return better + worse > 0 ? `${int(better)} better and ${int(worse)} worse in some trials` : '';
}

/** @param {number | null} value */
function ratio(value) {
  return value === null ? NONE : `× ${value.toFixed(2)}`;
}

/**
 * What is known of pairs besides: how prompts differ and what else does, once for all pairs of which it
 * is true, and the groups and scores of each.
 * @param {{ pairs: readonly PageComparison[], nameOf: (pair: PageComparison) => string }} props
 */
export function PairDetails({ pairs, nameOf }) {
  const isSeveral = pairs.length > 1;
  const diffs = group(pairs.flatMap((pair) => pair.prompt_diff?.join('\n') ?? []));
  const facts = group(
    pairs.flatMap(({ facts: own, prompt_diff: diff }) =>
      own.flatMap(({ name, text }) => (name === PROMPTS && diff !== undefined ? [] : text)),
    ),
  );
  return html`${[...diffs].map(
    ([text, same]) =>
      html`<${PromptDiff} key=${text} title=${`How the prompts differ${
        isSeveral && same < pairs.length
          ? `: ${pairs
              .filter((pair) => pair.prompt_diff?.join('\n') === text)
              .map(nameOf)
              .join(', ')}`
          : ''
      }`} lines=${text.split('\n')} />`,
  )}
    ${pairs.map((pair, at) => html`<${Parts} key=${at} pair=${pair} title=${isSeveral ? `${nameOf(pair)}: by group and score` : 'By group and score'} />`)}
    ${[...facts].map(([text, same]) => html`<p key=${text} class="note">${same < pairs.length && `${nameOf(/** @type {PageComparison} */ (pairs.find((pair) => pair.facts.some((fact) => fact.text === text))))}: `}${text}</p>`)}`;
}

/** How often each text occurs. @param {readonly string[]} texts @returns {ReadonlyMap<string, number>} */
function group(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The fact that the diff of prompts shows. */
const PROMPTS = 'prompt';

/** @type {readonly (readonly [string, string?])[]} */
const PARTS = [
  ['Group or score'],
  ['n', 'number'],
  ['A', 'number'],
  ['B', 'number'],
  ['B − A', 'number'],
  ['95 % interval', 'number'],
];

/** A pair by its groups, further groupings and named scores. @param {{ pair: PageComparison, title: string }} props */
function Parts({ pair, title }) {
  const { groups, slices = [], scores = {} } = pair.figures;
  const all = [
    ...(groups.length > 1 ? groups : []),
    ...slices.flatMap(({ by, groups: own }) =>
      own.map((each) => ({ ...each, group: `${by} ${each.group}` })),
    ),
  ];
  const rows = [
    ...all.map(({ group: what, accuracy_a: mean_a, accuracy_b: mean_b, ...each }) => {
      return { ...each, what, mean_a, mean_b, kind: /** @type {const} */ ('rate') };
    }),
    ...Object.entries(scores).map(([score, each]) => ({ ...each, what: `Score ${score}` })),
  ];
  if (rows.length === 0) return null;
  return html`<details class="fold">
    <summary>${title}</summary>
    <${TableBox} label=${title} class="is-inside" heads=${PARTS}>
      <tbody>
        ${rows.map(
          ({ what, questions, kind, mean_a, mean_b, difference, ci95 }) => html`<tr key=${what}>
            <th scope="row">${what}</th>
            <td class="number">${int(questions)}</td>
            <td class="number">${scoreMean(mean_a, kind)}</td>
            <td class="number">${scoreMean(mean_b, kind)}</td>
            <td class="number"><b>${scoreDifference(difference, kind)}</b></td>
            <td class="number quiet">${ci95 === null ? NONE : ci95.map((end) => scoreDifference(end, kind)).join(' to ')}</td>
          </tr>`,
        )}
      </tbody>
    <//>
  </details>`;
}

/** A diff of so many lines is read at once. */
const SHORT = 16;

/** Lines of a diff of prompts; nothing without one. @param {{ title: string, lines: readonly string[] | undefined }} props */
export function PromptDiff({ title, lines = [] }) {
  if (lines.length === 0) return null;
  return html`<details class="fold" open=${lines.length <= SHORT}>
    <summary>${title}</summary>
    <pre class="diff" dir="auto">${lines.map((line) => {
      const text = `${line}\n`;
      if (line.startsWith('+')) return html`<ins>${text}</ins>`;
      return line.startsWith('-') ? html`<del>${text}</del>` : text;
    })}</pre>
  </details>`;
}
