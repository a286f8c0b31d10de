import type { Score } from '../../types.ts';
import { quote } from './official.ts';
import { OPT_IN_FORM, parseOptIn } from './opt-in-rules.ts';
import { type GaiaRule, gaiaRules, type Judgement } from './rules.ts';

/**
 * Applies a rule to the letter to an answer as given; null and the empty text included (for the official rule null is
 * the text "None"). Throws a RangeError for an unknown rule.
 */
export function scoreGaia(answer: string | null, truth: string, rule = 'official'): Score {
  const { correct, explanation, partial } = judgeGaia(answer, truth, rule);
  const credit = partial === undefined ? {} : { partial: { [rule]: partial } };
  return { correct, answer, how: 'as given', rule, explanation, ...credit };
}

/**
 * As `scoreGaia`, with the forms that were compared; `accepted` is what the rule "any-of" takes beside the truth. Throws
 * a RangeError for an unknown rule.
 */
export function judgeGaia(
  answer: string | null,
  truth: string,
  rule = 'official',
  accepted: readonly string[] = [],
): Judgement {
  return findRule(rule, accepted).judge(answer, truth);
}

function findRule(name: string, accepted: readonly string[]): GaiaRule {
  const rule = gaiaRules.find((known) => known.name === name) ?? parseOptIn(name)?.create(accepted);
  if (rule !== undefined) return rule;
  const names = gaiaRules.map((known) => known.name).join(', ');
  throw new RangeError(
    `Unknown GAIA scoring rule: got ${quote(String(name))}. Use one of: ${names}. Opt-in: ${OPT_IN_FORM}.`,
  );
}
