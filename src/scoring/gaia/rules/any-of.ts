import { plural } from '../../../text/plural.ts';
import { official } from './official.ts';
import type { GaiaRule } from './rule.ts';

/** Opt-in: the official rule with any of several answers, the truth and those that the record accepts beside it. */
export function createAnyOf(name: string, accepted: readonly string[]): GaiaRule {
  return {
    name,
    judge(answer, truth) {
      const judgements = [truth, ...accepted].map((each) => official.judge(answer, each));
      const found = judgements.find(({ correct }) => correct) ?? official.judge(answer, truth);
      const several = `any of ${plural(judgements.length, 'accepted answer')}`;
      return { ...found, explanation: `${several}, ${found.explanation}` };
    },
  };
}
