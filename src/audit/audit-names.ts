import { OPT_IN_FORM, parseOptIn } from '../scoring/gaia/rules/opt-in.ts';

/** A rule that asks a server how near two texts are: the model of its embeddings and the least similarity (-1 to 1). */
export type SemanticRule = { readonly name: string; readonly model: string; readonly least: number };

/** What EVAL_AUDIT may name. */
export const AUDIT_FORM = `${OPT_IN_FORM}, semantic:MODEL or semantic:MODEL@SIMILARITY`;

const LEAST_NEAR = 0.8;

/** Whether a name is a rule for the audit. */
export function isAuditRule(name: string): boolean {
  return parseOptIn(name) !== null || parseSemantic(name) !== null;
}

/** What is wrong with the rules that a project commits, one sentence each. */
export function findAuditProblems(names: readonly string[]): readonly string[] {
  const wrong = names.filter((name) => !isAuditRule(name));
  return wrong.map((name) => `"audit" in vitest.config.ts must be ${AUDIT_FORM}, got ${JSON.stringify(name)}.`);
}

/** Reads "semantic:MODEL" or "semantic:MODEL@0.8"; null when it is neither. */
export function parseSemantic(name: string): SemanticRule | null {
  const [, model, least] = /^semantic:([^@\s]{1,200})(?:@(\d(?:\.\d{1,9})?))?$/.exec(name) ?? [];
  if (model === undefined || Number(least ?? 0) > 1) return null;
  return { name, model, least: least === undefined ? LEAST_NEAR : Number(least) };
}
