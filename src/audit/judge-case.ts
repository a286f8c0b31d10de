import { canEqual } from '../scoring/gaia/rules/can-equal.ts';
import { gaiaRules } from '../scoring/gaia/rules/index.ts';
import type { OptInRule } from '../scoring/gaia/rules/opt-in.ts';
import type { GaiaRule } from '../scoring/gaia/rules/rule.ts';
import type { SampleResult } from '../types.ts';

/** What the rules say of one result: a bit for each rule that accepts, in the order of `listRules`. */
export type CaseAudit = { readonly answer: number; readonly output: number };

/** Verdicts on extracted answers that a rule gave elsewhere, such as one that has to ask a server. */
export type KnownVerdicts = ReadonlyMap<string, (row: SampleResult) => boolean>;

/** What is applied beside the rules that every row has verdicts of. */
export type AuditOptions = {
  readonly optIns: readonly OptInRule[];
  /** What a result's record accepts beside its truth. */
  accepted(result: SampleResult): readonly string[];
  readonly known: KnownVerdicts;
  /** Why verdicts of some rule are not among the known ones. */
  readonly problems?: readonly string[];
};

/** The names of all rules that an audit applies. */
export function listRules({ optIns, known }: AuditOptions): readonly string[] {
  return [...gaiaRules, ...optIns].map(({ name }) => name).concat([...known.keys()]);
}

/** Whether the rule at a place accepts, by the bits of a `CaseAudit`. */
export function hasBit(bits: number, place: number): boolean {
  return Math.floor(bits / 2 ** place) % 2 === 1;
}

type Case = { readonly row: SampleResult; readonly output: string; readonly target: string };

/** Applies every rule to the extracted answer and to the whole output of a result. No rule accepts a missing answer. */
export function judgeCase({ row, output, target }: Case, { optIns, accepted, known }: AuditOptions): CaseAudit {
  let [answer, whole, bit] = [0, 0, 1];
  const isShort = canEqual(output, target);
  for (const rule of gaiaRules) {
    if (judgeAnswer(rule, row, target)) answer += bit;
    if ((isShort || !EQUALITY.has(rule.name)) && rule.judge(output, target).correct) whole += bit;
    bit *= 2;
  }
  for (const optIn of optIns) {
    const rule = optIn.create(accepted(row));
    if (row.answer !== null && rule.judge(row.answer, target).correct) answer += bit;
    if (rule.judge(output, target).correct) whole += bit;
    bit *= 2;
  }
  for (const accepts of known.values()) {
    if (accepts(row)) answer += bit;
    bit *= 2;
  }
  return { answer, output: whole };
}

/** The row has the verdicts of all rules that there were when it was written. */
function judgeAnswer({ name, judge }: GaiaRule, { answer, rules, state }: SampleResult, target: string): boolean {
  if (answer === null) return false;
  if (name === 'official') return rules?.[name] ?? state === 'correct';
  return rules?.[name] ?? judge(answer, target).correct;
}

const EQUALITY: ReadonlySet<string> = new Set(['official', 'exact']);
