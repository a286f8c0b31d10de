import { accuracy, groupCost, int, interval, NONE, percent, time, timeInterval } from './format.js';
import { html } from './html.js';
import { TableBox } from './parts.js';
import { toLink } from './route.js';
import { whole } from './run.js';

/**
 * @import { PageFigures, PageGroup } from '../data.ts'
 */

/**
 * One line of the measures: a figure with its interval. `value` says which is best; `isOnCard` if the
 * card of the agent has it too; `chip` shows the answers that it counts.
 * @typedef {Readonly<{
 *   name: string,
 *   text: (figures: PageFigures, all: PageGroup) => string,
 *   range?: (figures: PageFigures, all: PageGroup) => string,
 *   value?: (figures: PageFigures, all: PageGroup) => number | null | undefined,
 *   best?: 'low' | 'high',
 *   chip?: string,
 *   isOnCard?: true,
 * }>} Measure
 */

/** What is told of each agent where there is something to tell. @type {readonly Measure[]} */
const MEASURES = [
  {
    name: 'Accuracy',
    text: (_, all) => accuracy(all),
    range: (_, { ci95 }) => interval(ci95),
    value: (_, all) => all.accuracy,
    best: 'high',
    isOnCard: true,
  },
  {
    name: 'Mean of the groups',
    text: ({ macro_accuracy }) => percent(macro_accuracy),
    range: ({ macro_ci95 }) => interval(macro_ci95),
    value: ({ macro_accuracy }) => macro_accuracy,
    best: 'high',
  },
  {
    name: 'Macro F1',
    text: (_, { macro_f1 }) => percent(macro_f1),
    range: (_, { macro_f1_ci95 }) => interval(macro_f1_ci95 ?? null),
    value: (_, { macro_f1 }) => macro_f1,
    best: 'high',
  },
  { name: 'Chance level', text: ({ chance }) => percent(chance) },
  {
    name: 'Accuracy without questions whose copy was seen',
    text: ({ copies }) => (isSeen(copies) ? percent(copies?.without.accuracy) : NONE),
    range: ({ copies }) => interval(copies?.without.ci95),
    chip: 'seen',
  },
  {
    name: 'Right in any of the trials (pass@k)',
    text: ({ trials }) => tellRate(trials?.rate, 'pass_at_k'),
    range: ({ trials }) => interval(trials?.rate?.pass_at_k_ci95),
    value: ({ trials }) => trials?.rate?.pass_at_k,
    best: 'high',
  },
  {
    name: 'Right in all trials (pass^k)',
    text: ({ trials }) => tellRate(trials?.rate, 'pass_hat_k'),
    range: ({ trials }) => interval(trials?.rate?.pass_hat_k_ci95),
    value: ({ trials }) => trials?.rate?.pass_hat_k,
    best: 'high',
  },
  {
    name: 'Outcome consistency of trials',
    text: ({ trials }) => percent(trials?.outcome_consistency),
    value: ({ trials }) => trials?.outcome_consistency,
    best: 'high',
  },
  {
    name: 'Cost consistency of trials',
    text: ({ trials }) => percent(trials?.cost_consistency),
    value: ({ trials }) => trials?.cost_consistency,
    best: 'high',
  },
  {
    name: 'Unstable questions',
    text: ({ trials }) => int(trials?.unstable ?? 0),
    value: ({ trials }) => trials?.unstable,
    best: 'low',
    chip: 'unstable',
  },
  { name: 'Judges in doubt', text: ({ doubted }) => int(doubted), chip: 'doubted' },
  {
    name: 'Read with doubt',
    text: ({ readings }) => int(readings?.uncertain ?? 0),
    chip: 'uncertain',
  },
  {
    name: 'Without a single answer to read',
    text: ({ readings }) => int(readings?.unread ?? 0),
    chip: 'none',
  },
  {
    name: 'Median latency',
    text: (_, all) => time(all.median_latency_ms, all.median_censored),
    range: (_, all) => timeInterval(all.median_latency_ci95),
    value: (_, all) => all.median_latency_ms,
    best: 'low',
    isOnCard: true,
  },
  {
    name: 'p95 latency',
    text: (_, all) => time(all.p95_latency_ms, all.p95_censored),
    range: (_, all) => timeInterval(all.p95_latency_ci95),
    value: (_, all) => all.p95_latency_ms,
    best: 'low',
    isOnCard: true,
  },
  {
    name: "Of it viva's own delay",
    text: (_, { median_own_delay_ms: own = 0 }) => (own < 1 ? NONE : time(own)),
  },
  {
    name: 'Load of the machine',
    text: (_, { machine_load }) => percent(machine_load),
  },
  {
    name: 'Median first token',
    text: (_, all) => time(all.median_first_token_ms),
    range: (_, all) => timeInterval(all.median_first_token_ci95),
    value: (_, all) => all.median_first_token_ms,
    best: 'low',
  },
  {
    name: 'p95 first token',
    text: (_, all) => time(all.p95_first_token_ms),
    range: (_, all) => timeInterval(all.p95_first_token_ci95),
    value: (_, all) => all.p95_first_token_ms,
    best: 'low',
  },
  {
    name: 'Cost',
    text: (_, all) => groupCost(all),
    value: (_, all) => all.cost_usd,
    best: 'low',
    isOnCard: true,
  },
  countState('No answer', 'no_answer'),
  countState('Errors', 'errored'),
  countState('Timed out', 'timed_out'),
];

/** @param {string} name @param {'no_answer' | 'errored' | 'timed_out'} state @returns {Measure} */
function countState(name, state) {
  return {
    name,
    text: (_, { outcomes }) => int(outcomes[state]),
    value: (_, { outcomes }) => outcomes[state],
    best: 'low',
    isOnCard: true,
  };
}

/** @param {PageFigures['copies']} copies */
function isSeen(copies) {
  return copies !== undefined && copies.text.length + copies.page.length > 0;
}

/** @param {NonNullable<PageFigures['trials']>['rate'] | undefined} rate @param {'pass_at_k' | 'pass_hat_k'} which */
function tellRate(rate, which) {
  return rate == null || rate.k === 1 ? NONE : `${percent(rate[which])} in ${rate.k} trials`;
}

const CAPTION =
  'Side by side, with 95 % intervals. The best of a line is bold, which is no test: the table of differences below says what is more than noise.';

/** What says nothing. */
const EMPTY = new Set(['0', NONE, '']);

/** @typedef {readonly [figures: PageFigures, all: PageGroup]} Column */

/**
 * The figures of the agents and prompts of a suite: a line for each measure, a column for each of them.
 * Of one alone, what its card lacks.
 * @param {{ base: readonly string[], figures: readonly PageFigures[], nameOf: (figures: PageFigures) => string }} props
 */
export function Measures({ base, figures, nameOf }) {
  const columns = figures.flatMap((each) => {
    const all = whole(each);
    return all === undefined ? [] : [/** @type {Column} */ ([each, all])];
  });
  const told = MEASURES.filter(({ text }) => columns.some((column) => !EMPTY.has(text(...column))));
  const [only] = columns;
  if (only !== undefined && columns.length === 1) {
    const more = told.filter(({ isOnCard }) => !isOnCard);
    return (
      more.length > 0 &&
      html`<dl class="panel stats more-figures">
        ${more.map((measure) => html`<div key=${measure.name}><dt>${measure.name}</dt><dd><${Cell} base=${base} measure=${measure} column=${only} /></dd></div>`)}
      </dl>`
    );
  }
  const heads = [['Measure'], ...figures.map((each) => [nameOf(each), 'number'])];
  return html`<${TableBox} label=${`${figures[0]?.suite}: measures`} class="lines" caption=${CAPTION} heads=${heads}>
    <tbody>
      ${told.map((measure) => {
        const best = findBest(measure, columns);
        return html`<tr key=${measure.name}>
          <th scope="row">${measure.name}</th>
          ${columns.map((column) => html`<td key=${column[0].variant} class=${`number ${measure.text(...column) === best ? 'best' : ''}`}><${Cell} base=${base} measure=${measure} column=${column} /></td>`)}
        </tr>`;
      })}
    </tbody>
  <//>`;
}

/** The text of the best figure, unless all are the same. @param {Measure} measure @param {readonly Column[]} columns */
function findBest({ text, value, best }, columns) {
  const values = columns.flatMap((column) => value?.(...column) ?? []);
  const top = Math[best === 'low' ? 'min' : 'max'](...values);
  const isOpen = new Set(columns.map((column) => text(...column))).size < 2;
  const found = columns.find((column) => value?.(...column) === top);
  return isOpen || found === undefined ? null : text(...found);
}

/** @param {{ base: readonly string[], measure: Measure, column: Column }} props */
function Cell({ base, measure: { text, range, chip }, column }) {
  const [figure, [{ suite, variant }]] = [text(...column), column];
  const ends = EMPTY.has(figure) ? '' : (range?.(...column) ?? '');
  const link = toLink([...base, 'cases'], { suite, variant: String(variant), chip });
  const isLink = chip !== undefined && !EMPTY.has(figure);
  return html`${isLink ? html`<a href=${link}>${figure}</a>` : figure}${!EMPTY.has(ends) && html`<small>${ends}</small>`}`;
}
