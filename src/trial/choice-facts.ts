import type { Sample, SampleResult } from '../types.ts';

/** What a row says of a multiple-choice question beside its answer; nothing of other questions. */
export function choiceFacts(sample: Sample): Pick<SampleResult, 'options' | 'multiple' | 'presented'> {
  const { choices, multiple } = sample;
  if (choices === undefined) return {};
  return { options: Object.keys(choices).length, multiple: multiple ?? null, ...presentedFact(sample, null) };
}

/** Labels as the dataset has them, for labels ("A,D") under which options were presented in another order. */
export function toOwnLabels<Labels extends string | null>(labels: Labels, { presentation }: Sample): Labels | string {
  if (labels === null || presentation === undefined) return labels;
  const ownLabels = new Map(Object.entries(presentation.ownLabels));
  const order = [...ownLabels.keys()];
  const own = labels.split(',').map((label) => ownLabels.get(label) ?? label);
  return own.sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(',');
}

/** Where the right and the chosen options stood when they were presented in another order. */
export function presentedFact(sample: Sample, answer: string | null): Pick<SampleResult, 'presented'> {
  const { presentation, target } = sample;
  if (presentation === undefined || target === null) return {};
  const order = Object.keys(presentation.ownLabels);
  const places = (labels: string) =>
    labels
      .split(',')
      .map((label) => order.indexOf(label) + 1)
      .filter((place) => place > 0);
  const { seed } = presentation;
  return { presented: { seed, target: places(target), answer: answer === null ? null : places(answer) } };
}
