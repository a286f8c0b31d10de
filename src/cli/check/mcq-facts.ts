import { compareNaturally } from '../../metrics/natural-order.ts';
import { isAllStatement, isNoneStatement } from '../../scoring/mcq/all-none.ts';
import { plural } from '../../text/plural.ts';
import type { Sample } from '../../types.ts';
import { countBy, type Fact, toShares } from './facts.ts';

/** What is to be said of multiple-choice samples: their options, and where the right ones are. */
export function mcqFacts(samples: readonly Sample[]): readonly Fact[] {
  const sizes = [...countBy(samples, ({ choices = {} }) => plural(Object.keys(choices).length, 'option'))];
  const answers = [...countBy(samples, nameAnswer)];
  const all = samples.filter((sample) => namesOption(sample, isAllStatement)).length;
  const none = samples.filter((sample) => namesOption(sample, isNoneStatement)).length;
  const repeating = samples.filter(repeatsOption).length;
  return [
    ['options', toShares(sizes.sort(byName), samples.length)],
    ['answers', toShares(answers.sort(byAnswer), samples.length)],
    ['all / none', `right options that say "all of the above": ${all}, "none of the above": ${none}`],
    ['equal options', repeating === 0 ? 'none' : `in ${repeating} of ${plural(samples.length, 'question')}`],
  ];
}

const LAST = ['several', 'NONE', 'hidden'];

function nameAnswer({ target }: Sample): string {
  if (target === null) return 'hidden';
  return target.includes(',') ? 'several' : target;
}

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return compareNaturally(a, b);
}

/** Labels first, then what is none. */
function byAnswer([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return LAST.indexOf(a) - LAST.indexOf(b) || compareNaturally(a, b);
}

function namesOption({ target, choices = {} }: Sample, says: (text: string) => boolean): boolean {
  return Object.entries(choices).some(([label, text]) => label === target && says(text));
}

function repeatsOption({ choices = {} }: Sample): boolean {
  const texts = Object.values(choices);
  return new Set(texts).size < texts.length;
}
