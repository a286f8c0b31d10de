import { plural } from '../../text/wording.ts';
import type { Dataset, Presentation, Sample } from '../../types.ts';
import { isClosing, orderOptions } from './options.ts';
import { refersToOptions } from './written-labels.ts';

/** A dataset with the options of each question in an order that follows from its id and the seed, and a note of it. */
export function shuffleDataset(dataset: Dataset, seed: number): Dataset {
  const samples = dataset.samples.map((sample) => shuffleChoices(sample, seed));
  const kept = samples.filter(({ choices, presentation }) => !isMoved(choices, presentation)).length;
  const note =
    `EVAL_SHUFFLE_CHOICES=${seed}: the options of ${samples.length - kept} of ${plural(samples.length, 'question')} stand in ` +
    `another order${kept === 0 ? '' : `; those of ${kept} as in the file, where one names others or chance says so`}.`;
  return { ...dataset, samples, notes: [...dataset.notes, note] };
}

/**
 * The same question with its options in another order. The labels stay where they are and the texts move, so that the
 * target names another label for the same text. "All of the above" and its like stay last; where an option names
 * others ("Both A and B"), or speaks of those above from the middle, all stay where they are.
 */
export function shuffleChoices(sample: Sample, seed: number): Sample {
  const choices = sample.choices ?? {};
  const labels = Object.keys(choices);
  const sources = canMove(choices, labels) ? reorder(choices, labels, `${seed}\n${sample.id}`) : labels;
  const ownLabels = pair(labels, sources);
  const presentedAs = new Map(sources.map((own, index) => [own, labels[index] ?? own]));
  const target =
    sample.target
      ?.split(',')
      .map((own) => presentedAs.get(own) ?? own)
      .sort((a, b) => labels.indexOf(a) - labels.indexOf(b))
      .join(',') ?? null;
  const texts = new Map(Object.entries(choices));
  const moved = pair(
    labels,
    sources.map((own) => texts.get(own) ?? ''),
  );
  return { ...sample, target, choices: moved, presentation: { seed, ownLabels } };
}

function reorder(choices: Readonly<Record<string, string>>, labels: readonly string[], key: string): readonly string[] {
  const options = labels.map((label) => ({ label, text: choices[label] ?? '' }));
  return orderOptions(options, ({ text }) => text, key).map(({ label }) => label);
}

function canMove(choices: Readonly<Record<string, string>>, labels: readonly string[]): boolean {
  const texts = labels.map((label) => choices[label] ?? '');
  const firstClosing = texts.findIndex(isClosing);
  const others = texts.filter((text) => !isClosing(text));
  const closingAreLast = firstClosing === -1 || texts.slice(firstClosing).every(isClosing);
  return closingAreLast && !others.some((text) => refersToOptions(text, labels));
}

function isMoved(choices: Sample['choices'], presentation: Presentation | undefined): boolean {
  const own = new Map(Object.entries(presentation?.ownLabels ?? {}));
  return Object.keys(choices ?? {}).some((label) => own.get(label) !== label);
}

function pair(labels: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']));
}
