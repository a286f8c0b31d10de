import type { Audit, SuiteAudit } from '../../src/compare/audit.ts';
import type { RunComparison, SuiteComparison } from '../../src/compare/compare-runs.ts';
import { nameVariant, plural } from '../../src/text/wording.ts';
import type { Summary } from '../../src/types.ts';
import { listPromptDiffs, toComparisonLines, toComparisonTable, toLegend } from '../comparison.ts';
import { type Line, toLines } from '../remarks.ts';
import {
  formatRate,
  nameSuite,
  toConfidenceTable,
  toPositionTable,
  toSideBySide,
  toSuiteLines,
  toSuiteTable,
} from '../tables.ts';
import { renderAccuracyChart, renderCostChart } from './charts.ts';
import { html, type Markup, NOTHING, renderTable } from './markup.ts';
import { renderDiff } from './prompts.ts';

/**
 * The tables of the run, as in the terminal and in summary.md. Those that compare agents come
 * first.
 */
export function renderTables(summary: Summary): Markup {
  const comparisons = toSideBySide(summary).map(({ title, table }) => renderTable(title, table));
  const suites = summary.suites.map((suite) => {
    const lines = renderList(toLines('note', toSuiteLines(suite, { withPartial: true })));
    return html`<div class="suite">${renderTable(nameSuite(suite, summary), toSuiteTable(suite))}${lines}</div>
`;
  });
  return html`${comparisons}${suites}`;
}

/** This run compared with EVAL_BASELINE; nothing without one. */
export function renderBaseline(comparison: RunComparison | null): Markup {
  if (comparison === null) return NOTHING;
  const suites = comparison.suites.map((suite) => {
    const table = renderTable(
      `${suite.suite} · ${suite.dataset}: B against A`,
      toComparisonTable(suite),
    );
    return html`${table}${renderList(toLines('note', [...toLegend(suite), ...toComparisonLines(suite)]))}`;
  });
  return html`${suites}${renderPromptDiffs(comparison.suites)}${renderList(toLines('note', comparison.not_compared))}`;
}

/** How the prompts of comparisons differ; nothing if they do not. */
function renderPromptDiffs(comparisons: readonly SuiteComparison[]): Markup {
  return html`${listPromptDiffs(comparisons).map(({ subject, diff }) => renderDiff(subject, diff))}`;
}

/** Lines as a list, in which warnings have their own style. */
export function renderList(lines: readonly Line[]): Markup {
  if (lines.length === 0) return NOTHING;
  const toClass = ({ text, level }: Line) => (text.startsWith(' ') ? `${level} part` : level);
  const items = lines.map((line) => html`<li class="${toClass(line)}">${line.text}</li>`);
  return html`<ul class="remarks">${items}</ul>
`;
}

/** Accuracy by group, and cost if several agents have one. */
export function renderAccuracy(summary: Summary): Markup {
  const charts = groupAgents(summary).map(({ title, agents }) => [
    renderAccuracyChart(title, agents),
    renderCostChart(title, agents),
  ]);
  return html`${charts}`;
}

/**
 * Accuracy by stated confidence and by the position of the right option; nothing if answers have
 * neither.
 */
export function renderChoices(summary: Summary): Markup {
  const parts = summary.suites.flatMap((suite) => {
    const [confidence, positions] = [toConfidenceTable(suite), toPositionTable(suite)];
    const name = nameSuite(suite, summary);
    return [
      ...(confidence === null ? [] : [renderTable(`By stated confidence, ${name}`, confidence)]),
      ...(positions === null
        ? []
        : [renderTable(`By position of the right option, as presented, ${name}`, positions)]),
    ];
  });
  return parts.length === 0 ? NOTHING : html`${parts}`;
}

/** The agents of each suite and dataset. */
function groupAgents(summary: Summary) {
  const grouped = Map.groupBy(summary.suites, ({ suite, dataset }) => `${suite} · ${dataset}`);
  return [...grouped].map(([name, agents]) => {
    const [first] = agents;
    return {
      title: agents.length === 1 && first !== undefined ? nameSuite(first, summary) : name,
      agents,
    };
  });
}

/**
 * The verdicts of every rule for each suite and agent; nothing if no answer was scored by GAIA's
 * rules.
 */
export function renderAudit(audit: Audit): Markup {
  if (audit.suites.length === 0) return NOTHING;
  return html`<p>Only the official rule on the extracted answer counts. The other rules, and all rules on the whole output, show near misses and change no figure. A false positive is a wrong answer that the rule accepts; a false negative is a right answer that it rejects. To list these cases, use the filter "Rules" of the table of cases.</p>
${audit.suites.map(renderSuiteAudit)}`;
}

function renderSuiteAudit({ suite, dataset, n, correct, rules, ...side }: SuiteAudit): Markup {
  const toRow = (right: number, rule: string, target: string, ...others: readonly unknown[]) => {
    return [
      rule,
      target,
      String(right),
      formatRate(n === 0 ? null : right / n),
      ...others.map(String),
    ];
  };
  const head = ['rule', 'applied to', 'accepted', 'rate', 'false positives', 'false negatives'];
  const rows = rules.map(({ rule, on, correct: right, false_positives, false_negatives }) => {
    const target = on === 'answer' ? 'extracted answer' : 'whole output';
    return toRow(right, rule, target, false_positives, false_negatives);
  });
  return renderTable(
    `${suite} · ${dataset} · ${nameVariant(side)}: ${plural(n, 'output')} with a known expected answer`,
    {
      align: ['left', 'left', 'right', 'right', 'right', 'right'],
      rows: [head, toRow(correct, 'official', 'extracted answer', '-', '-'), ...rows],
    },
  );
}
