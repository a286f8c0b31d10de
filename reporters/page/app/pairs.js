import { fitDifferences } from './axis.js';
import { AxisMarks, IntervalBar } from './charts.js';
import { int, NONE, points, pValue, scoreMean } from './format.js';
import { html } from './html.js';
import { TableBox } from './parts.js';

/**
 * @import { PageComparison, PageDifference } from '../data.ts'
 */

/** By viva's rule: the test at 5 %. @param {PageComparison['figures']} figures */
export function judgeDifference({ p_value, difference }) {
  if (p_value === null || difference === null) return 'not compared';
  if (p_value >= 0.05) return 'within noise';
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
  return html`<${TableBox} label=${caption} class="pairs">
    <caption>
      ${caption}${pairs.length > 1 && '. Each p is of one pair alone: the more pairs there are, the likelier luck brings one below 0.05.'}
    </caption>
    <thead>
      <tr>
        <th scope="col">Pair</th>
        <th scope="col" class="bar"><${AxisMarks} axis=${axis} isSigned=${true} />Difference in points</th>
        <th scope="col" class="number">Difference</th>
        <th scope="col" class="number">p</th>
        <th scope="col" class="number">Fixed / broken</th>
        <th scope="col" class="number wide">Latency</th>
        <th scope="col" class="number wide">Cost</th>
      </tr>
    </thead>
    <tbody>
      ${pairs.map((pair, at) => html`<${PairRow} key=${at} pair=${pair} axis=${axis} name=${nameOf(pair)} />`)}
    </tbody>
  <//>`;
}

/** @param {{ pair: PageComparison, axis: import('./axis.js').Axis, name: unknown }} props */
function PairRow({ pair: { figures }, axis, name }) {
  const { difference, ci95, p_value, flips, latency_ratio, cost_ratio, questions } = figures;
  const verdict = judgeDifference(figures);
  return html`<tr>
    <th scope="row">${name}<small>${int(questions)} questions</small></th>
    <td class="bar">
      <${IntervalBar} value=${difference} range=${ci95} axis=${axis} tone=${TONES[verdict] ?? 'flat'} label=${tellDifference(figures)} />
    </td>
    <td class="number"><b>${points(difference)}</b> <span class=${`tag ${TONES[verdict] ?? ''}`}>${verdict}</span></td>
    <td class="number">${pValue(p_value)}</td>
    <td class="number">${int(flips.fixed.length)} / ${int(flips.broken.length)}</td>
    <td class="number wide">${ratio(latency_ratio)}</td>
    <td class="number wide">${ratio(cost_ratio)}</td>
  </tr>`;
}

/** @param {number | null} value */
function ratio(value) {
  return value === null ? NONE : `× ${value.toFixed(2)}`;
}

/**
 * One pair by its groups, further groupings and named scores, and what else its sides differ in.
 * @param {{ pair: PageComparison }} props
 */
export function PairDetails({ pair }) {
  const { groups, slices = [], scores = {} } = pair.figures;
  const all = [
    ...(groups.length > 1 ? groups : []),
    ...slices.flatMap(({ by, groups: own }) =>
      own.map((each) => ({ ...each, group: `${by} ${each.group}` })),
    ),
  ];
  const named = Object.entries(scores);
  return html`<div>
    ${
      (all.length > 0 || named.length > 0) &&
      html`<${TableBox} label="The pair by groups and scores">
        <caption>By group and score, B against A</caption>
        <thead>
          <tr>
            <th scope="col">Group or score</th>
            <th scope="col" class="number">n</th>
            <th scope="col" class="number">A</th>
            <th scope="col" class="number">B</th>
            <th scope="col" class="number">B − A</th>
            <th scope="col" class="number">95 % interval</th>
          </tr>
        </thead>
        <tbody>
          ${all.map((each) => html`<${GroupRow} key=${each.group} name=${each.group} figures=${{ ...each, mean_a: each.accuracy_a, mean_b: each.accuracy_b, kind: 'rate' }} />`)}
          ${named.map(([name, each]) => html`<${GroupRow} key=${name} name=${`Score ${name}`} figures=${each} />`)}
        </tbody>
      <//>`
    }
    ${pair.facts.map(({ name, text }) => html`<p key=${name} class="note">${text}</p>`)}
    <${PromptDiff} title="How the prompts differ" lines=${pair.prompt_diff} />
  </div>`;
}

/** @param {{ name: string, figures: import('../data.ts').PageScoreDifference }} props */
function GroupRow({ name, figures: { questions, kind, mean_a, mean_b, difference, ci95 } }) {
  const isRate = kind === 'rate';
  const change =
    difference === null ? NONE : `${difference > 0 ? '+' : ''}${difference.toFixed(3)}`;
  return html`<tr>
    <th scope="row">${name}</th>
    <td class="number">${int(questions)}</td>
    <td class="number">${scoreMean(mean_a, kind)}</td>
    <td class="number">${scoreMean(mean_b, kind)}</td>
    <td class="number"><b>${isRate ? points(difference) : change}</b></td>
    <td class="number quiet">${isRate ? (ci95 === null ? NONE : `${points(ci95[0])} to ${points(ci95[1])}`) : ci95?.map((end) => end.toFixed(3)).join(' – ')}</td>
  </tr>`;
}

/** Lines of a diff of prompts; nothing without one. @param {{ title: string, lines: readonly string[] | undefined }} props */
export function PromptDiff({ title, lines = [] }) {
  if (lines.length === 0) return null;
  return html`<details class="fold">
    <summary>${title}</summary>
    <pre class="diff" dir="auto">${lines.map((line) => {
      const text = `${line}\n`;
      if (line.startsWith('+')) return html`<ins>${text}</ins>`;
      return line.startsWith('-') ? html`<del>${text}</del>` : text;
    })}</pre>
  </details>`;
}
