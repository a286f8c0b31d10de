import { canEqual } from '../scoring/gaia/rules/can-equal.ts';
import { gaiaRules } from '../scoring/gaia/rules/index.ts';
import type { OptInRule } from '../scoring/gaia/rules/opt-in.ts';
import type { GaiaRule } from '../scoring/gaia/rules/rule.ts';
import type { SampleResult } from '../types.ts';

type Verdicts = Readonly<Record<string, boolean>>;

/** What each rule says of one result, by the rule's name. */
export type CaseAudit = { readonly answer: Verdicts; readonly output: Verdicts };

/** Verdicts on extracted answers that a rule gave elsewhere, such as one that has to ask a server. */
export type KnownVerdicts = ReadonlyMap<string, ReadonlyMap<SampleResult, boolean>>;

type Case = { readonly row: SampleResult; readonly output: string; readonly target: string };

/** Applies every rule to the extracted answer and to the whole output of a result. No rule accepts a missing answer. */
export function judgeCase(
  { row, output, target }: Case,
  {
    optIns,
    accepted,
    known,
  }: {
    readonly optIns: readonly OptInRule[];
    accepted(row: SampleResult): readonly string[];
    readonly known: KnownVerdicts;
  },
): CaseAudit {
  const extra = optIns.length === 0 ? [] : optIns.map((rule) => rule.create(accepted(row)));
  const answer: Record<string, boolean> = {};
  const whole: Record<string, boolean> = {};
  for (const rule of gaiaRules) {
    answer[rule.name] = judgeAnswer(rule, row, target);
    whole[rule.name] = judgeOutput(rule, output, target);
  }
  for (const rule of extra) {
    answer[rule.name] = row.answer !== null && rule.judge(row.answer, target).correct;
    whole[rule.name] = rule.judge(output, target).correct;
  }
  for (const [rule, verdicts] of known) answer[rule] = verdicts.get(row) ?? false;
  return { answer, output: whole };
}

/** The row has the verdicts of all rules that there were when it was written. */
function judgeAnswer({ name, judge }: GaiaRule, { answer, rules, state }: SampleResult, target: string): boolean {
  if (answer === null) return false;
  if (name === 'official') return rules?.[name] ?? state === 'correct';
  return rules?.[name] ?? judge(answer, target).correct;
}

const EQUALITY: ReadonlySet<string> = new Set(['official', 'exact']);

function judgeOutput({ name, judge }: GaiaRule, output: string, target: string): boolean {
  return (!EQUALITY.has(name) || canEqual(output, target)) && judge(output, target).correct;
}
