import type { EvalConfig } from '../../config.ts';
import { loadGaia } from '../../datasets/gaia/load-gaia.ts';
import { readHubSettings } from '../../datasets/hub/hub-settings.ts';
import { loadMcq } from '../../datasets/mcq/load-mcq.ts';
import type { Dataset } from '../../types.ts';
import type { CommandContext } from '../command.ts';

const GAIA_SAMPLE = 'evals/gaia/sample';
const MCQ_SAMPLE = 'evals/mcq/sample';

/** A suite as its eval file loads it. */
export type Suite = {
  readonly name: 'gaia' | 'mcq';
  /** The suite's own predictions. */
  readonly predictions: string;
  load(config: EvalConfig, context: CommandContext): Promise<Dataset>;
};

/** The suites and their datasets: the committed samples where none is set. */
export const SUITES: readonly Suite[] = [
  {
    name: 'gaia',
    predictions: `${GAIA_SAMPLE}/predictions.jsonl`,
    load: ({ gaia, split }, { env }) =>
      loadGaia(gaia === null ? { path: GAIA_SAMPLE, sample: true } : { path: gaia, split, hub: readHubSettings(env) }),
  },
  {
    name: 'mcq',
    predictions: `${MCQ_SAMPLE}/predictions.jsonl`,
    load: ({ mcq, mcqFields }) =>
      loadMcq(mcq === null ? { path: `${MCQ_SAMPLE}/questions.csv`, sample: true } : { path: mcq, fields: mcqFields }),
  },
];
