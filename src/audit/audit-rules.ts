import { createSuiteKey } from '../metrics/suite-key.ts';
import type { SampleResult } from '../types.ts';
import { type AuditOptions, type CaseAudit, hasBit, judgeCase, listRules } from './judge-case.ts';

/** How one rule would have judged the results of a suite and agent, beside the verdicts that count. */
export type RuleFigures = {
  readonly rule: string;
  /** Applied to the extracted answer, or to the whole output. */
  readonly on: 'answer' | 'output';
  readonly correct: number;
  /** Right by this rule, wrong by the verdict that counts. */
  readonly false_positives: number;
  /** Wrong by this rule, right by the verdict that counts. */
  readonly false_negatives: number;
};

export type SuiteAudit = Pick<SampleResult, 'suite' | 'dataset' | 'agent'> & {
  /** Results with an output and a known truth. */
  readonly n: number;
  readonly correct: number;
  readonly rules: readonly RuleFigures[];
};

export type Audit = {
  /** The names of the rules, in the order of the bits of each case. */
  readonly rules: readonly string[];
  readonly suites: readonly SuiteAudit[];
  readonly cases: ReadonlyMap<SampleResult, CaseAudit>;
  /** Why a rule that was asked for could not be applied. */
  readonly problems: readonly string[];
};

/**
 * Applies every rule to the extracted answer and to the whole output of each result that was scored by GAIA's rules.
 * The verdict of the row is the measure: a rule that differs from it accepts or rejects wrongly. Changes no figure.
 */
export function auditRules(results: readonly SampleResult[], options: AuditOptions): Audit {
  const suites = [...Map.groupBy(results, createSuiteKey()).values()].filter((rows) =>
    rows.some(({ rules }) => rules !== null),
  );
  const audited = suites.map((rows) => rows.flatMap((row) => judgeRow(row, options)));
  const rules = listRules(options);
  const counted = audited
    .map((judged) => countSuite(judged, rules, options.known.size))
    .filter((suite) => suite !== null);
  return {
    rules: counted.length === 0 ? [] : rules,
    suites: counted,
    problems: options.problems ?? [],
    cases: new Map(audited.flat().map(({ row, audit }) => [row, audit])),
  };
}

type Judged = { readonly row: SampleResult; readonly audit: CaseAudit };

function judgeRow(row: SampleResult, options: AuditOptions): readonly Judged[] {
  if (row.output === null || row.target === null || row.state === 'ungraded') return [];
  const { output, target } = row;
  return [{ row, audit: judgeCase({ row, output, target }, options) }];
}

/** The last `asked` rules know answers alone: their server was not asked about whole outputs. */
function countSuite(judged: readonly Judged[], rules: readonly string[], asked: number): SuiteAudit | null {
  const [first] = judged;
  if (first === undefined) return null;
  const { suite, dataset, agent } = first.row;
  const correct = judged.filter(({ row }) => row.state === 'correct').length;
  const figures = (on: RuleFigures['on'], names: readonly string[]) =>
    names.map((rule) => countRule(judged, { rule, on, place: rules.indexOf(rule) }));
  // The official rule on the extracted answer is the measure itself.
  const onAnswer = figures(
    'answer',
    rules.filter((rule) => rule !== 'official'),
  );
  const onOutput = figures('output', rules.slice(0, rules.length - asked));
  return { suite, dataset, agent, n: judged.length, correct, rules: [...onAnswer, ...onOutput] };
}

type Applied = Pick<RuleFigures, 'rule' | 'on'> & { readonly place: number };

function countRule(judged: readonly Judged[], { rule, on, place }: Applied): RuleFigures {
  const counts = { correct: 0, false_positives: 0, false_negatives: 0 };
  for (const { row, audit } of judged) {
    const accepts = hasBit(audit[on], place);
    const counted = row.state === 'correct';
    if (accepts) counts.correct += 1;
    if (accepts && !counted) counts.false_positives += 1;
    if (!accepts && counted) counts.false_negatives += 1;
  }
  return { rule, on, ...counts };
}
