import type { Audit, RuleFigures, SuiteAudit } from '../../src/audit/audit-rules.ts';
import { plural } from '../../src/text/plural.ts';
import { isSemanticApplied, SEMANTIC_NOTE } from '../audit-remarks.ts';
import { formatRate } from '../figures.ts';
import { renderTable } from './html-table.ts';
import { html, type Markup, NOTHING } from './markup.ts';

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
${note}${suites.map(renderSuite)}</section>
`;
}

function renderSuite({ suite, dataset, agent, n, correct, rules }: SuiteAudit): Markup {
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
