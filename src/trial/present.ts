import type { EvalConfig } from '../config.ts';
import { shuffleDataset } from '../datasets/mcq/shuffle-choices.ts';
import type { Dataset } from '../types.ts';
import { findPresentationSeed } from './presentation-seed.ts';

/** The dataset with its options in the order that this run's agents see. */
export function present(dataset: Dataset, config: EvalConfig, suite: string): Dataset {
  const seed = findPresentationSeed(config, suite);
  if (seed !== null) return shuffleDataset(dataset, seed);
  if (config.shuffleChoices === null) return dataset;
  const note = 'EVAL_SHUFFLE_CHOICES has no effect: replayed answers name the options as they were shown then.';
  return { ...dataset, notes: [...dataset.notes, note] };
}
