import { groupByVariant } from '../figures/groups.ts';
import type { GaiaRule } from '../scoring/gaia/official.ts';
import { gaiaRules } from '../scoring/gaia/rules.ts';
import { listAccepted } from '../words/accepted.ts';
import { isCorrect, isCounted, type SampleResult } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { toText, toTextOrNull } from '../words/show.ts';
import { pickVariant } from '../words/wording.ts';

/**
 * The verdicts of one rule on the results of a suite and agent, compared with the official
 * verdicts.
 */
type RuleFigures = Readonly<{
  rule: string;
  /** Applied to the extracted answer, or to the whole output. */
  on: 'answer' | 'output';
  correct: number;
  /** Right by this rule, wrong by the official verdict. */
  false_positives: number;
  /** Wrong by this rule, right by the official verdict. */
  false_negatives: number;
}>;

export type SuiteAudit = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'prompt'> &
  Readonly<{
    /** Results with an output and a known expected answer. */
    n: number;
    correct: number;
    rules: readonly RuleFigures[];
  }>;

export type Audit = Readonly<{
  /** Names in the order of the bits of each case. */
  rules: readonly string[];
  suites: readonly SuiteAudit[];
  /** The verdicts on each result: a bit for each rule that accepts it. */
  cases: ReadonlyMap<SampleResult, CaseAudit>;
}>;

export type CaseAudit = Readonly<{ answer: number; output: number }>;

/** A result with an output and an expected answer. Its answer is null if none was found. */
type JudgedRow = SampleResult & Readonly<{ output: Json; target: Json }>;

/**
 * Applies every rule to the extracted answer and to the whole output of each result that GAIA's
 * rules scored. The row's verdict is taken as true: a rule with another verdict accepts or rejects
 * wrongly. Changes no figure.
 */
export function auditRules(
  results: readonly SampleResult[],
  known: Audit['cases'] = new Map(),
): Audit {
  // A row without an answer has no verdicts of rules, but other rows of its suite have.
  const judged = [...groupByVariant(results.filter(isJudged)).values()].filter((rows) =>
    rows.some(isScored),
  );
  const cases = new Map<SampleResult, CaseAudit>();
  for (const row of judged.flat()) cases.set(row, known.get(row) ?? auditRow(row));
  const suites = judged.map((rows) => countSuite(rows, cases));
  return { rules: suites.length === 0 ? [] : gaiaRules.map(({ name }) => name), suites, cases };
}

/** The verdict on a row that may be audited later; null if it has no verdicts of rules. */
export function auditEarly(row: SampleResult): CaseAudit | null {
  return isScored(row) && isJudged(row) ? auditRow(row) : null;
}

function isScored({ rules }: SampleResult): boolean {
  return rules !== null;
}

function isJudged(row: SampleResult): row is JudgedRow {
  return row.output !== null && row.target !== null && isCounted(row);
}

/** The row has the verdicts of the rules on its answer. */
function auditRow(row: JudgedRow): CaseAudit {
  const answer = toTextOrNull(row.answer);
  const output = toText(row.output);
  const targets = listAccepted(row);
  const accepts = ({ judge }: GaiaRule, text: string) =>
    targets.some((target) => judge(text, target).correct);
  return {
    answer: toBits((rule) => answer !== null && (row.rules?.[rule.name] ?? accepts(rule, answer))),
    output: toBits((rule) => accepts(rule, output)),
  };
}

function toBits(accepts: (rule: GaiaRule) => boolean): number {
  return gaiaRules.reduce((bits, rule, place) => (accepts(rule) ? bits + 2 ** place : bits), 0);
}

function countSuite(rows: readonly [JudgedRow, ...JudgedRow[]], cases: Audit['cases']): SuiteAudit {
  const right = rows.filter(isCorrect).length;
  const count = (on: RuleFigures['on']) => (rule: GaiaRule) => {
    const bit = 2 ** gaiaRules.indexOf(rule);
    const accepted = rows.filter((row) => ((cases.get(row)?.[on] ?? 0) & bit) !== 0);
    const both = accepted.filter(isCorrect).length;
    const [correct, false_positives, false_negatives] = [
      accepted.length,
      accepted.length - both,
      right - both,
    ];
    return { rule: rule.name, on, correct, false_positives, false_negatives };
  };
  const [first] = rows;
  const { suite, dataset } = first;
  const figures = [
    // The official rule on the extracted answer is what the others are compared with.
    ...gaiaRules.filter(({ name }) => name !== 'official').map(count('answer')),
    ...gaiaRules.map(count('output')),
  ];
  return { suite, dataset, ...pickVariant(first), n: rows.length, correct: right, rules: figures };
}
