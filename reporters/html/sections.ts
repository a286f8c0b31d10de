import type { Audit, RuleFigures, SuiteAudit } from '../../src/compare/audit.ts';
import type { RunComparison } from '../../src/compare/compare-runs.ts';
import { toSuiteKey } from '../../src/metrics/groups.ts';
import { timedLatency } from '../../src/metrics/latency.ts';
import { STATES } from '../../src/states.ts';
import { plural } from '../../src/text/wording.ts';
import type { SampleResult, SuiteSummary, Summary } from '../../src/types.ts';
import { toComparisonLines, toComparisonTable, toLegend } from '../comparison.ts';
import { isSemanticApplied, SEMANTIC_NOTE } from '../result-remarks.ts';
import {
  describePartial,
  formatRate,
  toComparisons,
  toConfidenceTable,
  toPositionTable,
  toSuiteTable,
} from '../tables.ts';
import { renderTitle } from '../terminal.ts';
import { renderAccuracyChart, renderConfidenceChart, renderCostChart } from './charts.ts';
import { findDomain, type Latencies, renderLatencyChart, renderStatesChart } from './latency-chart.ts';
import { html, type Markup, NOTHING, renderTable } from './markup.ts';

/** The tables of the run, as the terminal and summary.md show them; those that compare agents first. */
export function renderTables(summary: Summary): Markup {
  const comparisons = toComparisons(summary).map(({ title, table }) => renderTable(title, table));
  return html`${comparisons}${summary.suites.map(renderSuite)}`;
}

function renderSuite(suite: SuiteSummary): Markup {
  const sentences = [
    suite.macro_accuracy === null ? null : `Mean of the groups: ${formatRate(suite.macro_accuracy)}.`,
    suite.chance === null ? null : `Chance level: ${formatRate(suite.chance)}.`,
    describePartial(suite),
  ].filter((sentence) => sentence !== null);
  const said =
    sentences.length === 0
      ? NOTHING
      : html`<p class="said">${sentences.join(' ')}</p>
`;
  return html`<div class="suite">${renderTable(renderTitle(suite), toSuiteTable(suite))}${said}</div>
`;
}

/** This run against the one of EVAL_BASELINE; nothing without one. */
export function renderBaseline(comparison: RunComparison | null): Markup {
  if (comparison === null) return NOTHING;
  const suites = comparison.suites.map((suite) => {
    const lines = [...toLegend(suite), ...toComparisonLines(suite)];
    const table = renderTable(`${suite.suite} · ${suite.dataset}: B against A`, toComparisonTable(suite));
    return html`${table}${renderList(lines)}`;
  });
  return html`<section id="baseline"><h2>Against the baseline</h2>
${suites}${renderList(comparison.not_compared)}</section>
`;
}

function renderList(lines: readonly string[]): Markup {
  if (lines.length === 0) return NOTHING;
  return html`<ul class="remarks">${lines.map((line) => html`<li>${line}</li>`)}</ul>
`;
}

/** Accuracy by group, and costs where several agents have some. */
export function renderAccuracy(summary: Summary): Markup {
  return html`<section id="accuracy"><h2>Accuracy by group</h2>
${bySuite(summary).map(({ title, agents }) => html`${renderAccuracyChart(title, agents)}${renderCostChart(title, agents)}`)}</section>
`;
}

/** How long answers took; nothing where nobody knows. */
export function renderLatency(summary: Summary, results: readonly SampleResult[]): Markup {
  const byAgent = Map.groupBy(results, toSuiteKey);
  const charts = bySuite(summary).flatMap(({ title, agents }) => {
    const all = agents.map((agent) => ({ agent, times: toLatencies(agent, byAgent.get(toSuiteKey(agent)) ?? []) }));
    const timed = all.filter(({ times }) => times.answered.length + times.deadlines.length > 0);
    const domain = findDomain(timed.map(({ times }) => times));
    return timed.map(({ agent, times }) => {
      const name = agents.length === 1 ? title : `${title} · ${agent.agent}`;
      return renderLatencyChart(`How many answers of ${name} took how long`, times, domain);
    });
  });
  return charts.length === 0
    ? NOTHING
    : html`<section id="latency"><h2>Latency</h2>
${charts}</section>
`;
}

function toLatencies({ groups }: SuiteSummary, results: readonly SampleResult[]): Latencies {
  const all = groups.at(-1);
  const timed = (ended: boolean) =>
    results
      .filter(({ state }) => (STATES[state].latency === 'deadline') === ended)
      .map(timedLatency)
      .filter((latency) => latency !== null);
  return {
    answered: timed(false),
    deadlines: timed(true),
    median: toFigure(all?.median_latency_ms, all?.median_censored),
    p95: toFigure(all?.p95_latency_ms, all?.p95_censored),
  };
}

function toFigure(ms: number | null = null, censored = false) {
  return ms === null ? null : { ms, censored };
}

/** What became of the questions, and why those failed that did. */
export function renderStates(summary: Summary, results: readonly SampleResult[]): Markup {
  const charts = bySuite(summary).map(({ title, agents }) => renderStatesChart(title, agents));
  return html`<section id="states"><h2>States and reasons</h2>
${charts}${renderReasons(results)}</section>
`;
}

function renderReasons(results: readonly SampleResult[]): Markup {
  const explained = results.filter(({ reason }) => reason !== null);
  if (explained.length === 0) return NOTHING;
  const counts = Map.groupBy(explained, ({ suite, agent, state, reason }) =>
    JSON.stringify([suite, agent, state, reason]),
  );
  const rows = [...counts.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((alike) => {
      const [first] = alike;
      if (first === undefined) return [];
      const ids = alike.slice(0, 3).map(({ id }) => id);
      const more = alike.length > 3 ? `, and ${alike.length - 3} more` : '';
      const { suite, agent, state, reason } = first;
      return [[reason ?? '', STATES[state].label, suite, agent, String(alike.length), `${ids.join(', ')}${more}`]];
    });
  return renderTable('Reasons, the most frequent first', {
    align: ['left', 'left', 'left', 'left', 'right', 'left'],
    rows: [['reason', 'state', 'suite', 'agent', 'n', 'ids'], ...rows.slice(0, 60)],
  });
}

/** Whether stated confidence means anything, and whether the place of an option does; nothing of other questions. */
export function renderChoices({ suites }: Summary): Markup {
  const parts = suites.flatMap((suite) => {
    const confidence = toConfidenceTable(suite);
    const positions = toPositionTable(suite);
    const title = renderTitle(suite);
    return [
      ...(confidence === null ? [] : [renderConfidenceChart(title, suite.confidence)]),
      ...(positions === null
        ? []
        : [renderTable(`By position of the right option, as presented, ${title}`, positions)]),
    ];
  });
  if (parts.length === 0) return NOTHING;
  const title = suites.some(({ positions }) => positions.length > 0) ? 'Confidence and position' : 'Confidence';
  return html`<section id="confidence"><h2>${title}</h2>
${parts}</section>
`;
}

function bySuite({ suites }: Summary) {
  const grouped = Map.groupBy(suites, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...grouped.values()].map((agents) => {
    const [first] = agents;
    const single = agents.length === 1 && first !== undefined;
    const title = first === undefined ? '' : single ? renderTitle(first) : `${first.suite} · ${first.dataset}`;
    return { title, agents };
  });
}

/** What every rule would have said of each suite and agent; nothing where no answer was scored by rules. */
export function renderAudit(audit: Audit): Markup {
  const { suites } = audit;
  if (suites.length === 0) return NOTHING;
  const note = isSemanticApplied(audit)
    ? html`<p>Note: ${SEMANTIC_NOTE}.</p>
`
    : NOTHING;
  return html`<section id="rules"><h2>Rule audit</h2>
<p>The verdict that counts is the official rule on the extracted answer. The other rules, and all rules on the whole output, are applied beside it: they show near misses and change no figure. In the table of cases below, "rules" finds the cases in which they disagree.</p>
${note}${suites.map(renderSuiteAudit)}</section>
`;
}

function renderSuiteAudit({ suite, dataset, agent, n, correct, rules }: SuiteAudit): Markup {
  const head = ['rule', 'applied to', 'right', 'rate', 'false positives', 'false negatives'];
  const measure = ['official', 'extracted answer', String(correct), formatRate(n === 0 ? null : correct / n), '-', '-'];
  return renderTable(`${suite} · ${dataset} · ${agent}: ${plural(n, 'output')} with a known truth`, {
    align: ['left', 'left', 'right', 'right', 'right', 'right'],
    rows: [head, measure, ...rules.map((figures) => toRow(figures, n))],
  });
}

function toRow({ rule, on, correct, false_positives, false_negatives }: RuleFigures, n: number): readonly string[] {
  const target = on === 'answer' ? 'extracted answer' : 'whole output';
  const rate = formatRate(n === 0 ? null : correct / n);
  return [rule, target, String(correct), rate, String(false_positives), String(false_negatives)];
}
