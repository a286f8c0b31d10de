import type { Audit, RuleFigures, SuiteAudit } from '../src/audit/audit-rules.ts';

/** Where other rules disagree with the verdicts that count: two lines of counts for each suite and agent. */
export function toAuditRemarks({ suites, problems }: Audit): readonly string[] {
  const counts = suites.flatMap((suite) => [
    `${nameSuite(suite)}: rule audit (+ false positives, - false negatives; official: ${suite.correct} of ${suite.n} right) on the answers: ${list(suite, 'answer')}`,
    `${nameSuite(suite)}: rule audit on whole outputs: ${list(suite, 'output')}`,
  ]);
  return [...counts, ...problems.map((problem) => `rule audit: ${problem}`)];
}

function nameSuite({ suite, agent }: SuiteAudit): string {
  return `${suite}, ${agent}`;
}

function list({ rules }: SuiteAudit, on: RuleFigures['on']): string {
  const own = rules.filter((figures) => figures.on === on);
  return own.map(describe).join(', ');
}

/** "+" are wrong answers that the rule would accept, "-" right ones that it would reject. */
function describe({ rule, false_positives, false_negatives }: RuleFigures): string {
  return `${rule} +${false_positives} -${false_negatives}`;
}
