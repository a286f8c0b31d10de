import { fitRates } from './axis.js';
import { AxisMarks, IntervalBar, OutcomeBar } from './charts.js';
import {
  accuracy,
  groupCost,
  int,
  interval,
  oneLine,
  percent,
  plural,
  time,
  timeInterval,
  units,
} from './format.js';
import { html } from './html.js';
import { PairDetails, PairTable, PromptDiff, tellShifts } from './pairs.js';
import { State } from './parts.js';
import { toLink } from './route.js';
import { countStates, listSuites, nameAnswer, nameSide, tellReceived, whole } from './run.js';
import { isReport } from './source.js';
import { Suite } from './suite.js';

/**
 * @import { Head, PageComparison, PageFigures } from '../data.ts'
 * @import { Cases, State as StateName } from './run.js'
 */

/** @typedef {Readonly<{ head: Head, base: readonly string[] }>} Shown */

/** The figures of a run; while it goes on, what has come. @param {Shown & { cases: Cases | null }} props */
export function Overview({ head, base, cases }) {
  if (head.run.is_live) return html`<${Progress} head=${head} base=${base} cases=${cases} />`;
  const warnings = head.remarks.filter(({ level }) => level === 'warning' || level === 'bad');
  const { baseline, flips } = head;
  return html`<${Cards} head=${head} base=${base} />
    <${Verdict} head=${head} />
    <${Remarks} title="Read first" lines=${warnings} />
    ${baseline !== null && html`<${Since} head=${head} base=${base} title="Against the baseline" other=${baseline.a} pairs=${baseline.suites} notes=${baseline.not_compared} caption="This run against the baseline, on the same questions" />`}
    ${flips.length > 0 && html`<${Since} head=${head} base=${base} title="Since the watch run before" other=${flips[0]?.a.run} pairs=${flips} notes=${[]} caption="This watch run against an earlier one" />`}
    ${listSuites(head).map((suite) => html`<${Suite} key=${suite} head=${head} base=${base} suite=${suite} />`)}
    <${Prompts} head=${head} />
    <${Remarks} title="Notes" lines=${head.remarks.filter((line) => !warnings.includes(line))} />`;
}

/** The first thing to read: a card for each suite, agent and prompt, on one axis. @param {Shown} props */
function Cards({ head, base }) {
  const shown = head.figures.filter((figures) => (whole(figures)?.n ?? 0) > 0);
  const axis =
    shown.length === 1
      ? { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }
      : fitRates(shown.map((figures) => whole(figures)?.ci95 ?? whole(figures)?.bounds));
  return html`<section class=${`cards ${shown.length === 1 ? 'is-one' : ''}`} aria-label="Results">
    ${shown.map((figures) => html`<${Card} key=${figures.variant} head=${head} base=${base} figures=${figures} axis=${axis} />`)}
  </section>`;
}

/** @param {Shown & { figures: PageFigures, axis: import('./axis.js').Axis }} props */
function Card({ head, base, figures, axis }) {
  const group = whole(figures);
  const variant = head.variants[figures.variant];
  if (group === undefined || variant === undefined) return null;
  const { ci95, bounds, questions, n, graded, graded_questions, clusters, corrected } = group;
  const { not_run } = group.outcomes;
  const answers = `${graded < n ? `${int(graded)} of ` : ''}${plural(n, 'answer')}`;
  const isAlone = (clusters ?? graded_questions) === 1 && graded > 1;
  const linkOf = (/** @type {StateName} */ state) =>
    toLink([...base, 'cases'], {
      suite: variant.suite,
      variant: String(figures.variant),
      chip: 'all',
      state,
    });
  const range = ci95 ?? (group.accuracy === null ? bounds : null);
  const rangeName =
    ci95 === null && bounds !== null && group.accuracy === null ? 'bounds' : '95 % interval';
  return html`<article class="panel card">
    <h2><span>${variant.suite}</span> <span class="quiet">· ${variant.name}</span></h2>
    ${variant.is_made_up && html`<p class="made-up">Made-up predictions, not a measurement</p>`}
    <p class="figure">
      ${group.accuracy === null ? html`<span class="figure-range">${accuracy(group)}</span>` : html`${percent(group.accuracy).replace(' %', '')}<small>%</small>`}
    </p>
    <div class="on-axis">
      <${IntervalBar} value=${group.accuracy} range=${range} axis=${axis} label=${`Accuracy ${accuracy(group)}, ${rangeName} ${interval(range)}`} tone=${range === bounds ? 'is-bounds' : ''} />
      <${AxisMarks} axis=${axis} />
    </div>
    <p class="quiet small">
      ${range === null ? `no accuracy: ${graded === 0 ? 'no expected answer is known' : 'see below'}` : `${rangeName} ${interval(range)}`}
      <br />${range !== null && 'over '}${units(group, figures.clustered_by)}${n > questions && `, ${answers}`}
      ${isAlone && html`<br />one ${clusters === undefined ? 'question' : 'cluster'} tells nothing of others`}
    </p>
    ${
      corrected?.accuracy != null &&
      html`<p class="quiet small">corrected for the judge's errors: ${percent(corrected.accuracy)} (${interval(corrected.ci95)})</p>`
    }
    <${OutcomeBar} counts=${group.outcomes} states=${head.states} linkOf=${linkOf} />
    <dl class="stats">
      <div><dt>median</dt><dd>${time(group.median_latency_ms, group.median_censored)}<small>${timeInterval(group.median_latency_ci95)}</small></dd></div>
      <div><dt>p95</dt><dd>${time(group.p95_latency_ms, group.p95_censored)}<small>${timeInterval(group.p95_latency_ci95)}</small></dd></div>
      <div><dt>cost${group.cost_estimated && ' (estimated)'}</dt><dd>${groupCost(group)}</dd></div>
    </dl>
    ${not_run > 0 && html`<p class="quiet small">times and cost of ${int(n - not_run)} of ${plural(n, 'answer')}</p>`}
  </article>`;
}

/** Whether the gates hold, and what follows for the exit code. @param {{ head: Head }} props */
function Verdict({ head: { exit, gates } }) {
  if (exit === null) return null;
  const isGood = exit.code === 0;
  const { problems } = exit;
  const parts = problems.length > 0 ? problems : [exit.reason.replace(/^exit \d+: /, '')];
  const code = exit.code === null ? "Vitest's own exit code" : `Exit code ${exit.code}`;
  return html`<section class=${`panel verdict ${isGood ? 'is-good' : 'is-bad'}`} aria-label="Gates and exit code">
    <p><b><i aria-hidden="true">${isGood ? '✓' : '✕'}</i> ${code}</b>${parts.length === 1 && html` <span>${parts[0]}</span>`}</p>
    ${parts.length > 1 && html`<ul>${parts.map((part) => html`<li key=${part}>${part}</li>`)}</ul>`}
    ${
      gates.length > 0 &&
      html`<ul class="gates">
        ${gates
          .toSorted((a, b) => Number(a.holds === true) - Number(b.holds === true))
          .map((gate, at) => {
            const word = gate.holds === null ? 'cannot be judged' : gate.holds ? 'holds' : 'missed';
            const sign = gate.holds === null ? '?' : gate.holds ? '✓' : '✕';
            return html`<li key=${at} class=${gate.holds === true ? 'good' : gate.holds === null ? 'open' : 'bad'}>
            <b><i aria-hidden="true">${sign}</i> ${word}${gate.is_advisory && ' (advisory)'}</b>
            <span>${' '}${gate.suite} · ${gate.name}: ${gate.explanation}</span>
          </li>`;
          })}
      </ul>`
    }
  </section>`;
}

/**
 * This run against an earlier one: the differences, what was edited, and the way to what changed.
 * @param {Shown & { title: string, other: string | undefined, pairs: readonly PageComparison[], notes: readonly string[], caption: string }} props
 */
function Since({ head, base, title, other, pairs, notes, caption }) {
  const changes = (/** @type {'fixed' | 'broken'} */ kind) =>
    pairs.reduce((sum, { figures }) => sum + figures.flips[kind].length, 0);
  const partly = tellShifts(pairs);
  const nameOf = (/** @type {PageComparison} */ { suite, b }) =>
    `${suite} · ${nameSide(head, b, suite)}`;
  return html`<section>
    <h2>${title} <span class="quiet">${other}</span></h2>
    ${
      pairs.length > 0 &&
      html`<${PairTable} pairs=${pairs} caption=${caption} nameOf=${nameOf} />
        <p class="onward"><a class="button" href=${toLink([...base, 'cases'], { chip: 'changed' })}>Questions that changed: ${int(changes('broken'))} broken, ${int(changes('fixed'))} fixed${partly && `, ${partly}`}</a>${!isReport && other !== undefined && html` <a class="button" href=${toLink(['compare'], { a: other, b: head.run.name })}>Compare with it</a>`}</p>`
    }
    <${PairDetails} pairs=${pairs} nameOf=${nameOf} />
    ${notes.map((text) => html`<p key=${text} class="note">${text}</p>`)}
  </section>`;
}

/** @param {{ head: Head }} props */
function Prompts({ head: { prompts } }) {
  if (prompts.length === 0) return null;
  return html`<section>
    <h2>Prompts</h2>
    ${prompts.map(
      ({ suite, name, hash, text, diff }) => html`<details class="fold" key=${`${suite}${hash}`}>
          <summary>${suite} · ${name}</summary>
          <pre dir="auto">${text}</pre>
        </details>
        <${PromptDiff} title=${`${suite}: how ${name} differs from the first prompt`} lines=${diff} />`,
    )}
  </section>`;
}

/** @param {{ title: string, lines: Head['remarks'] }} props */
function Remarks({ title, lines }) {
  if (lines.length === 0) return null;
  return html`<section>
    <h2>${title}</h2>
    <ul class="remarks">
      ${lines.map(({ text, level }, at) => {
        const isWarning = level === 'warning' || level === 'bad';
        return html`<li key=${at} class=${`${isWarning ? 'warns' : ''} ${text.startsWith(' ') ? 'part' : ''}`}>
          <i aria-hidden="true">${isWarning ? '!' : 'i'}</i><span>${text}</span>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** More do not help while a run goes on. */
const MOST_LATEST = 12;

/** What has come of a run that goes on. No accuracy: viva gives none for a part. @param {Shown & { cases: Cases | null }} props */
function Progress({ head, base, cases }) {
  const answers = cases?.answers ?? [];
  const planned = head.variants.reduce((sum, variant) => sum + variant.planned, 0);
  const counts = { ...countStates(answers, head.states) };
  counts.not_run += Math.max(0, planned - answers.length);
  const latest = answers
    .filter(({ fails }) => fails)
    .toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))
    .slice(0, MOST_LATEST);
  return html`<section class="panel card" aria-label="Progress">
      <p class="figure" role="status">${int(answers.length)}<small> of ${int(planned)} answers</small></p>
      <${OutcomeBar} counts=${counts} states=${head.states} toCome=${true} />
      <ul class="so-far">
        ${head.variants.map((variant, place) => {
          const own = answers.filter(({ v }) => v === place);
          const graded = own.filter(({ question }) => !question.facts.is_ungraded);
          const right = graded.filter(({ isRight }) => isRight).length;
          return html`<li key=${place}>
            <b>${variant.suite} · ${variant.name}</b> <span class="quiet">${own.length === 0 ? 'waits' : `${int(right)} of ${int(graded.length)} correct so far`}</span>
          </li>`;
        })}
      </ul>
    </section>
    ${
      latest.length > 0 &&
      html`<section>
        <h2>Latest failures</h2>
        <ul class="panel latest">
          ${latest.map((answer) => {
            const { question, variant } = answer;
            const link = toLink([...base, 'cases'], {
              case: question.key,
              answer: nameAnswer(answer),
              chip: 'failed',
            });
            return html`<li key=${answer.place}>
              <${State} state=${answer.state} states=${head.states} />
              <span class="quiet">${variant.name}</span>
              <a href=${link}>${question.title}</a>
              <span class="wrong">${question.facts.is_hidden ? '' : oneLine(tellReceived(answer, head.states), 100)}</span>
            </li>`;
          })}
        </ul>
      </section>`
    }`;
}
