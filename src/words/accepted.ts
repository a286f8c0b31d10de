import type { SampleResult } from './row.ts';
import type { Sample } from './sample.ts';
import { toText } from './show.ts';

/** The texts any one of which is the right answer of a sample, or of its row: one, unless it accepts several. */
export function listAccepted({
  target,
  accepts,
}: Pick<Sample | SampleResult, 'target' | 'accepts'>): readonly string[] {
  const isAny = accepts === 'any' && Array.isArray(target);
  return isAny ? target.map((each) => toText(each)) : [toText(target)];
}
