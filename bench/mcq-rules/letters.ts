import type { RuleQuestion } from './rule.ts';

/** A character class of the question's labels, "[A-D]" for four. */
export function letterClass({ labels }: RuleQuestion): string {
  return `[${labels.filter((label) => /^[A-Z]$/u.test(label)).join('')}]`;
}

/** One label or none, as the set that rules return. */
export function asSet(letter: string | undefined): readonly string[] | null {
  return letter === undefined || letter === '' ? null : [letter];
}
