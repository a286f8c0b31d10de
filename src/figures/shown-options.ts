import type { LoggedQuestion } from '../store/run-folder.ts';
import type { SampleResult } from '../words/row.ts';
import { compareNaturally } from './groups.ts';

/** An option by the label that an agent saw, and by the dataset's own. */
export type ShownOption = Readonly<{ label: string; own: string; text: string }>;

/** The options as a trial saw them. Where they were shuffled, labels stayed and texts moved. */
export function listShown(
  { choices = [] }: Pick<LoggedQuestion, 'choices'> = {},
  { presented }: Pick<SampleResult, 'presented'>,
): readonly ShownOption[] {
  const texts = new Map(choices);
  return choices.map(([label], index) => {
    const own = presented?.order[index] ?? label;
    return { label, own, text: texts.get(own) ?? '' };
  });
}

/** Labels of a row, such as its target, as the agent saw them. */
export function toShownLabels(labels: string, shown: readonly ShownOption[]): string {
  return rename(labels, new Map(shown.map(({ own, label }) => [own, label])));
}

/** Labels as the agent saw them, in the dataset's own. */
export function toOwnLabels(labels: string, shown: readonly ShownOption[]): string {
  return rename(labels, new Map(shown.map(({ own, label }) => [label, own])));
}

/** Labels such as "A,D" by other names, in the order of the alphabet. */
function rename(labels: string, names: ReadonlyMap<string, string>): string {
  return labels
    .split(',')
    .map((label) => names.get(label) ?? label)
    .sort(compareNaturally)
    .join(',');
}
