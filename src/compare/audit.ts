import { groupBySide } from '../metrics/groups.ts';
import { findRule, gaiaRules, parseOptIn } from '../scoring/gaia/rules.ts';
import { isCorrect, isCounted } from '../states.ts';
import { type LoggedQuestion, readQuestions } from '../store/run-folder.ts';
import { pickVariant } from '../text/wording.ts';
import type { SampleResult } from '../types.ts';

/**
 * The verdicts of one rule on the results of a suite and agent, compared with the official
 * verdicts.
 */
export type RuleFigures = {
  readonly rule: string;
  /** Applied to the extracted answer, or to the whole output. */
  readonly on: 'answer' | 'output';
  readonly correct: number;
  /** Right by this rule, wrong by the official verdict. */
  readonly false_positives: number;
  /** Wrong by this rule, right by the official verdict. */
  readonly false_negatives: number;
};

export type SuiteAudit = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'prompt'> & {
  /** Results with an output and a known expected answer. */
  readonly n: number;
  readonly correct: number;
  readonly rules: readonly RuleFigures[];
};

export type Audit = {
  /** Names in the order of the bits of each case. */
  readonly rules: readonly string[];
  readonly suites: readonly SuiteAudit[];
  /** The verdicts on each result: a bit for each rule that accepts it. */
  readonly cases: ReadonlyMap<SampleResult, CaseAudit>;
};

export type CaseAudit = { readonly answer: number; readonly output: number };

/** A result with an output and an expected answer. Its answer is null if none was found. */
type JudgedRow = SampleResult & { readonly output: string; readonly target: string };

/** A rule of the audit. No rule accepts a missing answer. */
export type AuditRule = {
  readonly name: string;
  acceptsAnswer(row: JudgedRow, answer: string): boolean;
  acceptsOutput(row: JudgedRow): boolean;
};

/**
 * Applies every rule to the extracted answer and to the whole output of each result that GAIA's
 * rules scored. The row's verdict is taken as true: a rule with another verdict accepts or rejects
 * wrongly. Changes no figure.
 */
export function auditRules(
  results: readonly SampleResult[],
  rules: readonly AuditRule[],
  known: Audit['cases'] = new Map(),
): Audit {
  // A row without an answer has no verdicts of rules, but other rows of its suite have.
  const judged = [...groupBySide(results.filter(isJudged)).values()].filter((rows) =>
    rows.some(isScored),
  );
  const cases = new Map<SampleResult, CaseAudit>();
  for (const row of judged.flat()) cases.set(row, known.get(row) ?? judge(row, rules));
  const suites = judged.map((rows) => countSuite(rows, rules, cases));
  return { rules: suites.length === 0 ? [] : rules.map(({ name }) => name), suites, cases };
}

/** The verdict on a row that may be audited later; null if it has no verdicts of rules. */
export function judgeEarly(row: SampleResult, rules: readonly AuditRule[]): CaseAudit | null {
  return isScored(row) && isJudged(row) ? judge(row, rules) : null;
}

function isScored({ rules }: SampleResult): boolean {
  return rules !== null;
}

function isJudged(row: SampleResult): row is JudgedRow {
  return row.output !== null && row.target !== null && isCounted(row);
}

function judge(row: JudgedRow, rules: readonly AuditRule[]): CaseAudit {
  const { answer } = row;
  return {
    answer: toBits(rules, (rule) => answer !== null && rule.acceptsAnswer(row, answer)),
    output: toBits(rules, (rule) => rule.acceptsOutput(row)),
  };
}

/** Not a bit operation: there may be more rules than those have bits. */
function toBits(rules: readonly AuditRule[], accepts: (rule: AuditRule) => boolean): number {
  return rules.reduce((bits, rule, place) => (accepts(rule) ? bits + 2 ** place : bits), 0);
}

function countSuite(
  rows: readonly [JudgedRow, ...JudgedRow[]],
  rules: readonly AuditRule[],
  cases: Audit['cases'],
): SuiteAudit {
  const right = rows.filter(isCorrect).length;
  const count = (on: RuleFigures['on']) => (rule: AuditRule) => {
    const place = 2 ** rules.indexOf(rule);
    const accepted = rows.filter(
      (row) => Math.floor((cases.get(row)?.[on] ?? 0) / place) % 2 === 1,
    );
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
    ...rules.filter(({ name }) => name !== 'official').map(count('answer')),
    ...rules.map(count('output')),
  ];
  return { suite, dataset, ...pickVariant(first), n: rows.length, correct: right, rules: figures };
}

/** The built-in rules and those of EVAL_AUDIT. `accepted` lists a record's other right answers. */
export function listAuditRules(
  names: readonly string[],
  accepted: (row: SampleResult) => readonly string[],
): readonly AuditRule[] {
  const builtIn = gaiaRules.map(({ name, judge: apply }): AuditRule => {
    return {
      name,
      // The row has the verdicts of all rules that existed when it was written.
      acceptsAnswer(row, answer) {
        const recorded = row.rules?.[name] ?? (name === 'official' ? isCorrect(row) : null);
        return recorded ?? apply(answer, row.target).correct;
      },
      acceptsOutput: ({ output, target }) => apply(output, target).correct,
    };
  });
  const optIns = names.flatMap((name): readonly AuditRule[] => {
    if (parseOptIn(name) === null) return [];
    const accepts = (row: JudgedRow, text: string) =>
      findRule(name, accepted(row)).judge(text, row.target).correct;
    return [{ name, acceptsAnswer: accepts, acceptsOutput: (row) => accepts(row, row.output) }];
  });
  return [...builtIn, ...optIns];
}

/** Reads the other right answers of a run's records from its question files. */
export function readAccepted(folder: string): (row: SampleResult) => readonly string[] {
  const logs = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  return ({ suite, id }) => {
    const log = logs.get(suite) ?? readQuestions(folder, suite);
    logs.set(suite, log);
    return log.get(id)?.accepted ?? [];
  };
}
