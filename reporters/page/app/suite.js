import { fitRates } from './axis.js';
import { AxisMarks, CostPlot, IntervalBar, OutcomeBar } from './charts.js';
import {
  accuracy,
  fewUnits,
  int,
  interval,
  NONE,
  nameCount,
  percent,
  scoreMean,
  time,
} from './format.js';
import { html } from './html.js';
import { Measures } from './measures.js';
import { judgeDifference, PairTable } from './pairs.js';
import { TableBox } from './parts.js';
import { toLink } from './route.js';
import { findVariant, whole } from './run.js';

/**
 * @import { Head, PageComparison, PageFigures, PageGroup } from '../data.ts'
 * @import { LabelSummary, ScoreFigures } from '../../../src/words/figures.ts'
 */

/** @typedef {Readonly<{ head: Head, base: readonly string[] }>} Shown */

/** One suite: its agents and prompts side by side, its groups, scores and labels. @param {Shown & { suite: string }} props */
export function Suite({ head, base, suite }) {
  const figures = head.figures.filter(({ suite: of }) => of === suite);
  const pairs = head.pairs.filter(({ suite: of }) => of === suite);
  const dataset = figures[0]?.dataset ?? suite;
  const nameOf = (/** @type {PageFigures} */ { variant }) => head.variants[variant]?.name ?? '';
  const isNoise =
    pairs.length > 0 && pairs.every((pair) => judgeDifference(pair) === 'within noise');
  const priced = figures.flatMap((each) => {
    const group = whole(each);
    return group === undefined ? [] : [{ name: nameOf(each), group }];
  });
  const notes = Map.groupBy(
    figures.flatMap((each) => each.notes.map((text) => ({ text, name: nameOf(each) }))),
    ({ text }) => text,
  );
  const measures = html`<${Measures} base=${base} figures=${figures} nameOf=${nameOf} />`;
  return html`<section>
    <h2>${suite}${dataset !== suite && html` <span class="quiet">dataset ${dataset}</span>`}</h2>
    ${figures.length > 1 && measures}
    ${
      pairs.length > 0 &&
      html`<${PairTable}
        pairs=${pairs}
        caption=${`Paired differences in ${suite}, on the same questions`}
        nameOf=${(/** @type {PageComparison} */ pair) => namePair(head, base, pair)}
      />`
    }
    <${CostPlot} entries=${priced} note=${isNoise ? 'No difference in accuracy is more than noise.' : ''} />
    <${Groups} head=${head} base=${base} figures=${figures} nameOf=${nameOf} />
    ${figures.length === 1 && measures}
    <${Scores} figures=${figures} nameOf=${nameOf} />
    <${Labels} figures=${figures} nameOf=${nameOf} />
    <${Positions} figures=${figures} nameOf=${nameOf} />
    <${Confidence} figures=${figures} nameOf=${nameOf} />
    ${notes.size > 0 && html`<ul class="note">${[...notes].map(([text, same]) => html`<li key=${text}>${same.length < figures.length && `${same.map(({ name }) => name).join(' and ')}: `}${text}</li>`)}</ul>`}
  </section>`;
}

/** @param {Head} head @param {readonly string[]} base @param {PageComparison} pair */
function namePair(head, base, pair) {
  const [a, b] = [pair.a, pair.b].map((side) => findVariant(head, side, pair.suite));
  const link = toLink([...base, 'compare'], { a: String(a?.place ?? 0), b: String(b?.place ?? 0) });
  return html`<a href=${link}>${b?.name}</a> <span class="quiet">against ${a?.name}</span>`;
}

/** @typedef {Readonly<{ figures: readonly PageFigures[], nameOf: (figures: PageFigures) => string }>} OfSuite */

/** By group and by each further grouping, all agents of a group together. @param {Shown & OfSuite} props */
function Groups({ head, base, figures, nameOf }) {
  const first = figures[0];
  if (first === undefined) return null;
  const slices = [...new Set(figures.flatMap(({ slices: own = [] }) => own.map(({ by }) => by)))];
  const groupings = [
    { by: first.grouped_by, groupsOf: (/** @type {PageFigures} */ { groups }) => groups },
    ...slices.map((by) => ({
      by,
      groupsOf: (/** @type {PageFigures} */ { slices: own = [] }) =>
        own.find((each) => each.by === by)?.groups ?? [],
    })),
  ];
  return groupings.map(({ by, groupsOf }, at) => {
    const names = [
      ...new Set(figures.flatMap((each) => groupsOf(each).map(({ group }) => group))),
    ].sort((a, b) => Number(a === 'all') - Number(b === 'all'));
    const entries = names.map((name) => ({
      name,
      rows: figures.flatMap((each) => {
        const group = groupsOf(each).find((own) => own.group === name);
        return group === undefined ? [] : [{ who: nameOf(each), group }];
      }),
    }));
    // A card has the only line that there is.
    if (names.length < 2 && figures.length < 2) return null;
    return html`<${GroupTable} key=${at} head=${head} base=${base} suite=${first.suite} by=${by} entries=${entries} isSeveral=${figures.length > 1} isFirst=${at === 0} />`;
  });
}

/** @typedef {Readonly<{ name: string, rows: readonly Readonly<{ who: string, group: PageGroup }>[] }>} GroupEntry */

/** @param {Shown & { suite: string, by: string | undefined, entries: readonly GroupEntry[], isSeveral: boolean, isFirst: boolean }} props */
function GroupTable({ head, base, suite, by, entries, isSeveral, isFirst }) {
  const all = entries.flatMap(({ rows }) => rows.map(({ group }) => group));
  const axis = fitRates(all.map(({ ci95, bounds }) => ci95 ?? bounds));
  const isMeasured = all.some(({ ci95 }) => ci95 !== null);
  const isGradedTold = all.some(({ n, graded }) => graded < n);
  const caption = `By ${by ?? 'group'}${isMeasured ? ', with 95 % intervals' : all.some(({ bounds }) => bounds !== null) ? ', with bounds' : ''}. The axis fits the data.`;
  const heads = [
    [by ?? 'Group'],
    isSeveral && ['Agent'],
    [nameCount(all), 'number wide'],
    isGradedTold && ['Graded', 'number wide'],
    [html`<${AxisMarks} axis=${axis} />Accuracy in %`, 'bar'],
    ['Accuracy', 'number'],
    isMeasured && ['95 % interval', 'number wide'],
    ['Median', 'number wide'],
    ['Outcomes', 'wide'],
  ];
  return html`<${TableBox} label=${`${suite} by ${by ?? 'group'}`} class="groups" caption=${caption} heads=${heads}>
    ${entries.map(({ name, rows }) => {
      const isTotal = isFirst && name === 'all';
      const link = toLink([...base, 'cases'], {
        suite,
        group: isTotal ? '' : isFirst ? name : `${by} ${name}`,
        chip: 'all',
      });
      return html`<tbody key=${name} class=${isTotal ? 'total' : ''}>
        ${rows.map(
          ({ who, group }, at) => html`<tr key=${who}>
            ${at === 0 && html`<th scope="rowgroup" rowspan=${rows.length}><a href=${link}>${isTotal ? 'All' : name}</a></th>`}
            ${isSeveral && html`<td>${who}</td>`}
            <td class="number wide">${int(group.n)}</td>
            ${isGradedTold && html`<td class="number wide">${int(group.graded)}</td>`}
            <td class="bar">
              <${IntervalBar} value=${group.accuracy} range=${group.ci95 ?? group.bounds} axis=${axis} tone=${group.ci95 === null ? 'is-bounds' : ''} label=${`${accuracy(group)}, ${interval(group.ci95)}`} />
            </td>
            <td class="number"><b>${accuracy(group)}</b></td>
            ${isMeasured && html`<td class="number quiet wide">${interval(group.ci95)}${group.ci95 !== null && html`<small>${fewUnits({ n: group.graded, questions: group.graded_questions, clusters: group.clusters })}</small>`}</td>`}
            <td class="number quiet wide">${time(group.median_latency_ms, group.median_censored)}</td>
            <td class="wide outcome-cell"><${OutcomeBar} counts=${group.outcomes} states=${head.states} isShort=${true} /></td>
          </tr>`,
        )}
      </tbody>`;
    })}
  <//>`;
}

/** Named scores with their intervals; a judge's with what is known of it. @param {OfSuite} props */
function Scores({ figures, nameOf }) {
  const rows = figures.flatMap((each) =>
    Object.entries(whole(each)?.scores ?? {}).map(([name, score]) => ({
      name,
      score:
        /** @type {ScoreFigures & Pick<Parameters<typeof fewUnits>[0], 'questions' | 'clusters'>} */ (
          score
        ),
      who: nameOf(each),
    })),
  );
  if (rows.length === 0) return null;
  const axis = fitRates(rows.map(({ score }) => score.ci95 ?? score.bounds ?? toPoint(score)));
  const names = [...new Set(rows.map(({ name }) => name))];
  const isJudged = rows.some(({ score }) => score.corrected !== undefined);
  const isMeasured = rows.some(({ score }) => score.ci95 !== null);
  const isRate = rows.every(({ score }) => score.kind === 'rate');
  const caption = `Named scores, with ${isMeasured ? '95 % intervals' : 'bounds'}: a share of true in per cent, or a mean from 0 to 1`;
  const heads = [
    ['Score'],
    figures.length > 1 && ['Agent'],
    [nameCount(figures.flatMap((each) => whole(each) ?? [])), 'number wide'],
    [
      html`<${AxisMarks} axis=${axis} scale=${isRate ? 100 : 1} />${isRate ? 'In %' : 'From 0 to 1'}`,
      'bar',
    ],
    ['Mean', 'number'],
    isMeasured && ['95 % interval', 'number wide'],
    isJudged && ['By a judge', 'wide'],
  ];
  return html`<${TableBox} label="Named scores" caption=${caption} heads=${heads}>
    ${names.map((name) => {
      const own = rows.filter((row) => row.name === name);
      return html`<tbody key=${name}>
        ${own.map(
          ({ score, who }, at) => html`<tr key=${who}>
            ${at === 0 && html`<th scope="rowgroup" rowspan=${own.length}>${name}</th>`}
            ${figures.length > 1 && html`<td>${who}</td>`}
            <td class="number wide">${int(score.n)}</td>
            <td class="bar">
              <${IntervalBar} value=${score.mean} range=${score.ci95 ?? score.bounds} axis=${axis} tone=${score.ci95 === null ? 'is-bounds' : ''} label=${`${name}: ${tellScore(score)}`} />
            </td>
            <td class="number"><b>${tellScore(score)}</b></td>
            ${isMeasured && html`<td class="number quiet wide">${scoreRange(score.ci95, score.kind)}${score.ci95 !== null && score.questions !== undefined && html`<small>${fewUnits(score)}</small>`}</td>`}
            ${isJudged && html`<td class="quiet wide">${tellCorrected(score)}</td>`}
          </tr>`,
        )}
      </tbody>`;
    })}
  <//>`;
}

/** @param {ScoreFigures} score @returns {readonly [number, number] | null} */
function toPoint({ mean }) {
  return mean === null ? null : [mean, mean];
}

/** The mean, or its bounds while values are missing. @param {ScoreFigures} score */
function tellScore({ mean, bounds, kind }) {
  return bounds === undefined ? scoreMean(mean, kind) : `in ${scoreRange(bounds, kind)}`;
}

/** @param {ScoreFigures['ci95']} range @param {ScoreFigures['kind']} kind */
function scoreRange(range, kind) {
  if (range === null || kind === 'rate') return interval(range);
  return range.map((end) => end.toFixed(3)).join(' – ');
}

/** @param {ScoreFigures} score */
function tellCorrected({ corrected }) {
  if (corrected === undefined) return '';
  if (corrected.accuracy !== null)
    return `corrected ${percent(corrected.accuracy)} (${interval(corrected.ci95)})`;
  return corrected.why === 'uncalibrated' ? 'no labels of people have checked it' : corrected.why;
}

/** Precision, recall and F1 of each label, and which label got which answer. @param {OfSuite} props */
function Labels({ figures, nameOf }) {
  return figures.map((each) => {
    if (each.labels === undefined) return null;
    const name = figures.length > 1 ? nameOf(each) : each.suite;
    return html`<${LabelTable} key=${each.variant} name=${name} labels=${each.labels.each} confusion=${each.confusion} all=${whole(each)} />`;
  });
}

/** @param {{ name: string, labels: readonly LabelSummary[], confusion: PageFigures['confusion'], all: PageGroup | undefined }} props */
function LabelTable({ name, labels, confusion, all }) {
  const { columns, counts } = confusion ?? countTotals(labels);
  const most = Math.max(1, ...counts.flat());
  const what = confusion === undefined ? '' : ', a column for each answer';
  const caption = `${name}: a row for each expected answer${what}, with 95 % intervals from ${FEWEST_OF_LABEL} results on`;
  const numbers = [...columns, 'Precision', 'Recall', 'F1'].map((head) => [head, 'number']);
  return html`<${TableBox} label=${`${name}: answers by label`} class="matrix" caption=${caption} heads=${[['Expected'], ...numbers]}>
    <tbody>
      ${labels.map(({ label, expected, precision, recall, f1 }, place) => {
        const isFew = expected < FEWEST_OF_LABEL;
        return html`<tr key=${label}>
          <th scope="row">${label}</th>
          ${counts[place]?.map((count, at) => {
            const heat = `${Math.round((count / most) * 45)}%`;
            const tone = confusion === undefined ? '' : at === place ? 'hit' : 'miss';
            return html`<td class=${`number ${tone}`} style=${{ '--heat': heat }}>${count === 0 ? '·' : int(count)}</td>`;
          })}
          ${[precision, recall, f1].map((rate, at) => html`<td key=${`rate ${at}`} class="number"><${Measured} rate=${rate} isFew=${isFew} /></td>`)}
        </tr>`;
      })}
      <tr>
        <th scope="row" colspan=${columns.length + 3}>Macro F1, the mean over labels</th>
        <td class="number"><${Measured} rate=${toMacro(all)} isFew=${false} /></td>
      </tr>
    </tbody>
  <//>`;
}

/** Fewer results of a label have intervals too wide to read. */
const FEWEST_OF_LABEL = 10;

/** More labels than fit beside each other. @param {readonly LabelSummary[]} labels */
function countTotals(labels) {
  return {
    columns: ['n', 'Given', 'Right'],
    counts: labels.map(({ expected, given, right }) => [expected, given, right]),
  };
}

/** @param {PageGroup | undefined} group @returns {LabelSummary['f1']} */
function toMacro(group) {
  const value = group?.macro_f1;
  const ci95 = group?.macro_f1_ci95;
  return value == null || ci95 == null ? null : { value, ci95 };
}

/** @param {{ rate: LabelSummary['f1'], isFew: boolean }} props */
function Measured({ rate, isFew }) {
  if (rate === null) return NONE;
  return html`<b>${percent(rate.value)}</b>${!isFew && html` <span class="quiet">${interval(rate.ci95)}</span>`}`;
}

/** By the position of the right option. @param {OfSuite} props */
function Positions({ figures, nameOf }) {
  return figures.map((each) => {
    const rows = each.positions.map(({ position, n, correct, accuracy: rate, chosen }) => [
      String(position),
      int(n),
      int(correct),
      percent(rate),
      int(chosen),
    ]);
    return html`<${SmallTable} key=${each.variant} name=${figures.length > 1 ? nameOf(each) : ''} caption="by the position of the right option, as presented" heads=${['Position', 'n', 'Correct', 'Accuracy', 'Chosen']} rows=${rows} />`;
  });
}

/** Accuracy by the confidence that answers state. @param {OfSuite} props */
function Confidence({ figures, nameOf }) {
  return figures.map((each) => {
    const scale = each.confidence_scale;
    const caption = `accuracy by the confidence that answers state${scale === undefined ? '' : `, numbers of 0 to ${scale}`}`;
    const rows = each.confidence.map(({ bucket, n, correct, accuracy: rate }) => [
      bucket,
      int(n),
      int(correct),
      percent(rate),
    ]);
    return html`<${SmallTable} key=${each.variant} name=${figures.length > 1 ? nameOf(each) : ''} caption=${caption} heads=${['Stated', 'n', 'Correct', 'Accuracy']} rows=${rows} />`;
  });
}

/** Texts whose first column names the row; nothing without a row. @param {{ name: string, caption: string, heads: readonly string[], rows: readonly (readonly string[])[] }} props */
function SmallTable({ name, caption, heads, rows }) {
  if (rows.length === 0) return null;
  const title = name === '' ? caption : `${name}: ${caption}`;
  const shown = heads.map((head, at) => (at > 0 ? [head, 'number'] : [head]));
  return html`<${TableBox} label=${title} caption=${title} heads=${shown}>
    <tbody>
      ${rows.map(
        ([first, ...others]) => html`<tr key=${first}>
          <th scope="row">${first}</th>
          ${others.map((cell, at) => html`<td key=${at} class="number">${cell}</td>`)}
        </tr>`,
      )}
    </tbody>
  <//>`;
}
