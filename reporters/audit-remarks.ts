import type { Audit, RuleFigures, SuiteAudit } from '../src/audit/audit-rules.ts';
import type { Remark } from './remark.ts';

/**
 * Where other rules disagree with the verdicts that count, a sentence for each suite and agent; nothing where none does.
 * Of the rules that were asked for by name it is said too that they agree.
 */
export function toAuditRemarks({ suites }: Audit, named: readonly unknown[]): readonly Remark[] {
  return suites.flatMap((audit) => {
    const [onAnswers, onOutputs] = [list(audit, 'answer', named), list(audit, 'output', named)];
    const parts = [onAnswers, ...(onOutputs === '' ? [] : [`on whole outputs: ${onOutputs}`])];
    const text = `rule audit: ${parts.filter((part) => part !== '').join('; ')}`;
    return onAnswers === '' && onOutputs === '' ? [] : [{ suite: audit.suite, agent: audit.agent, text }];
  });
}

/** How the counts are to be read, and which rules could not be applied. */
export function toAuditNotes(audit: Audit, named: readonly unknown[]): readonly string[] {
  const legend = 'rule audit: + wrong answers that a rule would accept, - right ones that it would reject';
  return [
    ...(toAuditRemarks(audit, named).length > 0 ? [legend] : []),
    ...(isSemanticApplied(audit) ? [`rule audit: ${SEMANTIC_NOTE}`] : []),
    ...audit.problems.map((problem) => `rule audit: ${problem}`),
  ];
}

export const SEMANTIC_NOTE =
  'semantic is applied to extracted answers alone: the embedding of a whole output says little of the answer in it';

export function isSemanticApplied({ suites }: Audit): boolean {
  return suites.some(({ rules }) => rules.some(({ rule }) => rule.startsWith('semantic:')));
}

function list({ rules }: SuiteAudit, on: RuleFigures['on'], named: readonly unknown[]): string {
  const own = rules.filter((figures) => figures.on === on);
  const shown = own.filter(
    ({ rule, false_positives, false_negatives }) => false_positives + false_negatives > 0 || named.includes(rule),
  );
  return shown.map(describe).join(', ');
}

/** "+" are wrong answers that the rule would accept, "-" right ones that it would reject. */
function describe({ rule, false_positives, false_negatives }: RuleFigures): string {
  return `${rule} +${false_positives} -${false_negatives}`;
}
