import { fitRates } from './axis.js';
import { AxisMarks, IntervalBar, OutcomeBar } from './charts.js';
import { accuracy, groupCost, int, interval, oneLine, percent, plural, time } from './format.js';
import { html } from './html.js';
import { PairTable, PromptDiff } from './pairs.js';
import { State } from './parts.js';
import { toLink } from './route.js';
import { countStates, listSuites, nameAnswer, tellReceived, whole } from './run.js';
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
  return html`<${Cards} head=${head} base=${base} />
    <${Verdict} head=${head} />
    <${Remarks} title="Read first" lines=${warnings.filter(isNoGate)} />
    ${head.baseline !== null && html`<${Baseline} head=${head} base=${base} />`}
    ${
      head.flips.length > 0 &&
      html`<section>
        <h2>Since the turn before</h2>
        <${PairTable} pairs=${head.flips} caption="This turn of watch mode against an earlier one" nameOf=${nameB} />
        ${head.flips.map((pair) => html`<${PromptDiff} title="What changed in the prompt" lines=${pair.prompt_diff} />`)}
      </section>`
    }
    ${listSuites(head).map((suite) => html`<${Suite} key=${suite} head=${head} base=${base} suite=${suite} />`)}
    <${Prompts} head=${head} />
    <${Remarks} title="Notes" lines=${head.remarks.filter((line) => !warnings.includes(line)).filter(isNoGate)} />`;
}

/** @param {PageComparison} pair */
function nameB({ suite, b }) {
  return `${suite} · ${b.prompt ?? b.agent}`;
}

/** Verdicts of gates stand above. @param {{ text: string }} line */
function isNoGate({ text }) {
  return !/^gate (?:holds|missed|not judged)/i.test(text);
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
  const { ci95, bounds, questions, n, graded, corrected } = group;
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
      <${IntervalBar} value=${group.accuracy} range=${range} axis=${axis} label=${`Accuracy ${accuracy(group)}, ${rangeName} ${interval(range)}`} />
      <${AxisMarks} axis=${axis} />
    </div>
    <p class="quiet small">
      ${range === null ? 'no accuracy: no expected answer is known' : `${rangeName} ${interval(range)}`}
      <br />${plural(questions, 'question')}${n > questions ? `, ${int(n)} answers` : ''}${graded < n ? `, ${int(graded)} graded` : ''}
    </p>
    ${
      corrected?.accuracy != null &&
      html`<p class="quiet small">corrected for the judge's errors: ${percent(corrected.accuracy)} (${interval(corrected.ci95)})</p>`
    }
    <${OutcomeBar} counts=${group.states} states=${head.states} linkOf=${linkOf} />
    <dl class="stats">
      <div><dt>median</dt><dd>${time(group.median_latency_ms, group.median_censored)}</dd></div>
      <div><dt>p95</dt><dd>${time(group.p95_latency_ms, group.p95_censored)}</dd></div>
      <div><dt>cost${group.cost_estimated && ' (estimated)'}</dt><dd>${groupCost(group)}</dd></div>
    </dl>
  </article>`;
}

/** Whether the gates hold, and what follows for the exit code. @param {{ head: Head }} props */
function Verdict({ head: { exit, gates } }) {
  if (exit === null) return null;
  const isGood = exit.code === 0;
  const parts = exit.reason.replace(/^exit \d+: /, '').split('; ');
  const code = exit.code === null ? "Vitest's own exit code" : `Exit code ${exit.code}`;
  return html`<section class=${`panel verdict ${isGood ? 'is-good' : 'is-bad'}`} aria-label="Gates and exit code">
    <p><b><i aria-hidden="true">${isGood ? '✓' : '✕'}</i> ${code}</b>${parts.length === 1 && html` <span>${parts[0]}</span>`}</p>
    ${parts.length > 1 && html`<ul>${parts.map((part) => html`<li key=${part}>${part}</li>`)}</ul>`}
    ${
      gates.length > 0 &&
      html`<ul class="gates">
        ${gates.map((gate, at) => {
          const word = gate.holds === null ? 'cannot be judged' : gate.holds ? 'holds' : 'missed';
          const sign = gate.holds === null ? '?' : gate.holds ? '✓' : '✕';
          return html`<li key=${at} class=${gate.holds === true ? 'good' : gate.holds === null ? 'open' : 'bad'}>
            <b><i aria-hidden="true">${sign}</i> ${word}${gate.is_advisory && ' (advisory)'}</b>
            <span>${' '}${gate.suite} · ${gate.prompt ?? gate.agent}: ${gate.explanation}</span>
          </li>`;
        })}
      </ul>`
    }
  </section>`;
}

/** @param {Shown} props */
function Baseline({ head: { baseline }, base }) {
  if (baseline === null) return null;
  return html`<section>
    <h2>Against the baseline <span class="quiet">${baseline.a}</span></h2>
    ${
      baseline.suites.length > 0 &&
      html`<${PairTable} pairs=${baseline.suites} caption="This run against the baseline, on the same questions" nameOf=${nameB} />
        <p><a href=${toLink([...base, 'cases'], { chip: 'changed' })}>The questions that changed</a></p>`
    }
    ${baseline.suites.flatMap(({ facts }) => facts).map(({ text }) => html`<p class="note">${text}</p>`)}
    ${baseline.suites.map((pair) => html`<${PromptDiff} title=${`${pair.suite}: how the prompt differs from the baseline's`} lines=${pair.prompt_diff} />`)}
    ${baseline.not_compared.map((text) => html`<p class="note">${text}</p>`)}
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
          const right = own.filter(({ isRight }) => isRight).length;
          return html`<li key=${place}>
            <b>${variant.suite} · ${variant.name}</b> <span class="quiet">${own.length === 0 ? 'waits' : `${int(right)} of ${int(own.length)} correct so far`}</span>
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
