import { hash } from 'node:crypto';
import type { Question, Sample } from '../types.ts';
import { renderPrompt } from './prompt.ts';
import type { Workdir } from './workdir.ts';

/**
 * What the agent sees. Target and metadata are left out of the value itself, not only of its type: GAIA's annotator
 * metadata spells out the solution. The attachments are those of the work folder, which is made when they are read.
 */
export function toQuestion(sample: Sample, promptTemplate: string, workdir: Workdir): Question {
  const { target: _target, metadata: _metadata, presentation: _order, attachments: _originals, ...visible } = sample;
  return {
    ...visible,
    prompt: renderPrompt(promptTemplate, sample),
    get attachments() {
      return workdir.attachments;
    },
  };
}

/** Identifies what is asked, whatever the prompt: the question, its options and the names of its attachments. */
export function hashQuestion(sample: Sample): string {
  const known = hashes.get(sample);
  if (known !== undefined) return known;
  const { input, choices, multiple, attachments } = sample;
  const made = shortHash(JSON.stringify([input, choices, multiple, attachments.map(({ name }) => name)]));
  hashes.set(sample, made);
  return made;
}

/** The hash of a dataset and the row of each trial need the same one. */
const hashes = new WeakMap<Sample, string>();

/** Identifies a whole dataset, truths included: runs are comparable only on the same one. */
export function hashDataset(samples: readonly Sample[]): string {
  return shortHash(JSON.stringify(samples.map((sample) => [sample.id, sample.target, hashQuestion(sample)])));
}

/** Identifies a prompt template. */
export function hashPrompt(template: string): string {
  return shortHash(template);
}

/** Sixteen hexadecimal digits: enough to tell the versions of a prompt or a dataset apart. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 16);
}
