import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import type { Sample } from '../../types.ts';
import type { Place } from '../record-fields.ts';

/** Throws a RecordError where one question with the same options, in any order, has two truths: one of them is wrong. */
export function refuseContradictions(samples: readonly Sample[], places: readonly Place[]): void {
  const known = new Map<string, { readonly sample: Sample; readonly truth: string }>();
  for (const [index, sample] of samples.entries()) {
    if (sample.target === null) continue;
    const key = JSON.stringify([sample.input, Object.values(sample.choices ?? {}).toSorted()]);
    const truth = textsOf(sample, sample.target);
    const first = known.get(key);
    if (first === undefined) known.set(key, { sample, truth });
    else if (first.truth !== truth) throw contradiction(first.sample, sample, places[index]);
  }
}

function textsOf({ choices }: Sample, target: string): string {
  const texts = new Map(Object.entries(choices ?? {}));
  return JSON.stringify(
    target
      .split(',')
      .map((label) => texts.get(label) ?? label)
      .toSorted(),
  );
}

/** The same label may name another text where the options stand in another order. */
function describeTruth({ target, choices }: Sample): string {
  const texts = new Map(Object.entries(choices ?? {}));
  return (target ?? '?')
    .split(',')
    .map((label) => (texts.has(label) ? `${label} (${quote(texts.get(label) ?? '')})` : label))
    .join(', ');
}

function contradiction(first: Sample, second: Sample, place: Place | undefined): RecordError {
  return new RecordError({
    file: '',
    ...place,
    problem: `${quote(first.id)} and ${quote(second.id)} ask the same question with the same options, but have different answers`,
    detail: `${describeTruth(first)} against ${describeTruth(second)}`,
    remedy: 'Correct the one that is wrong, or leave one of them out.',
  });
}
